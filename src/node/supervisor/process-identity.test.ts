import { copyFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isRunning, Pipe, startStranger } from "../../../test/support/processes.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import {
  environmentOf,
  identify,
  isAlive,
  listProcesses,
  parseIdentity,
  signalProcess,
  thisPlace,
} from "./process-identity.ts";

test("[EN26] a process is itself, and nobody else with its number is", () => {
  const me = identify(process.pid);
  if (me === undefined) throw new Error("this process is here");
  expect(isAlive(me)).toBe(true);
  expect(isAlive({ ...me, startTicks: String(BigInt(me.startTicks) - 1n) })).toBe(false);
  expect(isAlive({ ...me, place: "another boot" })).toBe(false);
  expect(identify(2 ** 22 + 1)).toBeUndefined();
});

test("[EN26] a signal goes to the very same process only", async () => {
  const stranger = await startStranger(["sleep", "1000"]);
  const identity = identify(stranger.pid);
  if (identity === undefined) throw new Error("the stranger is here");
  signalProcess({ ...identity, startTicks: "1" }, "SIGKILL");
  signalProcess({ ...identity, place: "elsewhere" }, "SIGKILL");
  expect(isRunning(stranger.pid)).toBe(true);
  signalProcess(identity, "SIGKILL");
  await once(stranger, "exit");
  expect(isAlive(identity)).toBe(false);
  expect(() => signalProcess(identity, "SIGKILL")).not.toThrow();
});

test("[EN26] what only waits to be collected is dead", async () => {
  const pipe = new Pipe(makeTempFolder());
  // The child of a program that never collects its children stays a zombie.
  const script = `sh -c 'echo $$ > ${pipe.path}' & exec sleep 1000`;
  await startStranger(["/bin/sh", "-c", script]);
  const zombie = Number(await pipe.heard());
  await expect.poll(() => identify(zombie)).toBeUndefined();
});

test("[EN26] a name with brackets and blanks confuses nobody", async () => {
  const program = join(makeTempFolder(), "a) S 1 (b");
  copyFileSync("/bin/sleep", program);
  const stranger = await startStranger([program, "1000"], { detached: true });
  const listed = listProcesses().find(({ pid }) => pid === stranger.pid);
  expect(listed).toMatchObject({ parent: process.pid, session: stranger.pid, place: thisPlace() });
  expect(listed?.startTicks).toBe(identify(stranger.pid)?.startTicks);
});

test("the environment of a process is read, and of one that is gone nothing", async () => {
  const stranger = await startStranger(["sleep", "1000"]);
  await expect.poll(() => environmentOf(stranger.pid).some((entry) => entry.startsWith("PATH="))).toBe(true);
  expect(environmentOf(2 ** 22 + 1)).toEqual([]);
});

describe("what a leader says of itself", () => {
  const stat = `123 (sh) S 1 123 123 ${"0 ".repeat(15)}4567 0 0`;

  test("is its place, its pid and its start", () => {
    expect(parseIdentity(`boot/ns ${stat}\n`)).toEqual({ pid: 123, startTicks: "4567", place: "boot/ns" });
  });

  test.each(["", "\n", "boot/ns", `boot/ns ${stat}`, "boot/ns x (sh) S\n", "boot/ns 123 (sh) S 1\n", "{}\n"])(
    "[EN26] is not believed when it is not whole: %j",
    (line) => {
      expect(parseIdentity(line)).toBeUndefined();
    },
  );
});
