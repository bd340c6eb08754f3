import { expect, test } from "vitest";
import { refuse } from "../base/result.ts";
import type { Outcome, Reply } from "../engine/engine.ts";
import { settle } from "../../test/support/engine-rig.ts";
import { TestClock } from "../../test/support/test-clock.ts";
import { EngineLine } from "./engine-line.ts";

const tick = { actor: "system", input: { type: "tick" } } as const;
const done: Outcome = { ok: true, value: { of: "done" } };

function lineWith(outcomes: Outcome[]): { line: EngineLine; clock: TestClock; asked: () => number } {
  const clock = new TestClock();
  let asked = 0;
  const submit = (_given: unknown, reply: Reply): void => {
    const outcome = outcomes[asked++];
    if (outcome !== undefined) reply(outcome);
  };
  return { line: new EngineLine(submit, clock, () => clock.monotonicMs()), clock, asked: () => asked };
}

test("[EN8] what the engine has no room for is sent again, after the time that it named", async () => {
  const later = refuse({ code: "overloaded", retryAfterMs: 100 } as const);
  const away = refuse({ code: "store-unavailable", retryAfterMs: 250, message: "full" } as const);
  const { line, clock, asked } = lineWith([later, away, done]);
  const outcome = line.submit(tick);
  await settle();
  clock.advance(99);
  await settle();
  expect(asked()).toBe(1);
  clock.advance(1);
  await settle();
  expect(asked()).toBe(2);
  clock.advance(250);
  expect(await outcome).toEqual(done);
});

test("a no is an answer, and is not sent again", async () => {
  const no = refuse({ code: "not-found", kind: "run", id: "r_1" } as const);
  const { line, asked } = lineWith([no, done]);
  expect(await line.submit(tick)).toEqual(no);
  expect(asked()).toBe(1);
});

test("[EN8] whoever is told to stop meanwhile does not wait on", async () => {
  const { line, asked } = lineWith([refuse({ code: "overloaded", retryAfterMs: 100 })]);
  const abort = new AbortController();
  const outcome = line.submit(tick, abort.signal);
  await settle();
  abort.abort();
  expect(await outcome).toEqual(refuse({ code: "closing" }));
  expect(asked()).toBe(1);
});

test("a sleep ends with its time, with a signal, and at once when there is nothing to wait for", async () => {
  const { line, clock } = lineWith([]);
  const slept = line.sleep(1000);
  clock.advance(1000);
  await slept;
  const abort = new AbortController();
  const cut = line.sleep(1000, abort.signal);
  abort.abort();
  await cut;
  expect(clock.nextMs).toBeUndefined();
  await line.sleep(0);
  await line.sleep(-5);
  await line.sleep(1000, abort.signal);
  expect(clock.nextMs).toBeUndefined();
});
