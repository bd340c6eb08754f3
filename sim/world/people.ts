// People who run things: they submit, pause, resume, judge, answer, change policies and projects, at any moment.

import type { Prng } from "../../src/base/prng.ts";
import type { Input, SubmitRun } from "../../src/core/inputs.ts";
import type { Policy, PolicyRules } from "../../src/core/policy/policy.ts";
import type { Chosen } from "../../src/core/workspace/workspace-state.ts";
import type { ModelAgent } from "./agent-model.ts";
import { filesOf, type Depot } from "./depot.ts";
import type { LogModel } from "./log-model.ts";
import { hasEnded, type ModelRun, type ModelStep } from "./run-model.ts";
import { makeScript, pickUnits } from "./script.ts";
import type { SimBus } from "./sim-bus.ts";
import { entryFrom, wordsOf } from "./words.ts";

export type PeopleWorld = {
  readonly bus: SimBus;
  readonly model: LogModel;
  readonly paths: readonly string[];
  readonly nodes: readonly string[];
  readonly agentsMax: number;
  readonly depot: Depot;
  /** Which runs are to work in living agents. */
  readonly lodging: Prng;
  /** Whether somebody goes back to earlier steps. */
  readonly stepsBack: boolean;
  /** Whether somebody commits past the daemon. */
  readonly worksByHand: boolean;
  /** Ends whatever runs under a closed unit, and says so to the engine without a detour. */
  readonly clearByHand: (input: Extract<Input, { type: "unit.clear" }>, key: string) => void;
};

const stillStates = ["paused", "review", "awaiting-input", "parked"];

const processes = {
  test: { argv: ["true"], scope: "project" },
  build: { argv: ["true"], scope: "project" },
  own: { argv: ["true"], scope: "agent" },
} as const;

export class People {
  readonly #world: PeopleWorld;
  readonly #prng: Prng;
  /** What they want done about runs that are stuck, apart from everything else that they want. */
  readonly #whenStuck: Prng;
  /** Whether runs that name no agent are to work in one that is there. */
  readonly #reuse: Prng;
  /** Whom they give more than their profile did, in the worlds in which they do. */
  readonly #raises: Prng;
  readonly #areGenerous: boolean;
  readonly #submitted: SubmitRun[] = [];
  #projects = 0;

  constructor(world: PeopleWorld, prng: Prng) {
    this.#world = world;
    this.#prng = prng;
    this.#whenStuck = prng.stream("when stuck");
    this.#reuse = prng.stream("reuse");
    this.#raises = prng.stream("raises");
    this.#areGenerous = this.#raises.chance(0.25);
  }

  addProject(): void {
    const name = `p${this.#projects++}`;
    const foldCase = this.#prng.chance(0.3);
    const source = { kind: "git", branch: "main", author: { name: "Ann", email: "ann@example.org" } } as const;
    const commit = this.#world.depot.begin(name, this.#world.paths, this.#prng);
    const about = { name, root: `/home/${name}`, foldCase, processes, source, landingTest: null, commit };
    this.send({ type: "project.add", ...about });
  }

  /** Some work on the repository themselves, and ask nobody. */
  commitByHand(): void {
    const { model, depot, paths } = this.#world;
    const projects = [...model.projects.keys()];
    if (projects.length === 0) return;
    const project = this.#prng.pick(projects);
    // What somebody is working on is what others want to change, too.
    const runs = [...model.runs.values()].filter((run) => run.project === project);
    const changed = runs.flatMap((run) =>
      paths.filter((unit) => {
        const name = unit.slice(unit.indexOf(":") + 1);
        return [...run.dirty.keys()].some((path) => `${path}/`.startsWith(`${name}/`) || name.startsWith(`${path}/`));
      }),
    );
    depot.commitByHand(project, filesOf(changed).length > 0 && this.#prng.chance(0.6) ? changed : paths, this.#prng);
  }

  /** Every result needs a person, and holds are impatient. */
  askForApproval(): void {
    const rules = { approvalRequired: true, holdPatienceMs: this.#prng.pick([1, 3000, 20_000]) };
    this.send({ type: "policy.set", policy: { name: "review", priority: 9, enabled: true, scope: {}, rules } });
  }

  /** Some runs have assistants, one after the other. */
  makeTeam(): void {
    const settings = { runner: "claude", fallbacks: ["codex", "gemini"], maxTurns: 10 };
    this.send({ type: "profile.set", profile: { name: "team", settings }, ensure: true });
  }

  doSomething(): void {
    const prng = this.#prng;
    const runs = [...this.#world.model.runs.values()].filter((run) => !run.removed);
    const active = runs.filter((run) => !hasEnded(run));
    if (this.#areGenerous && this.#raises.chance(0.1)) this.#raise(runs);
    const roll = prng.unit();
    if (active.length === 0 || (roll < 0.3 && active.length < this.#world.agentsMax)) return this.#submit(runs);
    if (roll < 0.34) return this.setPolicy();
    if (roll < 0.36) return this.#purge();
    if (roll < 0.38) return this.#changeProject();
    if (roll < 0.41) return this.clear("any");
    if (roll < 0.44 && this.#world.stepsBack) return this.#goBack(runs);
    if (roll < 0.5 && this.#world.worksByHand) return this.commitByHand();
    if (roll < 0.52) return this.#openTerminal(roll < 0.505 ? [] : [...this.#world.model.agents.values()], active);
    if (roll < 0.7) {
      const waiting = active.filter((run) => ["review", "awaiting-input", "paused"].includes(run.state));
      const run = waiting.length > 0 && prng.chance(0.8) ? prng.pick(waiting) : prng.pick(active);
      return this.#attend(run);
    }
    const sub = active.find((run) => run.sub && run.call?.started === true);
    if (sub !== undefined && prng.chance(0.2))
      return this.send({ type: "run.terminate", select: { by: "run", run: sub.id }, because: "enough" });
    this.#meddle(prng.pick(runs));
  }

  /** More than it has, or not more, of what it has or not, and sometimes for one that is over by then. */
  #raise(runs: readonly ModelRun[]): void {
    if (runs.length === 0) return;
    const prng = this.#raises;
    const limit = prng.chance(0.9) ? "maxTurns" : "maxCostMicros";
    this.send({ type: "run.raise", run: prng.pick(runs).id, limit, value: prng.between(5, 40) });
  }

  #openTerminal(agents: readonly ModelAgent[], runs: readonly ModelRun[]): void {
    const made = agents.filter(({ isMade }) => isMade);
    const owner = made.length > 0 ? { agent: this.#prng.pick(made).id } : { run: this.#prng.pick(runs).id };
    this.send({ type: "terminal.open", ...owner, argv: [], cols: 80, rows: 24 });
  }

  /** Before they go home they pause some of what is under way. */
  pauseSome(): void {
    for (const run of this.#world.model.runs.values()) {
      if (!hasEnded(run) && run.started && this.#prng.chance(0.5)) this.send({ type: "run.pause", run: run.id });
    }
  }

  /** Gives every run that waits for a person what it waits for. */
  attendAll(): void {
    for (const run of this.#world.model.runs.values()) if (!hasEnded(run)) this.#attend(run);
  }

  #wishesWhenStuck(): PolicyRules {
    const prng = this.#whenStuck;
    const acts = ["tell", "tell", "nudge", "nudge", "pause", "stop"] as const;
    const wishes: { -readonly [K in keyof PolicyRules]: PolicyRules[K] } = {};
    for (const rule of ["onSilent", "onLoop", "onToolErrors"] as const)
      if (prng.chance(0.4)) wishes[rule] = prng.pick(acts);
    if (prng.chance(0.5)) wishes.escalateAfterMs = prng.pick([null, 1000, 5000, 60_000]);
    return wishes;
  }

  setPolicy(): void {
    const prng = this.#prng;
    const rules: { -readonly [K in keyof PolicyRules]: PolicyRules[K] } = {};
    const kind = prng.below(14);
    if (kind <= 2) rules.maxConcurrent = prng.between(1, 3);
    else if (kind === 3) rules.approvalRequired = prng.chance(0.8);
    else if (kind === 4) rules.holdPatienceMs = prng.pick([0, 3000, 20_000, 120_000]);
    else if (kind === 5) rules.maxTimeMs = prng.between(5000, 200_000);
    else if (kind === 6) rules.claiming = prng.chance(0.5) ? "explicit" : "auto";
    else if (kind === 8) rules.maxSwept = prng.between(0, 2);
    else if (kind === 9) rules.deniedRunners = [prng.pick(["codex", "gemini"])];
    else if (kind === 10) rules.maxRetries = prng.between(0, 2);
    else if (kind === 11) rules.stuckAfterMs = prng.pick([2000, 10_000, 60_000]);
    else if (kind >= 12) {
      rules.stuckAfterRepeats = prng.between(2, 3);
      rules.stuckAfterToolErrors = prng.between(2, 3);
    } else if (prng.chance(0.5)) rules.deniedPaths = ["doc"];
    else rules.maxFiles = prng.between(1, 3);
    if (kind >= 11) Object.assign(rules, this.#wishesWhenStuck());
    if (this.#reuse.chance(0.1)) rules.reuse = ["*"];
    const scope = prng.chance(0.5)
      ? {}
      : prng.chance(0.5)
        ? prng.chance(0.6)
          ? { node: prng.pick(this.#world.nodes) }
          : { runner: prng.pick(["claude", "codex", "script"]) }
        : { project: prng.pick([...this.#world.model.projects.keys(), "none"]) };
    const policy: Policy = {
      name: `rule${prng.below(5)}`,
      priority: prng.below(3),
      enabled: prng.chance(0.9),
      scope,
      rules,
    };
    if (prng.chance(0.8)) this.send({ type: "policy.set", policy });
    else this.send({ type: "policy.remove", name: policy.name });
  }

  send(input: Input, tries = 3): void {
    this.#world.bus.ask({ actor: "person:ann", input }, { tries, onOutcome: () => undefined });
  }

  #submit(runs: readonly ModelRun[]): void {
    const prng = this.#prng;
    const projects = [...this.#world.model.projects.values()].filter((project) => !project.removed);
    if (projects.length === 0) return;
    // The same again is most telling where the run is not what it was then: another assistant has it.
    const handed = this.#submitted.filter(({ script }) => runs.some((run) => run.handed > 0 && run.script === script));
    if (this.#submitted.length > 0 && prng.chance(handed.length > 0 ? 0.15 : 0.05)) {
      const again = prng.pick([...this.#submitted, ...handed, ...handed, ...handed]);
      return this.send(prng.chance(0.3) ? { ...again, tags: ["again"] } : again);
    }
    const project = prng.pick(projects).id;
    const others = runs.filter((run) => run.project === project);
    const who = prng.chance(0.4)
      ? { runner: "claude", profile: "team" }
      : { runner: "script", profile: prng.chance(0.2) ? "fast" : null };
    const input: SubmitRun = {
      type: "run.submit",
      project,
      title: `task ${this.#submitted.length}`,
      description: "",
      acceptance: prng.chance(0.4) ? ["true"] : null,
      ...who,
      node: prng.pick(this.#world.nodes),
      priority: prng.between(0, 3),
      tags: prng.chance(0.3) ? ["nightly"] : [],
      plan: prng.chance(0.5) ? pickUnits(prng, this.#world.paths, 3) : [],
      dependsOn: others.length > 0 && prng.chance(0.15) ? [prng.pick(others).id] : [],
      script: JSON.stringify(makeScript(prng, this.#world.paths, 1)),
      parent: null,
      sub: false,
      key: `submit-${this.#submitted.length}`,
      agent: pickAgent(this.#world, project),
    };
    this.#submitted.push(input);
    this.send(input);
  }

  #attend(run: ModelRun): void {
    const prng = this.#prng;
    // After a landing in part, what stood on another base then has to be merged.
    const [moved] = this.#world.stepsBack ? stepsBefore(run) : [];
    if (moved !== undefined && prng.chance(0.4)) {
      const { step, works } = moved;
      return this.send({ type: "run.rewind", run: run.id, step, works: [...works.values()] });
    }
    if (run.state === "review") {
      const roll = prng.unit();
      if (roll < 0.6) return this.send({ type: "run.approve", run: run.id, approved: this.#choose(run) });
      if (roll < 0.75) return this.send({ type: "run.reject", run: run.id, message: "no" });
      return this.send({ type: "run.return", run: run.id, message: "again" });
    }
    if (run.state === "paused") return this.send({ type: "run.resume", run: run.id });
    if (run.question) return this.send({ type: "run.answer", run: run.id, text: "yes" });
  }

  /** All of it, some paths of it, some words of a path, or what was there before. */
  #choose(run: ModelRun): Chosen[] | null {
    const prng = this.#prng;
    if (prng.chance(0.5)) return null;
    const works = [...run.dirty.values()].filter(() => prng.chance(0.7));
    return works.map(({ path, base, work }) => {
      const roll = prng.unit();
      if (roll < 0.025) return { path, base: "100644:stale", work, entry: work };
      if (roll < 0.05) return { path, base, work: "100644:stale", entry: "100644:stale" };
      const [before, after] = [wordsOf(base), wordsOf(work)];
      if (before.length === 0 || after.length === 0 || prng.chance(0.4)) return { path, base, work, entry: work };
      return {
        path,
        base,
        work,
        entry: entryFrom(after.map((word, at) => (prng.chance(0.5) ? word : (before[at] ?? word)))),
      };
    });
  }

  /** Takes a workspace back to a step, or goes on from there in another run. */
  #goBack(runs: readonly ModelRun[]): void {
    const prng = this.#prng;
    const still = runs.filter(({ state, steps }) => stillStates.includes(state) && steps.length > 0);
    const known = runs.filter((run) => run.steps.length > 0 && !run.sub);
    if (known.length === 0) return;
    const run = still.length > 0 && prng.chance(0.9) ? prng.pick(still) : prng.pick(known);
    const { step, commit, works } = prng.pick(run.steps);
    const at = { run: run.id, step, works: [...works.values()] };
    if (!hasEnded(run) && prng.chance(0.7)) return this.send({ type: "run.rewind", ...at });
    this.send({ type: "run.fork", ...at, commit, runner: null, message: prng.chance(0.3) ? "go on" : null }, 1);
  }

  #purge(): void {
    const ids = [...this.#world.model.trash.keys()];
    if (ids.length > 0) this.send({ type: "trash.purge", ids: [this.#prng.pick(ids)] });
  }

  #meddle(run: ModelRun): void {
    const prng = this.#prng;
    const { id } = run;
    const roll = prng.unit();
    if (hasEnded(run)) {
      if (roll < 0.3) return this.send({ type: "run.continue", run: id, message: "and now" }, 1);
      if (roll < 0.6) return this.send({ type: "run.retry", run: id }, 1);
      return this.send({ type: "run.remove", run: id });
    }
    if (roll < 0.5) return this.send({ type: "run.pause", run: id });
    if (roll < 0.65) return this.send({ type: "run.resume", run: id });
    if (roll < 0.75) return this.send({ type: "run.terminate", select: { by: "run", run: id }, because: "enough" });
    if (roll < 0.77)
      return this.send({
        type: "run.terminate",
        select: { by: "tag", tag: "nightly", project: null },
        because: "over",
      });
    if (roll < 0.8) return this.send({ type: "task.cancel", task: run.task });
    if (roll < 0.85) return this.send({ type: "run.answer", run: id, text: "yes" });
    const claim = run.call?.claim ?? null;
    if (claim !== null) return this.send({ type: "claim.cancel", claim });
    this.#attend(run);
  }

  /** Says of closed units that they are free. Of those outside no node can prove it: only a person can. */
  clear(whose: "any" | "outside"): void {
    for (const project of this.#world.model.projects.values()) {
      for (const lease of project.leases) {
        if (!lease.quarantined) continue;
        if (whose === "outside" && this.#world.model.family(lease.family).kind === "run") continue;
        const input = { type: "unit.clear", project: project.id, unit: lease.unit.text } as const;
        this.#world.clearByHand(input, lease.unit.key);
      }
    }
  }

  #changeProject(): void {
    const prng = this.#prng;
    const ids = [...this.#world.model.projects.keys()];
    if (ids.length === 0 || prng.chance(0.2)) return this.addProject();
    const project = prng.pick(ids);
    if (prng.chance(0.1)) return this.send({ type: "project.remove", project });
    const foldCase = prng.chance(0.5) ? prng.chance(0.5) : undefined;
    const scope = prng.chance(0.5) ? "agent" : "project";
    // Nobody goes back from that: what is on branches would have to be merged by hand first.
    if (this.#world.model.projects.get(project)?.landingBranch === null && prng.chance(0.2))
      return this.send({ type: "project.change", project, landingBranch: "ai/{run}" });
    this.send({
      type: "project.change",
      project,
      foldCase,
      processes: { ...processes, build: { argv: ["true"], scope } },
    });
  }
}

/** A living agent of a project for a run to work in, or none. */
export function pickAgent({ model, lodging }: Pick<PeopleWorld, "model" | "lodging">, project: string): string | null {
  const agents = [...model.agents.values()].filter((agent) => agent.project === project);
  return agents.length > 0 && lodging.chance(0.5) ? lodging.pick(agents).id : null;
}

/** The steps after which a path that is still changed stood on another base than now. */
function stepsBefore({ dirty, steps, state }: ModelRun): ModelStep[] {
  if (!stillStates.includes(state)) return [];
  return steps.filter(({ works }) =>
    [...works.values()].some(({ path, base }) => dirty.has(path) && dirty.get(path)?.base !== base),
  );
}
