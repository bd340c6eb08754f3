// What lies in a folder that is closed to a root daemon's agents (a home of root's own, above all) and that they shall see all
// the same: it is shown to their keepers by root, before these are somebody else. Neither they nor agents get to anything
// beside it.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { asUser, type StagedFolders, stagedArgv } from "../../protocol/keeper/keeper-command.ts";
import type { CageOrder } from "../../protocol/keeper/keeper-wire.ts";

type As = { readonly uid: number; readonly gid: number };

export function toStaged(folder: string, sources: readonly string[]): StagedFolders {
  return { folder, entries: sources.map((source) => ({ name: nameOf(source), source })) };
}

/** How a keeper that was started with these shows them to its agent. */
export function stagedFor({ folder, entries }: StagedFolders): NonNullable<CageOrder["staged"]> {
  return entries.map(({ name, source }) => ({ source: join(folder, name), target: source }));
}

/** Which of them could be read by agents, were they staged. */
export async function readableStaged(folder: string, sources: readonly string[], as: As): Promise<ReadonlySet<string>> {
  const staged = toStaged(folder, sources);
  if (sources.length === 0) return new Set();
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const script = `cd "$0" && for name; do test -r "$name" && { test ! -d "$name" || test -x "$name"; } && echo "$name"; done`;
  const look = ["sh", "-c", script, folder, ...staged.entries.map(({ name }) => name)];
  const [file = "", ...args] = [...stagedArgv(staged), ...asUser(as, look)];
  const said = await new Promise<string>((resolve) => {
    // Where root may mount nothing there is no answer, and nothing is staged. The exit says no more than the last of them.
    execFile(file, args, { cwd: "/", timeout: 20_000 }, (_error, stdout) => resolve(stdout));
  });
  const names = new Set(said.split("\n"));
  return new Set(staged.entries.filter(({ name }) => names.has(name)).map(({ source }) => source));
}

/** One name for a path, whatever else is staged. */
function nameOf(source: string): string {
  return createHash("sha256").update(source).digest("hex").slice(0, 16);
}
