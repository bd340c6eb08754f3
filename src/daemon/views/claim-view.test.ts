import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { toLocks } from "./claim-view.ts";

const minuteMs = 60_000;

test("[LS35] locks say how long a hold resists, and from when somebody waits, when it goes to them", () => {
  const world = new CoreWorld();
  world.project({});
  world.policy("look", { approvalRequired: true, holdPatienceMs: 10 * minuteMs });
  const run = world.started();
  world.write(run, "a", "b");
  const ends = (): unknown[] =>
    toLocks(world.state, { limit: 10 }, world.nowMs).leases.map(({ unit, patienceMs, yieldsAtMs }) => [
      ...[unit, patienceMs, yieldsAtMs],
    ]);
  expect(ends()).toEqual([
    ["file:a", null, null],
    ["file:b", null, null],
  ]);
  world.finish(run);
  expect(ends()).toEqual([
    ["file:a", 10 * minuteMs, null],
    ["file:b", 10 * minuteMs, null],
  ]);
  world.pass(minuteMs);
  const goesAtMs = world.nowMs + 10 * minuteMs;
  world.claim("B", "file:a", { ttlMs: 60 * minuteMs });
  expect(ends()).toEqual([
    ["file:a", 10 * minuteMs, goesAtMs],
    ["file:b", 10 * minuteMs, goesAtMs],
  ]);
});

test("a unit is looked up with what it lies in and what lies in it, and a word in names, whatever else is held", () => {
  const world = new CoreWorld();
  world.project({ foldCase: true, processes: { bench: { argv: ["bench"], scope: "agent" } } });
  for (let at = 0; at < 20; at++) world.claim(`many${at}`, `file:many/u${at}.txt`);
  world.claim("A", "dir:src");
  world.claim("B", "file:src/app.ts");
  world.claim("C", "file:many/u7.txt");
  world.claim("D", "process:bench");
  world.claim("E", "process:bench");
  const found = (wanted: { readonly unit?: string; readonly find?: string }): unknown => {
    const { leases, queue, waits, truncated } = toLocks(world.state, { ...wanted, limit: 3 }, world.nowMs);
    return [
      leases.map(({ unit, holder }) => `${holder} ${unit}`),
      queue.map(({ holder, position }) => `${position} ${holder}`),
      waits.map(({ fromHolder, toHolder }) => `${fromHolder}-${toHolder}`),
      truncated,
    ];
  };
  expect(found({ unit: "file:SRC/app.ts" })).toEqual([["A dir:src"], ["1 B"], ["B-A"], false]);
  expect(found({ unit: "file:many/u7.txt" })).toEqual([["many7 file:many/u7.txt"], ["2 C"], ["C-many7"], false]);
  expect(found({ unit: "file:many/u99.txt" })).toEqual([[], [], [], false]);
  expect(found({ unit: "dir:many" })).toMatchObject([{ length: 3 }, ["2 C"], ["C-many7"], true]);
  expect(found({ unit: "process:bench" })).toEqual([["D process:bench", "E process:bench"], [], [], false]);
  expect(found({ find: "U12" })).toEqual([["many12 file:many/u12.txt"], [], [], false]);
  expect(found({ find: "bench" })).toEqual([["D process:bench", "E process:bench"], [], [], false]);
  expect(found({ find: "u7." })).toEqual([["many7 file:many/u7.txt"], ["2 C"], ["C-many7"], false]);
  expect(() => found({ unit: "src" })).toThrow("a unit starts with file:");
});
