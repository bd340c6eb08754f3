// Logs written by each release, and what they fold to. A failure here means that a released log would be understood
// differently: give the changed event a new version and an upgrade function, and leave the record alone. Only a release
// that is not out yet may be recorded anew: node scripts/record-history.ts --again.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { canonical } from "../../src/base/canonical.ts";
import { eventVersions, type Logged } from "../../src/core/events.ts";
import { evolve } from "../../src/core/evolve.ts";
import { fromPlain, type PlainState, snapshotVersion, toPlain } from "../../src/core/snapshot.ts";
import { makeState, type State } from "../../src/core/state.ts";
import { upgradeEvent } from "../../src/core/upgrade.ts";

type Expected = {
  version: string;
  /** The shape of state that the hashes are of. */
  snapshotVersion: number;
  events: number;
  states: { seq: number; sha256: string }[];
};

const versions = fs.readdirSync(import.meta.dirname).filter((name) => /^\d+\.\d+\.\d+/.test(name));

test("there are histories, and together they meet every kind of event", () => {
  expect(versions).not.toEqual([]);
  const met = new Set(versions.flatMap((version) => readHistory(version).events.map(({ type }) => type)));
  expect(Object.keys(eventVersions).filter((type) => !met.has(type as Logged["type"]))).toEqual([]);
});

describe.each(versions)("the log of %s", (version) => {
  const { events, expected } = readHistory(version);

  test("[LG15] folds to the states that its own release recorded, byte for byte while their shape is the same", () => {
    expect(events).toHaveLength(expected.events);
    const state = makeState();
    for (const event of events) {
      evolve(state, event);
      const recorded = expected.states.find(({ seq }) => seq === event.seq);
      if (recorded === undefined || expected.snapshotVersion !== snapshotVersion) continue;
      expect(hashOf(state), `the state after event ${event.seq}`).toBe(recorded.sha256);
    }
    expect(expected.states.at(-1)?.seq).toBe(events.length);
  });

  test("[LG15] folds to a state with everything that its own release knew, whatever was added since", () => {
    const recorded: unknown = JSON.parse(
      fs.readFileSync(path.join(import.meta.dirname, version, "state.jsonl"), "utf8"),
    );
    const folded: unknown = JSON.parse(canonical(toPlain(foldAll(makeState(), events))));
    const { version: _shape, ...known } = onlyWhatIsIn(recorded, folded) as Record<string, unknown>;
    expect({ ...known, version: expected.snapshotVersion }).toEqual(recorded);
  });

  test("[LG12] a snapshot at any event, with the events after it, gives the same as all events", () => {
    const whole = foldAll(makeState(), events);
    const state = makeState();
    for (const [at, event] of events.entries()) {
      evolve(state, event);
      if (at % 10 !== 0) continue;
      const snapshot = JSON.parse(JSON.stringify(toPlain(state))) as PlainState;
      expect(hashOf(foldAll(fromPlain(snapshot), events.slice(at + 1))), `a snapshot at ${event.seq}`).toBe(
        hashOf(whole),
      );
    }
  });
});

function readHistory(version: string): { events: Logged[]; expected: Expected } {
  const folder = path.join(import.meta.dirname, version);
  const lines = fs.readFileSync(path.join(folder, "events.jsonl"), "utf8").trimEnd().split("\n");
  const events = lines.map((line) => {
    const event = upgradeEvent(JSON.parse(line) as Record<string, unknown>);
    if (!("atMs" in event)) throw new Error(`event ${event.seq} (${event.type} v${event.v}) cannot be read any more`);
    return event;
  });
  return { events, expected: JSON.parse(fs.readFileSync(path.join(folder, "expected.json"), "utf8")) as Expected };
}

/** The part of a value that has the shape of another one: fields that the other lacks are left out. */
function onlyWhatIsIn(shape: unknown, value: unknown): unknown {
  if (Array.isArray(shape) && Array.isArray(value)) return value.map((item, at) => onlyWhatIsIn(shape[at], item));
  if (!isObject(shape) || !isObject(value)) return value;
  const fields = Object.entries(value).filter(([name]) => Object.hasOwn(shape, name));
  return Object.fromEntries(fields.map(([name, field]) => [name, onlyWhatIsIn(shape[name], field)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function foldAll(state: State, events: readonly Logged[]): State {
  for (const event of events) evolve(state, event);
  return state;
}

function hashOf(state: State): string {
  return createHash("sha256")
    .update(canonical(toPlain(state)))
    .digest("hex");
}
