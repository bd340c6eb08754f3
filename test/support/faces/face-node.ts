// Plays the node in a face world: brings grants in step, writes as an agent would, finishes, and lands, with the bytes in
// the world's mainline.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { actName } from "../../../src/core/run/run-state.ts";
import { type Entry, entryOf } from "../../../src/core/landing/entry.ts";
import { runOf } from "../../../src/core/state.ts";
import type { FaceWorld } from "./face-world.ts";

export class FaceNode {
  readonly #world: FaceWorld;

  constructor(world: FaceWorld) {
    this.#world = world;
  }

  /** Commits files to mainline, past every run. */
  async commit(files: Readonly<Record<string, string | Uint8Array | null>>): Promise<void> {
    const { mainline, engine } = this.#world;
    const from = await mainline.head();
    const to = await this.#commitOn(from, await this.#entriesOf(files), "by hand");
    await mainline.swap(from, to);
    for (const project of engine.state.projects.values())
      await this.#give({ type: "mainline.move", project: project.id, from, to });
  }

  /** Says that the run's driver is there and that its grants are in step. */
  async start(run: string): Promise<void> {
    await this.#refresh(run);
    await this.#give({ type: "run.driven", run, family: this.familyOf(run) });
  }

  /** Writes through the door, one call for each path. */
  async write(run: string, files: Readonly<Record<string, string | Uint8Array | null>>): Promise<void> {
    const { engine } = this.#world;
    for (const [path, entry] of await this.#entriesOf(files)) {
      const call = runOf(engine.state, run).callsDone;
      const about = { run, family: this.familyOf(run), call } as const;
      await this.#give({ type: "call.begin", ...about, tool: "write", units: [`file:${path}`], bytes: 1, other: null });
      await this.#refresh(run);
      const known = runOf(engine.state, run).workspace.dirty.get(path);
      const base = known === undefined ? await this.#atHead(path) : known.base;
      const works = [{ path, base, work: entry }];
      const outcome = { ok: true, exit: null, summary: "", changed: [{ path, bytes: 1 }], works, output: null };
      await this.#give({ type: "call.finish", ...about, ...outcome });
    }
  }

  async finish(run: string, ok = true): Promise<void> {
    await this.#give({ type: "run.finish", run, family: this.familyOf(run), ok, message: ok ? "" : "it failed" });
  }

  /** Answers the next rewind of a run: nothing had to change for it. */
  rewound(run: string): Promise<void> {
    const { engine } = this.#world;
    return new Promise((resolve, reject) => {
      const stop = engine.subscribe((events) => {
        const begun = events.find((event) => event.type === "rewind.begun" && event.run === run);
        if (begun === undefined) return;
        stop();
        const act = `rewind:${run}@${begun.seq}`;
        const outcome = { works: [], stayed: [], refused: null };
        this.#world.submit({ type: "run.rewound", run, act, ...outcome }).then(() => resolve(), reject);
      });
    });
  }

  /** Lands what was approved, as it is. */
  async land(run: string): Promise<void> {
    const { mainline, engine } = this.#world;
    const landing = runOf(engine.state, run);
    const entries = (landing.approved ?? []).map(({ path, entry }) => ({ path, entry }));
    const parent = await mainline.head();
    const commit = await this.#commitOn(
      parent,
      new Map(entries.map(({ path, entry }) => [path, entry])),
      `land\n\nSignalbox-Run: ${run}\n`,
    );
    const found = { entries, tested: "untested", merged: [] } as const;
    const act = actName(landing);
    await this.#give({ type: "landing.intend", run, act, parent, candidate: commit, ...found });
    await mainline.swap(parent, commit);
    await this.#give({ type: "run.landed", run, act, how: "landed", commit, ...found });
  }

  /** Runs a command that says something, and answers the number of its call. */
  async command(run: string, says: string): Promise<number> {
    const call = runOf(this.#world.engine.state, run).callsDone;
    const about = { run, family: this.familyOf(run), call } as const;
    const output = `${run}/${call}/output`;
    await mkdir(join(this.#world.outputs, run, String(call)), { recursive: true });
    await writeFile(join(this.#world.outputs, output), says);
    await this.#give({ type: "call.begin", ...about, tool: "run", units: [], bytes: 0, other: null });
    const outcome = { ok: true, exit: 0, summary: says, changed: [], works: [], output };
    await this.#give({ type: "call.finish", ...about, ...outcome });
    return call;
  }

  /** Finds that mainline has changed the same place of a path. */
  async conflict(run: string, path: string): Promise<void> {
    const act = actName(runOf(this.#world.engine.state, run));
    const conflicts = [{ path, theirs: await this.#atHead(path) }];
    await this.#give({ type: "run.landed", run, act, how: "conflict", conflicts });
  }

  familyOf(run: string): string {
    return runOf(this.#world.engine.state, run).family;
  }

  async #refresh(run: string): Promise<void> {
    const { engine, mainline } = this.#world;
    const family = engine.state.table.families.get(this.familyOf(run));
    const leases = [...(family?.leases.values() ?? [])].filter((lease) => !lease.ready);
    const commit = await mainline.head();
    for (const claim of new Set(leases.map((lease) => lease.claim))) {
      const found = { bases: {}, commit, works: [], conflicts: [], moved: [] };
      await this.#give({ type: "lease.refreshed", claim, ...found });
    }
  }

  async #entriesOf(files: Readonly<Record<string, string | Uint8Array | null>>): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    for (const [path, content] of Object.entries(files)) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      const entry = bytes === null ? null : entryOf("100644", await this.#world.mainline.writeBlob(bytes));
      entries.set(path, entry);
    }
    return entries;
  }

  async #atHead(path: string): Promise<Entry> {
    const { mainline } = this.#world;
    return (await mainline.entriesAt(await mainline.head(), [path])).get(path) ?? null;
  }

  #commitOn(parent: string, changes: ReadonlyMap<string, Entry>, message: string): Promise<string> {
    const author = { name: "Eva", email: "eva@example.org", atMs: 0 };
    return this.#world.mainline.commit({ parents: [parent], changes, message, author });
  }

  async #give(input: Parameters<FaceWorld["submit"]>[0]): Promise<void> {
    const outcome = await this.#world.submit(input);
    if (!outcome.ok) throw new Error(`${input.type}: ${JSON.stringify(outcome)}`);
  }
}
