import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { limits } from "../protocol/limits.ts";
import type { Cli } from "./cli.ts";
import { UsageError } from "./usage-error.ts";

const why: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read",
};

/** The text of a file that a flag names; `-` is standard input. */
export async function readText(cli: Cli, flag: string, path: string): Promise<string> {
  let found: string;
  try {
    found = path === "-" ? await text(process.stdin) : await readFile(resolve(cli.cwd, path), "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw new UsageError(`${flag} "${path}": ${why[code] ?? (error as Error).message}.`);
  }
  if (found.length > limits.scriptCharsMax) {
    throw new UsageError(
      `${flag} "${path}": it has ${found.length} characters; at most ${limits.scriptCharsMax} are taken.`,
    );
  }
  return found;
}
