// How long processes have that are asked to go, on a clock that only the test moves.

import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startStranger } from "../../../test/support/processes.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { Holder } from "../cage/holder.ts";
import { pidNamespaceOf } from "../os/processes.ts";
import { type Belonging, endProcesses } from "./command-processes.ts";
import { settledWithin } from "./settled-within.ts";

const graceMs = 2000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});

/** A command that takes no notice of what it is sent, and what that was and when. */
async function deaf(): Promise<{
  readonly command: Belonging;
  readonly list: string;
  readonly sent: [string, number][];
}> {
  const { pid } = await startStranger(["sleep", "1000"]);
  const list = join(makeTempFolder(), "list");
  writeFileSync(list, `${pid}\n`);
  const [sent, startMs]: [[string, number][], number] = [[], performance.now()];
  const holder = {
    ...{ pid: 0, pidNamespaceName: pidNamespaceOf(process.pid) },
    signal: async (name: string) => void sent.push([name, performance.now() - startMs]),
  } as unknown as Holder;
  return {
    command: { mark: "", list, holder, close: () => sent.push(["closed", performance.now() - startMs]) },
    list,
    sent,
  };
}

test("[EN28] a process that will not go is asked once, and ended by force when its grace is over", async () => {
  const { command, list, sent } = await deaf();
  const ending = endProcesses(command, graceMs);
  await vi.advanceTimersByTimeAsync(graceMs - 1);
  expect(sent).toEqual([["TERM", 0]]);
  // What it started at the last moment is found too, and ended by force with it.
  const { pid } = await startStranger(["sleep", "1000"]);
  appendFileSync(list, `${pid}\n`);
  await vi.advanceTimersByTimeAsync(101);
  expect(sent.slice(1, 3)).toEqual([
    ["closed", expect.any(Number) as number],
    ["KILL", expect.any(Number) as number],
  ]);
  writeFileSync(list, "");
  await vi.advanceTimersByTimeAsync(100);
  expect(await ending).toBe(true);
});

test("[EN28] by force nobody is asked", async () => {
  const { command, list, sent } = await deaf();
  const ending = endProcesses(command, 0);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([
    ["closed", 0],
    ["KILL", 0],
  ]);
  writeFileSync(list, "");
  await vi.advanceTimersByTimeAsync(100);
  expect(await ending).toBe(true);
});

test("[EN28] what even force does not end is said, and not waited for without end", async () => {
  const { command } = await deaf();
  const ending = endProcesses(command, graceMs);
  await vi.advanceTimersByTimeAsync(graceMs + 6000);
  expect(await ending).toBe(false);
});

test("[EN28] of a whole cage nobody is waited for longer than the grace, and nobody who has gone", async () => {
  let isOver = false;
  const over = (): void => void (isOver = true);
  const waiting = settledWithin(graceMs, () => false).then(over);
  await vi.advanceTimersByTimeAsync(graceMs - 1);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  await waiting;
  let isGone = false;
  isOver = false;
  const soon = settledWithin(graceMs, () => isGone).then(over);
  await vi.advanceTimersByTimeAsync(100);
  expect(isOver).toBe(false);
  isGone = true;
  await vi.advanceTimersByTimeAsync(20);
  await soon;
});
