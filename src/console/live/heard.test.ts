import { expect, test } from "vitest";
import { makeEvent } from "../../../test/support/wire-samples.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { Heard } from "./heard.ts";

const event = (seq: number): LogEvent => makeEvent(seq, "run.said", { run: "r_1" });
const seqs = (before: readonly number[], events: readonly LogEvent[]): readonly number[] => [
  ...before,
  ...events.map(({ seq }) => seq),
];

test("everything that comes is taken in once, whether it is drawn or not, and is seen when it is drawn", () => {
  const heard = new Heard<readonly number[]>([]);
  let told = 0;
  heard.subscribe(() => told++);
  heard.take([event(1), event(2)], seqs);
  heard.take([event(2), event(3)], seqs);
  heard.take([event(1)], seqs);
  expect([heard.read(), told]).toEqual([[], 0]);
  heard.show();
  heard.show();
  expect([heard.read(), told]).toEqual([[1, 2, 3], 1]);
});

test("where nothing is new nobody is told", () => {
  const heard = new Heard(0);
  let told = 0;
  heard.subscribe(() => told++);
  heard.take([event(5)], (before) => before);
  heard.show();
  expect(told).toBe(0);
});
