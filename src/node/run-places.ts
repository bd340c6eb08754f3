// The places where the runs of this node work: a workspace in its cage, shared by a run and its sub-runs. What a place is
// made of follows from the log: its ways out, its assistant's, what it may take of the disk. When its run is over nothing in
// it lives any more, what nobody has seen yet comes along, and what helps the next one stays.

import { Fault } from "../base/fault.ts";
import type { Input } from "../core/inputs.ts";
import type { Entry } from "../core/landing/entry.ts";
import { type Policy, ruleFor } from "../core/policy/policy.ts";
import { imageOf } from "../core/project/image.ts";
import type { Project } from "../core/project/project.ts";
import type { Run } from "../core/run/run-state.ts";
import { isOver } from "../core/run/run-states.ts";
import { isAtHome, livesIn, policiesOf, rootOf, type State } from "../core/state.ts";
import type { Work } from "../core/workspace/workspace-state.ts";
import type { Mainline } from "../ports/mainline.ts";
import type { Assistants } from "./assistants/assistants.ts";
import type { EgressWays } from "./egress/egress-ways.ts";
import { isOfTheWorld } from "./is-of-the-world.ts";
import { groundIn } from "./landing/ground-of.ts";
import { leftIn } from "./left-workspaces.ts";
import { type AgentPlaces, endCalls, RunsInAgents } from "./runs-in-agents.ts";
import { waysFor } from "./ways-for.ts";
import { idleRuns, pruneScratch } from "./workspace/idle-scratch.ts";
import { beginningOf } from "./workspace/rewind-run.ts";
import { isUnplaced, PlacesAgain } from "./places-again.ts";
import type { OwnDependencies } from "./workspace/own-dependencies.ts";
import type { Workspace } from "./workspace/workspace.ts";
import { type PlaceLimits, stopGraceMs, type WaysOut, type Workspaces } from "./workspace/workspaces.ts";

export type RunPlacesOptions = {
  readonly workspaces: Workspaces;
  readonly ways: EgressWays;
  /** The programs of assistants, where this node has any. */
  readonly assistants?: Assistants;
};

export type RunPlacesLink = {
  readonly state: () => State;
  readonly report: (input: Input) => Promise<{ readonly ok: boolean }>;
  /** Resolves when nothing of a run's earlier life is being ended any more. */
  readonly stopped: (run: string) => Promise<void>;
  /** Brings people's commits to mainline. */
  readonly bring: (project: Project) => Promise<void>;
  /** The places of living agents. */
  readonly agents: () => AgentPlaces;
};

/** How many keepers may be lost over looking through one workspace (EN53). Whoever asks one hears of it after as many. */
const lostKeepersMax = 3;

export class RunPlaces {
  readonly #options: RunPlacesOptions;
  readonly #link: RunPlacesLink;
  /** Keepers that were lost while runs ended. */
  readonly #lost = new Map<string, number>();
  readonly #inAgents: RunsInAgents;
  readonly #placesAgain: PlacesAgain;

  constructor(options: RunPlacesOptions, link: RunPlacesLink) {
    this.#options = options;
    this.#link = link;
    const mainlineOf = (run: Run): Promise<Mainline> => this.mainlineOf(run);
    const bring = (run: Run): Promise<void> => this.#bring(run);
    this.#inAgents = new RunsInAgents({ ...link, mainlineOf, bring });
    const { workspaces } = options;
    this.#placesAgain = new PlacesAgain({ ...link, workspaces, open: (run) => this.#open(run), mainlineOf, bring });
  }

  projectOf(run: Run): Project {
    const project = this.#link.state().projects.get(run.project);
    if (project === undefined) throw new Fault("not-found", { retry: "never", message: `${run.id} has no project` });
    return project;
  }

  mainlineOf(run: Run): Promise<Mainline> {
    return this.#options.workspaces.mainlineOf(this.projectOf(run));
  }

  /** The workspace that a run works in, made if there is none yet. */
  of(run: Run): Promise<Workspace> {
    const state = this.#link.state();
    // Whoever asks may have looked the run up a while ago.
    const root = rootOf(state, state.runs.get(run.id) ?? run);
    if (root.agent !== null) return this.#inAgents.of(root, root.agent);
    return isUnplaced(root) ? this.#placesAgain.of(root) : this.#open(root);
  }

  #open(root: Run): Promise<Workspace> {
    const state = this.#link.state();
    const image = imageOf(state, root);
    const report = async (input: Input): Promise<boolean> => (await this.#link.report(input)).ok;
    const ways = (): Promise<WaysOut> => waysFor(this.#options, this.#link.state, root, report);
    const policies = policiesOf(state, root);
    const diskBytes = ruleFor(policies, "maxDisk")?.value ?? null;
    return this.#options.workspaces.of(root.id, this.projectOf(root), {
      ...{ caged: root.caged, image, diskBytes, limits: limitsOf(policies), ...beginningOf(root) },
      // Others begin with a program.
      filesFirst: root.runner === "script" || root.runner === "mcp",
      ground: (mainline) => groundIn(this.#link.state(), mainline, root),
      // Nothing runs for it any more: its files are looked at, whatever became of its image and its ways out.
      ...(isOver(root.state) ? { still: true } : { ways, bring: () => this.#bring(root) }),
      // Without walls around it, nothing that another run has left is executed.
      warm: root.caged,
    });
  }

  /** What a person has just committed is what they expect a new run to begin with (LD48). */
  async #bring(root: Run): Promise<void> {
    try {
      await this.#link.bring(this.projectOf(root));
    } catch (error) {
      // Their side is not there now. Mainline is, and a landing will say what is wrong with it.
      if (!(error instanceof Fault) && !isOfTheWorld(error)) throw error;
    }
  }

  /** Whether anything of the run's place is here, or about to be. A living agent is the place of the run that is in it. */
  async has(run: Run): Promise<boolean> {
    const state = this.#link.state();
    return isAtHome(state, run) && (await this.#options.workspaces.has(livesIn(state, run)));
  }

  /** What the test of a run's candidate may stand on; nothing of one without walls around it, which acts as a person does (LD45). */
  dependenciesOf(run: Run): Omit<OwnDependencies, "lacks"> | undefined {
    if (!run.caged) return undefined;
    const entryAt = async (path: string): Promise<Entry> => {
      const change = run.workspace.dirty.get(path);
      return change === undefined ? (await this.of(run)).baseOf(path) : change.work;
    };
    return { agent: livesIn(this.#link.state(), run), entryAt };
  }

  /** Whether this content of a path was set aside. */
  isTrashed(run: Run, path: string, work: Entry): boolean {
    const { id } = rootOf(this.#link.state(), run);
    const items = [...this.#link.state().trash.values()];
    return items.some((item) => item.run === id && item.path === path && item.work === work);
  }

  /**
   * Ends everything of a run that is over, and proves it. Answers what still stands in its workspace, its bytes safe; what
   * helps the next runs is kept for them before anybody hears that this one has ended.
   */
  async end(run: Run, force: boolean): Promise<Work[]> {
    if (run.agent !== null) return this.#inAgents.end(run, run.agent, force);
    const works = await this.#leftOf(run, force);
    this.#lost.delete(run.id);
    if (run.caged && run.state === "done" && run.landed !== null && works.length === 0) await this.#keepWarm(run);
    await this.#placesAgain.rest(run);
    return works;
  }

  /**
   * Leaves the place of a run that is done to whoever continues it, as far as there is room for it; that of any other is taken away. A
   * conversation stays where somebody may take it up again.
   */
  async leave(run: Run): Promise<void> {
    if (run.agent !== null) return this.#inAgents.leave(run, run.agent);
    const { workspaces } = this.#options;
    if (await workspaces.done.has(run.id)) {
      await this.#placesAgain.thin();
      workspaces.lookAhead(this.projectOf(run));
      return;
    }
    if (run.state === "done" || !isOver(run.state)) await workspaces.keepHome(run.id);
    await workspaces.remove(run.id, this.projectOf(run));
  }

  /** Lets go of the places of runs that are done, and answers how many those are. */
  prunePlaces(): Promise<number> {
    return this.#placesAgain.prune();
  }

  /** Of runs that nobody can continue by now. What cannot be taken away is found at the next start. */
  async thinSoon(): Promise<void> {
    await this.#placesAgain.thin().catch(() => undefined);
  }

  /** Ends the processes of a sub-run: they are in the cage of its root, among those of others. */
  async endSub(run: Run, force: boolean): Promise<Workspace> {
    const workspace = await this.of(run);
    await endCalls(workspace.keeper, [run.id], force);
    return workspace;
  }

  /** Shuts what leads out of a run's cage. What passed is in the log then. */
  async shutWays(run: string): Promise<void> {
    await this.#options.ways.end(run);
    await this.#options.assistants?.end(run);
  }

  /** Takes away what a daemon that died had no time for. */
  async clear(): Promise<void> {
    const { workspaces, ways } = this.#options;
    await ways.clear();
    const { runs } = this.#link.state();
    const agents = await workspaces.list();
    const done = await workspaces.done.among(agents);
    for (const { agent, project } of leftIn(this.#link.state(), agents, done)) {
      if (runs.get(agent)?.state === "done") await workspaces.keepHome(agent);
      await workspaces.remove(agent, project);
    }
    await this.#placesAgain.thin();
    for (const agent of (await workspaces.homes?.list()) ?? []) if (!runs.has(agent)) await this.forget(agent);
  }

  /** Takes what can be made again out of workspaces that nobody works in. Answers what went, by run. */
  async pruneScratch(): Promise<ReadonlyMap<string, readonly string[]>> {
    const gone = new Map<string, readonly string[]>();
    for (const { id } of idleRuns(this.#link.state())) {
      // It may be taken up while others are looked at.
      const run = idleRuns(this.#link.state()).find((each) => each.id === id);
      if (run === undefined || !this.#options.workspaces.isOpen(id)) continue;
      try {
        const folders = await pruneScratch(await this.of(run), this.projectOf(run));
        if (folders.length > 0) gone.set(id, folders);
      } catch (error) {
        // Another one may have something.
        if (!(error instanceof Fault) && !isOfTheWorld(error)) throw error;
      }
    }
    return gone;
  }

  /** Nobody will continue the run. */
  async forget(run: string): Promise<void> {
    await this.#placesAgain.forget(run);
    await this.#options.workspaces.homes?.forget(run);
  }

  async #leftOf(run: Run, force: boolean): Promise<Work[]> {
    const { workspaces } = this.#options;
    // Where a cage could not be made nothing has happened, and it could not be made now.
    const isNew = await workspaces.isUntouched(run.id);
    if (isNew || ((run.state === "done" || isUnplaced(run)) && run.workspace.dirty.size === 0)) {
      await workspaces.end(run.id, force);
      return [];
    }
    const found = await this.#sweep(run, force);
    if (found === undefined) {
      await workspaces.keepWhole(run.id, run.family);
      return [];
    }
    await workspaces.end(run.id, true);
    // What the log knows was set aside with the run's end; only what nobody has seen yet comes along.
    return found.filter(({ path, work }) => !this.isTrashed(run, path, work));
  }

  /** What is changed in its workspace; undefined where that is more than keepers can bear: its run would never end (EN53). */
  async #sweep(run: Run, force: boolean): Promise<Work[] | undefined> {
    let workspace: Workspace | undefined;
    try {
      // Of one that was continued while it was being ended, this is still the life before.
      const reached = await (isUnplaced(run) ? this.#open(run) : this.of(run));
      workspace = reached;
      await reached.keeper.request({ op: "stop-all", graceMs: force ? 0 : stopGraceMs });
      return await reached.alone(() => reached.sweep());
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "keeper-unavailable") throw error;
      const lost = (this.#lost.get(run.id) ?? 0) + (workspace === undefined ? 1 : lostKeepersMax);
      this.#lost.set(run.id, lost);
      if (lost < lostKeepersMax) throw error;
      return undefined;
    }
  }

  async #keepWarm(run: Run): Promise<void> {
    await this.#options.workspaces.keepWarm(run.id, this.projectOf(run)).catch((error: unknown) => {
      // It is only quicker with it.
      if (!isOfTheWorld(error)) throw error;
    });
  }
}

/** What everything that a run starts may use (SC22). */
export function limitsOf(policies: readonly Policy[]): PlaceLimits {
  const of = (rule: "maxMemory" | "maxCpu" | "maxProcesses" | "maxOpenFiles" | "maxOutputRate"): number | null =>
    ruleFor(policies, rule)?.value ?? null;
  return {
    ...{ memoryBytes: of("maxMemory"), cpu: of("maxCpu"), processes: of("maxProcesses"), files: of("maxOpenFiles") },
    outputBytesPerS: of("maxOutputRate"),
  };
}
