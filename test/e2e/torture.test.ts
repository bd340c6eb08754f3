// Short slices of `npm run torture`: real daemons, keepers and commands, killed at random moments.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

function torture(...args: readonly string[]): { readonly status: number | null; readonly text: string } {
  const main = path.join(import.meta.dirname, "../torture/main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
  return { status, text: stdout + stderr };
}

test("[LD38, LD41] runs on hot files under kills: mainline is never red, and nothing is lost or left over", () => {
  const { status, text } = torture("hot-files", "--runs", "4", "--kills", "2");
  expect(text).toMatch(/^\d+ commits of mainline, 0 red$/m);
  expect(text).toMatch(/^4 runs, 0 wrong$/m);
  expect(status).toBe(0);
});

test("[LS3, LS29] agents under kills: nobody holds what another one holds, and no stale write is taken", () => {
  const { status, text } = torture("many-agents", "--agents", "6", "--kills", "2");
  expect(text).toMatch(/^6 agents, \d+ done, [1-9]\d* grants, \d+ writes, 0 wrong$/m);
  expect(status).toBe(0);
});

test("[LD14] swaps of folders and files for links lead no tool of the door outside", () => {
  const { status, text } = torture("symlink-swaps", "--swaps", "2000", "--calls", "60");
  expect(text).toMatch(/^a plain read was led outside after \d+ tries, so this can fail$/m);
  expect(text).toMatch(/^\d+ swaps, \d+ calls of the door, 0 wrong$/m);
  expect(status).toBe(0);
});

test("[EN29] agents that were there at once leave nothing behind", () => {
  const { status, text } = torture("live-workspaces", "--agents", "4");
  expect(text).toMatch(/^4 agents, 0 wrong$/m);
  expect(status).toBe(0);
});

test("[LD15, LD32] in a repository of very many files what a run changes lands, git is right about the rest, and answers are short", () => {
  const { status, text } = torture("large-repository", "--files", "5000");
  expect(text).toMatch(/^5000 files, 0 wrong$/m);
  expect(status).toBe(0);
});

test("[AG12, AG14, AU3] copies of a stack of five services stand side by side, each on ports of its own, and leave nothing", () => {
  const { status, text } = torture("stacks", "--copies", "2");
  expect(text).toMatch(/^2 stacks, 8 ports, 0 wrong$/m);
  expect(status).toBe(0);
});

test("[AG26, TM12] kills of the daemon end no process and cost no terminal a byte", () => {
  const { status, text } = torture("daemon-kills", "--kills", "3", "--processes", "4", "--terminals", "2");
  expect(text).toMatch(/^3 kills, 6 processes, 0 dead, [1-9]\d* lines, 0 wrong$/m);
  expect(status).toBe(0);
});

test("[SV1, SV3] services that fork, flood, stay, eat memory or end at once hurt nobody beside them", () => {
  const { status, text } = torture("bad-neighbours", "--seconds", "3");
  expect(text).toMatch(/^[1-9]\d* questions were answered, 0 wrong$/m);
  expect(status).toBe(0);
});

test("[EN26] whoever has the number of one that has ended is not signalled for it", () => {
  const { status, text } = torture("pid-reuse", "--rounds", "10");
  expect(text).toMatch(/^20 of 20 numbers were given to a stranger, 0 wrong$/m);
  expect(status).toBe(0);
});
