// The core with a pen: gives inputs at fixed times, and keeps every event that it decides.

import { createHash } from "node:crypto";
import { canonical } from "../src/base/canonical.ts";
import { decide } from "../src/core/decide.ts";
import type { Logged } from "../src/core/events.ts";
import type { Answer, BeginCall, ClaimAnswer, FinishCall, Input, MakeClaim, SubmitRun } from "../src/core/inputs.ts";
import { entryOf, type Entry } from "../src/core/landing/entry.ts";
import type { Move } from "../src/core/landing/kin.ts";
import { actName } from "../src/core/run/run-state.ts";
import { makeState, runOf } from "../src/core/state.ts";
import type { Work } from "../src/core/workspace/workspace-state.ts";

export class HistoryRecorder {
  #landings = 0;
  readonly state = makeState();
  readonly events: Logged[] = [];
  #nowMs = 1_780_000_000_000;

  /** Gives an input that has to be accepted. */
  give(input: Input, actor = "person:eva"): Answer {
    const { events, result } = decide(this.state, { actor, input }, this.#nowMs);
    this.events.push(...events);
    this.#nowMs += 10;
    if (!result.ok) throw new Error(`${input.type} was refused: ${canonical(result.refusal)}`);
    return result.value;
  }

  /** Gives an input that has to be refused; what it left in the log is kept. */
  refuse(input: Input, actor = "person:eva"): void {
    const { events, result } = decide(this.state, { actor, input }, this.#nowMs);
    this.events.push(...events);
    if (result.ok) throw new Error(`${input.type} was not refused`);
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.give({ type: "tick" }, "system");
  }

  project(name: string, processes: Extract<Input, { type: "project.add" }>["processes"] = {}): string {
    const source = { kind: "git", branch: "main", author: { name: "Eva", email: "eva@example.org" } } as const;
    const about = { name, root: `/home/eva/${name}`, foldCase: false, processes };
    const egress = { kind: "list", allow: ["developer"] } as const;
    const derived = [{ paths: ["package-lock.json"], command: ["npm", "install", "--package-lock-only"] }];
    const begun = { source, landingTest: ["npm", "test"], commit: hashOf(name), egress, derived, testTimeMs: 600_000 };
    return idOf(this.give({ type: "project.add", ...about, ...begun }));
  }

  task(input: Extract<Input, { type: "task.add" }>): string {
    return idOf(this.give(input));
  }

  submit(project: string, more: Partial<SubmitRun> = {}): string {
    const about = { title: "add rate limiting", description: "", acceptance: null, runner: "script", profile: null };
    const place = { node: "local", priority: 0, tags: [], plan: [], dependsOn: [], script: null };
    const kin = { parent: null, sub: false, key: null };
    return idOf(this.give({ type: "run.submit", project, ...about, ...place, ...kin, ...more }));
  }

  /** What it asks now, as people name it who have read it. */
  questionOf(run: string): string {
    return runOf(this.state, run).question?.id ?? "";
  }

  /** Says for the node that the run's driver is there and that its granted paths are in step. */
  start(run: string): void {
    this.give({ type: "run.driven", run, family: this.familyOf(run) }, "system");
    this.refresh(run);
  }

  refresh(run: string): void {
    const family = this.state.table.families.get(this.familyOf(run));
    const leases = [...(family?.leases.values() ?? [])].filter((lease) => !lease.ready);
    for (const claim of new Set(leases.map((lease) => lease.claim))) {
      const units = leases.filter((lease) => lease.claim === claim && lease.unit.kind === "file");
      const paths = units.map(({ unit }) => unit.text.slice("file:".length));
      const bases = Object.fromEntries(paths.map((file) => [file, baseOf(file)]));
      const { mainline: commit = "" } = this.state.projects.get(family?.project ?? "") ?? {};
      const found = { works: [], conflicts: [], moved: commit.startsWith("9") ? ["README.md"] : [] };
      this.give({ type: "lease.refreshed", claim, bases, commit, ...found }, "system");
    }
  }

  begin(run: string, tool: BeginCall["tool"], units: readonly string[], other: string | null = null): Answer {
    const call = runOf(this.state, run).callsDone;
    const input = {
      type: "call.begin",
      run,
      family: this.familyOf(run),
      call,
      tool,
      units,
      bytes: 120,
      other,
      use: `toolu_${call}`,
    } as const;
    return this.give(input, `agent:${run}`);
  }

  finish(run: string, more: Partial<FinishCall> = {}): void {
    const call = runOf(this.state, run).callsDone;
    const outcome = { ok: true, exit: null, summary: "done", changed: [], works: [], output: null };
    this.give({ type: "call.finish", run, family: this.familyOf(run), call, ...outcome, ...more }, `agent:${run}`);
  }

  /** A write from door to door. */
  write(run: string, file: string): void {
    this.begin(run, "write", [`file:${file}`]);
    this.refresh(run);
    const works = [this.workOn(run, file)];
    this.finish(run, { changed: [{ path: file, bytes: 120 }], works, summary: `wrote ${file}` });
  }

  /** A move from door to door. */
  move(run: string, { from, to }: Move): void {
    this.begin(run, "move", [`file:${from}`, `file:${to}`]);
    this.refresh(run);
    const { base } = this.workOn(run, from);
    const works = [
      { path: from, base, work: null },
      { path: to, base: baseOf(to), work: base },
    ];
    const changed = works.map(({ path }) => ({ path, bytes: 0 }));
    this.finish(run, { changed, works, moves: [{ from, to }], summary: `moved ${from} to ${to}` });
  }

  complete(run: string, ok = true): void {
    const message = ok ? "" : "the script failed";
    this.give({ type: "run.finish", run, family: this.familyOf(run), ok, message }, `agent:${run}`);
  }

  /** New content at a path of the run's workspace. */
  workOn(run: string, file: string): Work {
    const known = runOf(this.state, run).workspace.dirty.get(file);
    return {
      path: file,
      base: known?.base ?? baseOf(file),
      work: entryOf("100644", hashOf(`${file} ${this.state.seq}`)),
    };
  }

  /** What the run has changed. */
  worksOf(run: string): Work[] {
    return [...runOf(this.state, run).workspace.dirty.values()];
  }

  /** Somebody else moved mainline just before what was approved could become it. */
  overtake(run: string): void {
    const act = actName(runOf(this.state, run));
    const candidate = hashOf(`${run} too late`);
    const intent = { parent: hashOf(run), candidate, entries: [], tested: "passed", merged: [] } as const;
    this.give({ type: "landing.intend", run, act, ...intent }, "system");
    this.give({ type: "landing.overtaken", run, candidate }, "system");
  }

  /** Brings home what was approved; a run that changed nothing is done already. */
  land(run: string): void {
    const { state, approved, project } = runOf(this.state, run);
    if (state === "landing") {
      const entries = (approved ?? []).map(({ path, entry }) => ({ path, entry }));
      const parent = this.state.projects.get(project)?.mainline ?? "";
      const commit = hashOf(`${parent} ${run}`);
      const act = actName(runOf(this.state, run));
      // One of them lands on a branch of its own.
      const on = this.#landings++ === 1 ? { branch: `signalbox/${run}` } : {};
      const found = { entries, tested: "passed", merged: [], ...on } as const;
      this.give({ type: "landing.intend", run, act, parent, candidate: commit, ...found }, "system");
      this.give({ type: "run.landed", run, act, how: "landed", commit, ...found }, "system");
    }
    if (runOf(this.state, run).state === "done") this.give({ type: "run.stopped", run, works: [] }, "system");
  }

  claim(project: string, as: string, units: readonly string[], more: Partial<MakeClaim> = {}): ClaimAnswer {
    const how = { priority: 0, key: null, mode: "wait", ttlMs: 60_000, waitMs: null } as const;
    const answer = this.give({ type: "claim.make", project, as, units, ...how, ...more });
    if (answer.of !== "claim") throw new Error(`a claim was answered with ${answer.of}`);
    return answer.claim;
  }

  familyOf(run: string): string {
    return runOf(this.state, run).family;
  }
}

/** Looks like the name that git gives to something. */
export function hashOf(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

/** A new file has no base; the others have one. */
function baseOf(file: string): Entry {
  return file.includes("new") ? null : entryOf("100644", hashOf(file));
}

function idOf(answer: Answer): string {
  if (answer.of !== "id") throw new Error(`an id was expected, not ${answer.of}`);
  return answer.id;
}
