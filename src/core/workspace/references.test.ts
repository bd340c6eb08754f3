import { describe, expect, test } from "vitest";
import type { Event, Logged } from "../events.ts";
import { makeState } from "../state.ts";
import { RecordReferences, References } from "./references.ts";
import type { Work } from "./workspace-state.ts";

const project = { id: "p_1", root: "/shop" };

function stateWith(...runs: readonly string[]): ReturnType<typeof makeState> {
  const state = makeState();
  state.projects.set("p_1", project as never);
  for (const id of runs) state.runs.set(id, { id, project: "p_1" } as never);
  return state;
}

const entry = (blob: string): string => `100644:${blob}`;
const log = (event: Event): Logged => ({ ...event, seq: 1, atMs: 0, cause: null, actor: "system" });
const finished = (run: string, base: string | null, work: string | null): Logged =>
  log({
    ...{ type: "call.finished", v: 1, run, call: 1, tool: "write", ok: true, exit: null, summary: "", changed: [] },
    ...{ works: [{ path: "a", base: base === null ? null : entry(base), work: work === null ? null : entry(work) }] },
    output: null,
  });
const aside = (run: string, id: string, work: string): Logged =>
  log({
    type: "paths.set-aside",
    v: 1,
    run,
    works: [{ path: "a", base: null, work: entry(work) }],
    why: "",
    ids: [id],
  });

function named(events: readonly Logged[], state = stateWith("r_1", "r_2")): string[] {
  const record = new RecordReferences();
  for (const event of events) record.note(event);
  return [...record.of(state, "/shop").blobs].toSorted();
}

describe("[LD44] what the record of runs refers to", () => {
  test("is what every step found and left, for as long as its run is there", () => {
    const steps = [finished("r_1", "base", "one"), finished("r_1", "base", "two"), finished("r_2", null, "three")];
    expect(named(steps)).toEqual(["base", "one", "three", "two"]);
    const removed = log({ type: "run.removed", v: 1, run: "r_1" });
    expect(named([...steps, removed], stateWith("r_2"))).toEqual(["three"]);
    expect(named(steps, stateWith())).toEqual([]);
  });

  test("[LD34, LD36] is what a step to go back to stood on, wherever the log says so", () => {
    const works = (work: string): Work[] => [{ path: "a", base: null, work: entry(work) }];
    const record = new RecordReferences();
    const fork = { run: "r_0", step: 1, commit: "c0", works: works("forked"), callsDone: 2 };
    record.note(log({ type: "run.submitted", v: 1, run: "r_1", fork } as never));
    const lease = { claim: "c_1", family: "r_1.1", bases: {}, moved: [] };
    record.note(log({ type: "lease.ready", v: 1, ...lease, commit: "c1", works: works("merged") }));
    record.note(log({ type: "run.stopped", v: 1, run: "r_1", works: works("cut off") }));
    const approved = [{ path: "a", base: null, entry: entry("a hunk") }];
    record.note(log({ type: "run.approved", v: 1, run: "r_1", approved }));
    record.note(log({ type: "rewind.begun", v: 1, run: "r_1", step: 1, works: works("wanted") }));
    record.note(log({ type: "works.found", v: 1, run: "r_1", works: works("found") }));
    const rewound = { step: 1, givenUp: works("given up"), ids: ["x_1"], stayed: [], refused: null };
    record.note(log({ type: "run.rewound", v: 1, run: "r_1", works: works("back"), ...rewound }));
    const { blobs, commits } = record.of(stateWith("r_1"), "/shop");
    expect([...blobs]).toEqual(["forked", "merged", "cut off", "a hunk", "wanted", "found", "back"]);
    expect([...commits]).toEqual(["c0", "c1"]);
    record.note(finished("r_1", null, "given up"));
    record.note(log({ type: "trash.purged", v: 1, ids: ["x_1"] }));
    expect(record.of(stateWith("r_1"), "/shop").blobs.has("given up")).toBe(false);
  });

  test("is not what was purged, whoever wrote it; written again, it is", () => {
    const steps = [
      finished("r_1", null, "secret"),
      finished("r_2", null, "secret"),
      finished("r_1", "secret", "clean"),
    ];
    const purged = [aside("r_1", "x_9", "secret"), log({ type: "trash.purged", v: 1, ids: ["x_9", "x_0"] })];
    expect(named([...steps, ...purged])).toEqual(["clean"]);
    expect(named([...steps, ...purged, finished("r_2", null, "secret")])).toEqual(["clean", "secret"]);
  });

  test("has commits of landings, and no submodules", () => {
    const record = new RecordReferences();
    const intent = { parent: "c1", candidate: "c2", entries: [], tested: "passed", merged: [] } as const;
    record.note(log({ type: "landing.intended", v: 1, run: "r_1", ...intent }));
    record.note(
      log({
        type: "run.landed",
        v: 1,
        run: "r_1",
        project: "p_1",
        commit: "c2",
        entries: [],
        tested: "passed",
        merged: [],
      }),
    );
    expect([...record.of(stateWith("r_1"), "/shop").commits]).toEqual(["c1", "c2"]);
    expect([...record.of(stateWith("r_1"), "/elsewhere").commits]).toEqual([]);
    const found = new References();
    found.addEntry("160000:abc");
    expect(found.blobs.size).toBe(0);
  });
});
