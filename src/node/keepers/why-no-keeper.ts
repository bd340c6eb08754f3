// Why a keeper could not be started, in one sentence for people.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { asUser } from "../../protocol/keeper/keeper-command.ts";

const reasonCharsMax = 300;

/** Which folder above is closed to whom keepers run as: a home whose permissions somebody has changed, as a rule. */
export async function whyClosed(
  as: { readonly uid: number; readonly gid: number } | null,
  folder: string,
): Promise<string | undefined> {
  if (as === null) return undefined;
  const above = folder.split("/").map((_, at, names) => names.slice(0, at + 1).join("/"));
  for (const path of above.slice(1, -1)) {
    const [program = "", ...args] = asUser(as, ["test", "-x", path]);
    const isOpen = await promisify(execFile)(program, args).then(
      () => true,
      () => false,
    );
    if (!isOpen)
      return `agents run as another user than root, and ${path} is closed to them; open it with: chmod 711 ${path}`;
  }
  return undefined;
}

/** What the keeper has said of its end, in one line and without where in its program that was. */
export function lastWordIn(path: string): string {
  try {
    const lines = readFileSync(path, "utf8").trim().split("\n");
    return (lines.findLast((line) => /^\S*(Error|Fault)\b.*: /.test(line)) ?? lines.at(-1) ?? "").slice(
      0,
      reasonCharsMax,
    );
  } catch {
    return "";
  }
}
