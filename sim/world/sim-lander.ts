// Brings results home (LD26 to LD32). It may die between any two of its steps; when it is asked again it finds out from
// the log and from mainline how far it came (LD37).

import type { Act } from "../../src/core/acts.ts";
import type { Input, LandedInput } from "../../src/core/inputs.ts";
import { planCandidate, settleCandidate, type CandidateRefused } from "../../src/core/landing/candidate.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import type { LandingIntent } from "../../src/core/workspace/workspace-state.ts";
import type { Depot } from "./depot.ts";
import type { LogModel } from "./log-model.ts";
import type { ModelRun } from "./run-model.ts";
import { branchOf, groundOf } from "./sim-ground.ts";
import type { Commit, SimRepo } from "./sim-repo.ts";
import { mergeBlobs } from "./words.ts";

export type LanderWorld = {
  readonly depot: Depot;
  readonly model: LogModel;
  readonly sometimes: (name: string) => void;
  readonly chance: (probability: number) => boolean;
  /** Acts that moved mainline, or found that they had. */
  readonly landings: Map<string, boolean>;
  /** Something happens at the worst moment: a crash, or somebody's own commit. */
  readonly trouble: () => void;
};

/** What a lander needs of the machine that it runs on. */
export type LanderHost = {
  after(delayMs: number, run: () => void): void;
  ask(input: Input, onOutcome: (outcome: Outcome) => void): void;
};

type LandAct = Act & { type: "land" };

/** Gets what is to be reported; nothing when the act is for an earlier passage. */
type OnOutcome = (input: LandedInput | undefined) => void;

export class SimLander {
  readonly #world: LanderWorld;
  readonly #host: LanderHost;
  readonly #act: LandAct;
  readonly #onOutcome: OnOutcome;

  constructor(world: LanderWorld, host: LanderHost, act: LandAct, onOutcome: OnOutcome) {
    this.#world = world;
    this.#host = host;
    this.#act = act;
    this.#onOutcome = onOutcome;
  }

  start(): void {
    const { model, depot, sometimes } = this.#world;
    const run = model.runs.get(this.#act.run);
    if (run === undefined || run.state !== "landing" || `land:${run.id}@${run.sinceSeq}` !== this.#act.id)
      return this.#onOutcome(undefined);
    const repo = depot.repoOf(run.project);
    const { intent } = run;
    if (intent === null) return this.#propose(run, repo);
    if (intent.branch !== undefined) return this.#put(run, { ...intent, branch: intent.branch });
    if (repo.isAncestor(intent.candidate, repo.head)) {
      sometimes(
        intent.candidate === repo.head ? "landing found at the head" : "landing found beneath somebody's commit",
      );
      return this.#record(intent);
    }
    if (intent.parent === repo.head) {
      sometimes("landing taken up before its swap");
      return this.#swap(run, repo, intent);
    }
    sometimes("intent overtaken");
    const overtaken = { type: "landing.overtaken", run: run.id, candidate: intent.candidate } as const;
    this.#host.ask(overtaken, () => this.#propose(run, repo));
  }

  #propose(run: ModelRun, repo: SimRepo): void {
    const { model, sometimes, chance } = this.#world;
    const branch = branchOf(model, run);
    const head = groundOf(model, repo, run);
    const recorded = model.projects.get(run.project)?.mainline ?? "";
    // What people have committed is known before a candidate stands on it (LD42).
    if (recorded !== repo.head) {
      const moved = { type: "mainline.move", project: run.project, from: recorded, to: repo.head } as const;
      this.#host.ask(moved, () => undefined);
    }
    const approvals = [...(run.approved ?? [])].map(({ path, base, entry }) => ({ path, base, approved: entry }));
    const plan = planCandidate(approvals, (path) => repo.at(head, path));
    const merged = new Map(plan.merges.map(({ path, blobs }) => [path, mergeBlobs(blobs)]));
    const { foldCase = false } = model.projects.get(run.project) ?? {};
    const tree = { paths: new Set(repo.commit(head).tree.keys()), rule: { foldCase } };
    const settled = settleCandidate(plan, merged, tree);
    const name = { type: "run.landed", run: run.id, act: this.#act.id } as const;
    if (!settled.ok) {
      sometimes("landing met a conflict");
      return this.#onOutcome({ ...name, how: "conflict", conflicts: conflictsOf(settled.refusal, repo, head) });
    }
    if (chance(0.15)) {
      sometimes("landing was red");
      return this.#onOutcome({ ...name, how: "back", message: "2 tests failed" });
    }
    const candidate = repo.make(head, settled.value, { run: run.id, act: this.#act.id });
    const entries = approvals.map(({ path }) => ({ path, entry: repo.at(candidate.id, path) }));
    const mergedPaths = plan.merges.map(({ path }) => path);
    const on = branch === undefined ? {} : { branch };
    const made = { parent: head, candidate: candidate.id, entries, tested: "untested", merged: mergedPaths } as const;
    const intent: LandingIntent = { ...made, ...on };
    this.#host.ask({ type: "landing.intend", run: run.id, act: this.#act.id, ...intent }, (outcome) => {
      if (!outcome.ok) return this.#onOutcome(undefined);
      this.#host.after(chance(0.5) ? 0 : 300, () =>
        branch === undefined ? this.#swap(run, repo, intent) : this.#put(run, { ...intent, branch }),
      );
      this.#world.trouble();
    });
  }

  /** The same for a run that lands on a branch of its own (LD50). */
  #put(run: ModelRun, intent: LandingIntent & { readonly branch: string }): void {
    const { depot, model, trouble } = this.#world;
    const { branch, candidate } = intent;
    const from = run.landedOn === branch ? run.landed : null;
    if (!depot.putBranch(run.project, branch, from, depot.repoOf(run.project).commit(candidate))) {
      const name = { type: "run.landed", run: run.id, act: this.#act.id } as const;
      const overtaken = { type: "landing.overtaken", run: run.id, candidate } as const;
      const message = `somebody has moved ${branch}`;
      return this.#host.ask(overtaken, () => this.#onOutcome({ ...name, how: "back", message }));
    }
    this.#host.after(this.#world.chance(0.5) ? 0 : 300, () => this.#record(model.runs.get(run.id)?.intent ?? intent));
    trouble();
  }

  #swap(run: ModelRun, repo: SimRepo, intent: LandingIntent): void {
    const { depot, sometimes } = this.#world;
    const candidate: Commit = repo.commit(intent.candidate);
    if (!depot.swap(run.project, intent.parent, candidate)) {
      sometimes("swap failed");
      return this.start();
    }
    if (intent.merged.length > 0) sometimes("landed by merge");
    this.#host.after(this.#world.chance(0.5) ? 0 : 300, () => this.#record(intent));
    this.#world.trouble();
  }

  #record({ candidate, entries, tested, merged, branch }: LandingIntent): void {
    this.#world.landings.set(this.#act.id, true);
    const name = { type: "run.landed", run: this.#act.run, act: this.#act.id } as const;
    this.#onOutcome({ ...name, how: "landed", commit: candidate, entries, tested, merged, branch });
  }
}

/** Each path once, with what mainline has there. */
function conflictsOf(
  { conflicts, clashes }: CandidateRefused,
  repo: SimRepo,
  head: string,
): (LandedInput & { how: "conflict" })["conflicts"] {
  const paths = new Set([...conflicts.map(({ path }) => path), ...clashes.map(({ fresh }) => fresh)]);
  return [...paths].toSorted().map((path) => ({ path, theirs: repo.at(head, path) }));
}
