import { expect, test } from "vitest";
import { makeEvent, makeRun } from "../../test/support/wire-samples.ts";
import type { LogEvent } from "../protocol/wire/log-event.ts";
import { tryCli } from "./testing/try-cli.ts";

const started = makeEvent(1, "call.started", { run: "r_1", call: 0, tool: "run" });
const finished = makeEvent(2, "call.finished", { run: "r_1", call: 0, tool: "run", ok: true, summary: "one\ntwo\n" });
const over = makeEvent(3, "run.moved", { run: "r_1", from: "landing", to: "done" });
const log = { events: [started], next: 1, more: false };
const answers = { "run.log": log, "run.get": { run: makeRun("r_1", { state: "done" }) } };

test("logs -f shows what a command says before it has ended, and not once more at its end", async () => {
  const said = [Buffer.from("one\n"), Buffer.from("two\n")];
  const asked = Promise.withResolvers<void>();
  let at = 0;
  const output = (): unknown => {
    const bytes = said.shift() ?? Buffer.alloc(0);
    const offset = at;
    at += bytes.length;
    if (offset > 0) asked.resolve();
    return { base64: bytes.toString("base64"), offset, size: 8, live: true };
  };
  async function* events(): AsyncIterable<LogEvent> {
    await asked.promise;
    yield finished;
    yield over;
  }
  const { stdout, exitCode } = await tryCli(["logs", "-f", "r_1"], { ...answers, "run.output": output }, { events });
  expect(exitCode).toBe(0);
  const lines = stdout.split("\n").map((line) => line.replace(/^ *(\d+\.\d+s)? */, ""));
  expect(lines).toEqual(["step 0 run", "| one", "| two", "step 0 run done", "landing → done", ""]);
});

test("logs -f of a command that has ended already shows its last words", async () => {
  const { stdout, calls } = await tryCli(["logs", "-f", "r_1"], answers, { events: [finished, over] });
  expect(stdout).toContain("step 0 run done\n          | one\n          | two\n");
  expect(calls.map(([name]) => name)).not.toContain("run.output");
});

test("logs --step of a command that is under way says so; with -f it stays until the end", async () => {
  const parts = [
    { base64: Buffer.from("one\n").toString("base64"), offset: 0, size: 4, live: true },
    { base64: Buffer.from("two\n").toString("base64"), offset: 4, size: 8, live: false },
  ];
  const once = await tryCli(["logs", "r_1", "--step", "0"], { "run.output": parts[0] });
  expect(once).toMatchObject({
    stdout: "one\n",
    stderr: expect.stringContaining("signalbox logs -f r_1 --step 0") as string,
  });
  const both = [...parts];
  const followed = await tryCli(["logs", "-f", "r_1", "--step", "0"], { "run.output": () => both.shift() });
  expect(followed).toMatchObject({ stdout: "one\ntwo\n", stderr: "" });
});
