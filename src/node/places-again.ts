// Places of runs that are done, and that nobody works in: whoever continues such a run finds its place as it was left, with what
// was built there, and in step with mainline. The oldest go, and those that take too much; who comes too late begins in a fresh
// one, and is told. docs/decisions/0026-continued-where-it-was-done.md.

import { canonical } from "../base/canonical.ts";
import { Fault } from "../base/fault.ts";
import type { Input } from "../core/inputs.ts";
import { imageOf } from "../core/project/image.ts";
import { ruleOf } from "../core/project/project.ts";
import type { Project } from "../core/project/project.ts";
import type { Run } from "../core/run/run-state.ts";
import { isOver } from "../core/run/run-states.ts";
import type { State } from "../core/state.ts";
import type { Work } from "../core/workspace/workspace-state.ts";
import type { Mainline } from "../ports/mainline.ts";
import { readPin } from "./images/image-pin.ts";
import { isOfTheWorld } from "./is-of-the-world.ts";
import { groundIn } from "./landing/ground-of.ts";
import type { DonePlace } from "./workspace/done-places.ts";
import { agentPinOf } from "./workspace/image-pins.ts";
import { type Refreshed, type RefreshOrder, refreshWorkspace } from "./workspace/refresh-workspace.ts";
import type { Workspace } from "./workspace/workspace.ts";
import type { Workspaces } from "./workspace/workspaces.ts";

export type PlacesAgainLink = {
  readonly state: () => State;
  readonly report: (input: Input) => Promise<{ readonly ok: boolean }>;
  readonly workspaces: Workspaces;
  /** The workspace that is there, or a fresh one. */
  readonly open: (run: Run) => Promise<Workspace>;
  readonly mainlineOf: (run: Run) => Promise<Mainline>;
  /** Resolves when nothing of a run's earlier life is being ended any more. */
  readonly stopped: (run: string) => Promise<void>;
  /** Brings people's commits to mainline. */
  readonly bring: (run: Run) => Promise<void>;
};

/** How often a place may fail to be taken up again. Then its run begins in a fresh one. */
const failuresMax = 2;

/** Whether it was continued, and has no workspace that is its own yet. */
export function isUnplaced(run: Run): boolean {
  return run.placed === "not-yet" && !isOver(run.state);
}

export class PlacesAgain {
  readonly #link: PlacesAgainLink;
  readonly #placing = new Map<string, Promise<Workspace>>();
  readonly #failures = new Map<string, number>();
  /** Places that are just let go of. */
  readonly #going = new Map<string, Promise<void>>();

  constructor(link: PlacesAgainLink) {
    this.#link = link;
  }

  /** The workspace of a run that was continued, which is its own from then on. */
  of(run: Run): Promise<Workspace> {
    const key = `${run.id}.${run.incarnation}`;
    const known = this.#placing.get(key);
    if (known !== undefined) return known;
    const placing = this.#placeSurely(run).finally(() => this.#placing.delete(key));
    this.#placing.set(key, placing);
    return placing;
  }

  /** The run has ended, and nothing of it lives. Its place stays where it is done, and nothing in it is changed. */
  async rest(run: Run): Promise<void> {
    const { done } = this.#link.workspaces;
    const isDone = (run.state === "done" || isUnplaced(run)) && run.workspace.dirty.size === 0;
    if (isDone) await done.mark(run.id, run.project);
    else await done.unmark(run.id);
  }

  /** Makes room for what has just come to rest. */
  async thin(): Promise<void> {
    const { done } = this.#link.workspaces;
    const places = await this.#atRest();
    const wanted = places.filter(({ agent }) => this.#mayBeContinued(agent));
    const surplus = new Set(await done.surplusOf(wanted));
    for (const { agent } of places) if (surplus.has(agent) || !this.#mayBeContinued(agent)) await this.#letGo(agent);
  }

  /** Lets go of all of them, and answers how many that were. */
  async prune(): Promise<number> {
    let count = 0;
    for (const { agent } of await this.#atRest()) if (await this.#letGo(agent)) count++;
    return count;
  }

  /** Nobody will continue the run. */
  async forget(run: string): Promise<void> {
    if (await this.#link.workspaces.done.has(run)) await this.#letGo(run);
  }

  /** Those whose run nobody has continued. */
  async #atRest(): Promise<DonePlace[]> {
    const { workspaces } = this.#link;
    const places = await workspaces.done.among(await workspaces.list());
    return places.filter(({ agent }) => this.#isAtRest(agent));
  }

  #isAtRest(agent: string): boolean {
    const run = this.#link.state().runs.get(agent);
    return run === undefined || (run.state === "done" && run.stopped);
  }

  #mayBeContinued(agent: string): boolean {
    const { runs, projects, tasks } = this.#link.state();
    const run = runs.get(agent);
    if (run === undefined || projects.get(run.project)?.removed !== false) return false;
    return tasks.get(run.task)?.cancelled !== true;
  }

  /** Whoever continues its run meanwhile waits, and begins in a fresh one. Says whether it is gone. */
  async #letGo(agent: string): Promise<boolean> {
    // It may have been continued while another one went.
    if (!this.#isAtRest(agent) || this.#going.has(agent)) return false;
    const going = this.#remove(agent).finally(() => this.#going.delete(agent));
    this.#going.set(agent, going);
    await going;
    return true;
  }

  async #remove(agent: string): Promise<void> {
    const { workspaces, state } = this.#link;
    const run = state().runs.get(agent);
    const [place] = await workspaces.done.among([agent]);
    const project = state().projects.get(run?.project ?? place?.project ?? "");
    if (run !== undefined) {
      // Its conversation is kept for longer. Without the mark, nobody takes what is left for a place.
      await workspaces.done.unmark(agent);
      await workspaces.keepHome(agent);
    }
    if (project !== undefined) await workspaces.remove(agent, project);
  }

  async #placeSurely(run: Run): Promise<Workspace> {
    const { id } = run;
    try {
      const workspace = await this.#place(run);
      this.#failures.delete(id);
      return workspace;
    } catch (error) {
      // That says nothing about its place.
      if (error instanceof NotYet) throw error;
      const count = (this.#failures.get(id) ?? 0) + 1;
      this.#failures.set(id, count);
      const isFinal = isInTheWay(error);
      if (!(isFinal || (count >= failuresMax && isOfTheWorld(error)))) throw error;
      if (!(await this.#link.workspaces.done.has(id))) throw error;
      // What it had is scratch: rather without it than not at all.
      await this.#remove(id);
      throw isFinal ? notYet(run) : error;
    }
  }

  async #place(given: Run): Promise<Workspace> {
    const { state, report, workspaces, open, bring, stopped } = this.#link;
    const { id, incarnation } = given;
    await stopped(id);
    await this.#going.get(id)?.catch(() => undefined);
    // Somebody may have looked at its files since it was done; and a daemon that died may have left something alive.
    await workspaces.end(id, true);
    const isKept = await workspaces.done.has(id);
    const isOther = isKept && given.caged && (await this.#hasOtherImage(given));
    if (isOther) await this.#remove(id);
    const fresh = !isKept || isOther;
    await bring(given);
    const unplaced = (): Run | undefined => {
      const run = state().runs.get(id);
      return run !== undefined && isUnplaced(run) ? run : undefined;
    };
    // Nobody would take away what is made for a run that has ended meanwhile.
    if (unplaced() === undefined) throw notYet(given);
    const workspace = await open(given);
    await workspace.alone(async () => {
      const run = unplaced();
      if (run === undefined) return;
      const found = (await workspace.sweep()).filter((work) => !isInTrash(state(), run, work));
      const onGivingWay = async (works: readonly Work[]): Promise<void> => {
        const { ok } = await report({ type: "run.place", run: id, works, commit: null, fresh });
        // Nobody has it written down: the daemon is closing, or the run was ended or overtaken meanwhile.
        if (!ok || unplaced()?.incarnation !== incarnation) throw notYet(given);
      };
      if (found.length > 0) await onGivingWay(found);
      const { commit } = await this.#bringInStep(run, workspace, { anew: !fresh, onGivingWay });
      await report({ type: "run.place", run: id, works: [], commit, fresh });
    });
    if (state().runs.get(id)?.placed === "not-yet") throw notYet(given);
    await workspaces.done.unmark(id);
    return workspace;
  }

  async #hasOtherImage(run: Run): Promise<boolean> {
    const folder = (await this.#link.workspaces.folders()).get(run.id) ?? "";
    const choice = (await readPin(agentPinOf(folder)))?.choice ?? null;
    return canonical(choice) !== canonical(imageOf(this.#link.state(), run));
  }

  async #bringInStep(
    run: Run,
    workspace: Workspace,
    how: Pick<RefreshOrder, "anew" | "onGivingWay">,
  ): Promise<Refreshed> {
    const project = this.#projectOf(run);
    const mainline = await this.#link.mainlineOf(run);
    return refreshWorkspace(workspace, mainline, {
      ground: await groundIn(this.#link.state(), mainline, run),
      ...{ coverOf: () => "none", rule: ruleOf(project), scratch: "gives-way", ...how },
      isGivenUp: (work) => isInTrash(this.#link.state(), run, work),
    });
  }

  #projectOf(run: Run): Project {
    const project = this.#link.state().projects.get(run.project);
    if (project === undefined) throw new Fault("not-found", { retry: "never", message: `${run.id} has no project` });
    return project;
  }
}

/** Its bytes are safe. */
function isInTrash(
  state: State,
  { id }: Run,
  { path, work }: { readonly path: string; readonly work: unknown },
): boolean {
  return [...state.trash.values()].some((item) => item.run === id && item.path === path && item.work === work);
}

/** A folder of scratch stands where mainline has a file by now, or a file where it has a folder: that does not pass. */
function isInTheWay(error: unknown): boolean {
  return error instanceof Fault && error.code === "in-the-way";
}

/** Its run was ended, or it was overtaken, or it is to have another one. */
class NotYet extends Fault {}

function notYet({ id }: Run): NotYet {
  return new NotYet("workspace-unavailable", { retry: "later", message: `${id} is not in its workspace` });
}
