import { expect, test } from "vitest";
import type { StartOp } from "../../protocol/keeper/keeper-wire.ts";
import { gitEnv, gitWords, runOwnGit } from "./own-git.ts";

test("[EN57] what git of ours has left behind is ended before it is forgotten", async () => {
  const done: unknown[] = [];
  const end = { exit: 0, tail: "" };
  const commands = {
    start: async (...args: unknown[]) => void done.push(["start", ...args]),
    wait: async (call: string) => (done.push(["wait", call]), end),
    stop: async (call: string, graceMs: number) => void done.push(["stop", call, graceMs]),
    forget: async (call: string) => void done.push(["forget", call]),
  } as unknown as Parameters<typeof runOwnGit>[0];
  const start: StartOp = { op: "start", call: "git-1", argv: [...gitWords], cwd: null, env: gitEnv, timeoutMs: 1 };
  expect(await runOwnGit(commands, start)).toBe(end);
  const [, ...after] = done;
  expect(after).toEqual([
    ["wait", "git-1"],
    ["stop", "git-1", 0],
    ["forget", "git-1"],
  ]);
});
