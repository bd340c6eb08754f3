// The times of day of a log that several daemons wrote, one after the other.

import { expect, test } from "vitest";
import { MemoryStore, type MemoryDisk } from "../../src/adapters/store/memory-store.ts";
import type { Logged } from "../../src/core/events.ts";
import { evolve } from "../../src/core/evolve.ts";
import { makeState, type State } from "../../src/core/state.ts";
import { foldLog } from "../../src/engine/fold-log.ts";
import { toEngineMs, toWallMs } from "../../src/protocol/wall-time.ts";
import { EngineRig } from "../support/engine-rig.ts";
import { TestClock } from "../support/test-clock.ts";

const weekendMs = 64 * 3_600_000;

test("[EN55] the last events before a weekend's downtime are Friday's, by their number and by their instant", async () => {
  const clock = new TestClock();
  const first = await EngineRig.open({ clock });
  clock.advance(5_000);
  const fridayMs = clock.wallMs();
  await first.project("shop");
  await first.engine.close();
  clock.advance(weekendMs);
  const mondayMs = clock.wallMs();
  const second = await EngineRig.open({ disk: first.disk, clock });
  await second.engine.close();

  const { events, state } = await foldOf(first.disk);
  const [last, opened] = [find(events, "project.added"), find(events, "engine.opened", 2)];
  expect(opened.atMs).toBe(last.atMs + 1);
  for (const seq of [undefined, last.seq]) expect(toWallMs(state.openings, last.atMs, seq)).toBe(fridayMs);
  for (const seq of [undefined, opened.seq]) expect(toWallMs(state.openings, opened.atMs, seq)).toBe(mondayMs);
  // Somebody who asks how things were on Saturday sees Friday's end, without anything of Monday.
  expect(toEngineMs(state.openings, fridayMs + weekendMs / 2)).toBe(last.atMs);
});

test("[EN55] in an older log, in which both are of one instant, they are Friday's too", () => {
  const [fridayMs, mondayMs] = [1_000_000, 1_000_000 + weekendMs];
  const opening = { cause: null, actor: "system", type: "engine.opened", v: 1, version: "0.1.0" } as const;
  const said = { cause: null, actor: "person:eva", type: "preset.set", v: 1 } as const;
  const preset = { ...said, runner: "claude", preset: "fast", model: "haiku" } as const;
  const events: Logged[] = [
    { ...opening, seq: 1, atMs: fridayMs - 5_000, wallMs: fridayMs - 5_000 },
    { ...preset, seq: 2, atMs: fridayMs },
    { ...opening, seq: 3, atMs: fridayMs, wallMs: mondayMs },
    { ...preset, seq: 4, atMs: fridayMs },
  ];
  const state = makeState();
  for (const event of events) evolve(state, event);
  const told = events.map(({ atMs, seq }) => toWallMs(state.openings, atMs, seq));
  expect(told).toEqual([fridayMs - 5_000, fridayMs, mondayMs, mondayMs]);
  expect(toWallMs(state.openings, fridayMs)).toBe(fridayMs);
  expect(toWallMs(state.openings, fridayMs + 1)).toBe(mondayMs + 1);
});

async function foldOf(disk: MemoryDisk): Promise<{ events: Logged[]; state: State }> {
  const store = new MemoryStore(disk);
  const events = (await store.read(0, 1_000)) as unknown as Logged[];
  const { state } = await foldLog(store);
  await store.close();
  return { events, state };
}

function find(events: readonly Logged[], type: Logged["type"], nth = 1): Logged {
  const found = events.filter((event) => event.type === type)[nth - 1];
  if (found === undefined) throw new Error(`there is no ${nth}. ${type}`);
  return found;
}
