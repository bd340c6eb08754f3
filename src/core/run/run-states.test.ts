import fs from "node:fs";
import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { evolve } from "../evolve.ts";
import { allArrows, isDriven, isOver, mayMove, runStates, takesSlot } from "./run-states.ts";

test("[RN3] the table in the document is the table in the code", () => {
  const document = fs.readFileSync(new URL("../../../docs/spec/runs.md", import.meta.url), "utf8");
  const rows = [...document.matchAll(/^\| ([a-z-]+) \| ([a-z -]*?) ?\|$/gm)].filter(([, from]) =>
    runStates.some((state) => state === from),
  );
  const told = rows.flatMap(([, from, to]) =>
    (to ?? "")
      .split(" ")
      .filter((name) => name !== "")
      .map((name) => `${from} ${name}`),
  );
  expect(rows.map(([, from]) => from)).toEqual([...runStates].toSorted(byRow));
  expect(told.toSorted()).toEqual(
    allArrows()
      .map(({ from, to }) => `${from} ${to}`)
      .toSorted(),
  );

  function byRow(a: string, b: string): number {
    return document.indexOf(`\n| ${a} |`) - document.indexOf(`\n| ${b} |`);
  }
});

test("[RN3] only what is over cannot end badly, and only a run that is done goes on after its end", () => {
  for (const state of runStates) {
    for (const end of ["failed", "rejected", "terminated"] as const) expect(mayMove(state, end)).toBe(!isOver(state));
    const onward = allArrows().filter(({ from }) => from === state);
    expect(!isOver(state) || onward.length === (state === "done" ? 1 : 0)).toBe(true);
    expect(!takesSlot(state) || state === "validating" || isDriven(state)).toBe(true);
  }
});

test("[RN4] each move is one event, and a move that is not in the table never gets into the log", () => {
  const world = new CoreWorld();
  world.project();
  const run = world.started();
  const moves = world.log.filter((event) => event.type === "run.moved");
  expect(moves.map((event) => [event.from, event.to])).toEqual([
    ["queued", "starting"],
    ["starting", "running"],
  ]);
  const moved = {
    seq: world.state.seq + 1,
    atMs: world.nowMs,
    cause: null,
    actor: "system",
    type: "run.moved",
    v: 1,
    run,
  } as const;
  const because = { because: null, policy: null };
  expect(() => evolve(world.state, { ...moved, from: "running", to: "review", ...because })).toThrow(
    "no run moves from running to review",
  );
  const next = { ...moved, seq: world.state.seq + 1 };
  expect(() => evolve(world.state, { ...next, from: "queued", to: "starting", ...because })).toThrow(
    "is running, not queued",
  );
});
