import { expect, test } from "vitest";
import { eventKinds, isFiltered, toEventInput, toEventsCommand } from "./event-kinds.ts";
import { knownTypes } from "./event-sentence.ts";

const none = { project: null, types: [], of: null, unit: null, find: "" };

test("every type of event is of some kind, and every kind has some", () => {
  const isOf = (type: string, starts: readonly string[]): boolean => starts.some((start) => type.startsWith(start));
  expect(knownTypes.filter((type) => !eventKinds.some(({ types }) => isOf(type, types)))).toEqual([]);
  for (const { label, types } of eventKinds)
    for (const start of types)
      expect([label, start, knownTypes.some((type) => type.startsWith(start))]).toEqual([label, start, true]);
});

test("a run and an agent are asked for as what they are", () => {
  expect(toEventInput({ ...none, of: "r_1a" })).toEqual({ run: "r_1a" });
  expect(toEventInput({ ...none, of: "shop-1", find: "  x " })).toEqual({ agent: "shop-1", find: "x" });
  expect([isFiltered(none), isFiltered({ ...none, unit: "dir:src" })]).toEqual([false, true]);
});

test("the command shows the same", () => {
  const filter = { project: "shop", types: ["run.", "lease."], of: "r_1a", unit: "file:a b", find: "it's" };
  expect(toEventsCommand(filter, true)).toBe(
    `signalbox events -f -n 100 --type run. --type lease. --run r_1a --unit 'file:a b' --find 'it'\\''s' --project shop`,
  );
  expect(toEventsCommand({ ...none, of: "a_3" }, false)).toBe("signalbox events -n 100 --agent a_3");
});
