import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { limits } from "../protocol/limits.ts";
import type { InputOf } from "../protocol/operations.ts";
import type { Cli } from "./cli.ts";
import { several } from "./flags.ts";
import { parseNonEmpty, parseVariable, type Variable } from "./parse-args.ts";
import { UsageError } from "./usage-error.ts";

type Attach = InputOf<"task.attach">["attachment"];

export type AttachFlags = {
  readonly note: readonly Variable[];
  readonly link: readonly Variable[];
  readonly file: readonly string[];
};

export const attachFlags = {
  note: { ...several(parseVariable), placeholder: "NAME=TEXT", brief: "A note that its runs are told." },
  link: { ...several(parseVariable), placeholder: "NAME=URL", brief: "A link that its runs are told." },
  file: { ...several(parseNonEmpty), placeholder: "PATH", brief: "A file that its runs can read." },
} as const;

/** What is to come along with a task. A file that cannot is found before anything is asked of the daemon. */
export async function readAttachments(cli: Cli, { note, link, file }: AttachFlags): Promise<Attach[]> {
  const files: Attach[] = [];
  for (const path of file) files.push(await readOne(resolve(cli.cwd, path), path));
  return [
    ...note.map(({ name, value }) => ({ kind: "note" as const, name, text: value })),
    ...link.map(({ name, value }) => ({ kind: "link" as const, name, url: value })),
    ...files,
  ];
}

async function readOne(path: string, given: string): Promise<Attach> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--file "${given}": ${error.code === "ENOENT" ? "there is no such file" : error.message}.`);
  });
  if (!found.isFile()) throw new UsageError(`--file "${given}": it is no regular file.`);
  const most = limits.attachmentBytesMax;
  if (found.size > most)
    throw new UsageError(`--file "${given}": it has ${found.size} bytes, and at most ${most} come along with a task.`);
  const name = basename(path)
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  return { kind: "file", name: name === "" ? "file" : name, base64: (await readFile(path)).toString("base64") };
}
