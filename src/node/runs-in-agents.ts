// Runs that work in living agents: in the agent's own workspace and cage, beside its services. A run gets the workspace in
// step with mainline and without what others left there; when it is over its processes end, and the agent goes on.

import { Fault } from "../base/fault.ts";
import type { Input } from "../core/inputs.ts";
import { ruleOf } from "../core/project/project.ts";
import { treeOf } from "../core/run/run-tree.ts";
import type { Run } from "../core/run/run-state.ts";
import { isOver } from "../core/run/run-states.ts";
import { isAtHome, type State } from "../core/state.ts";
import { ownerId } from "../core/terminal/windows.ts";
import type { Work } from "../core/workspace/workspace-state.ts";
import type { Mainline } from "../ports/mainline.ts";
import { type HelloAnswer, keeperProtocol } from "../protocol/keeper/keeper-wire.ts";
import type { LivingAgents } from "./agents/living-agents.ts";
import { isOfTheWorld } from "./is-of-the-world.ts";
import type { KeeperLine } from "./workspace/keepers.ts";
import { groundIn } from "./landing/ground-of.ts";
import { type Refreshed, type RefreshOrder, refreshWorkspace } from "./workspace/refresh-workspace.ts";
import type { Workspace } from "./workspace/workspace.ts";
import { stopGraceMs } from "./workspace/workspaces.ts";

export type AgentPlaces = Pick<LivingAgents, "placeFor" | "leavePlace">;

export type RunsInAgentsLink = {
  readonly state: () => State;
  readonly report: (input: Input) => Promise<{ readonly ok: boolean }>;
  readonly agents: () => AgentPlaces;
  readonly mainlineOf: (run: Run) => Promise<Mainline>;
  /** Brings people's commits to mainline. */
  readonly bring: (run: Run) => Promise<void>;
};

export class RunsInAgents {
  readonly #link: RunsInAgentsLink;
  /** Runs whose workspace is just made theirs. */
  readonly #entering = new Map<string, Promise<void>>();

  constructor(link: RunsInAgentsLink) {
    this.#link = link;
  }

  /** The workspace of the agent, which is the run's own from then on. */
  async of(run: Run, agent: string): Promise<Workspace> {
    const over = isOver(run.state);
    if (!over && !isAtHome(this.#link.state(), run)) throw notYet(run);
    const workspace = await this.#link.agents().placeFor(agent, over);
    if (!over && !run.entered) await this.#enterOnce(run, workspace);
    return workspace;
  }

  /** Ends everything of a run that is over, and proves it. Answers what it left in the workspace, its bytes safe. */
  async end(run: Run, agent: string, force: boolean): Promise<Work[]> {
    const workspace = await this.of(run, agent);
    const { keeper } = workspace;
    await endTerminals(this.#link.state(), run, keeper);
    const tree = treeOf(this.#link.state(), run).map(({ id }) => id);
    await endCalls(keeper, tree, force);
    // Whoever never had the workspace has left nothing in it.
    const found = run.entered ? await workspace.alone(() => workspace.sweep()) : [];
    await forgetCalls(workspace, tree);
    await this.#link.agents().leavePlace(agent);
    return found.filter((work) => !this.#isInTrash(run, work));
  }

  /** What the run left is safe by now. It makes room for mainline, unless somebody has the workspace already. */
  async leave(run: Run, agent: string): Promise<void> {
    const isFree = (): boolean => {
      const found = this.#link.state().agents.get(agent);
      return found !== undefined && found.isMade && found.run === null;
    };
    if (!isFree()) return;
    try {
      const workspace = await this.#link.agents().placeFor(agent, true);
      await workspace.alone(async () => {
        // What would have to give way is for whoever enters next: that is where it is written down.
        if (isFree()) await this.#bringInStep(run, workspace, { scratch: "stays" });
      });
    } catch (error) {
      // Whoever enters next does the same.
      if (!(error instanceof Fault) && !isOfTheWorld(error)) throw error;
    }
  }

  #enterOnce(run: Run, workspace: Workspace): Promise<void> {
    const key = `${run.id}.${run.incarnation}`;
    const known = this.#entering.get(key);
    if (known !== undefined) return known;
    const entering = this.#enter(run, workspace).finally(() => this.#entering.delete(key));
    this.#entering.set(key, entering);
    return entering;
  }

  /** What is changed there already is nobody's: it is set aside before the run begins (AG44). */
  async #enter(given: Run, workspace: Workspace): Promise<void> {
    const { id, incarnation } = given;
    const current = (): Run | undefined => this.#link.state().runs.get(id);
    const isEntering = (): boolean => {
      const now = current();
      if (now === undefined || isOver(now.state) || now.incarnation !== incarnation) return false;
      return !now.entered && isAtHome(this.#link.state(), now);
    };
    const run = current();
    if (run !== undefined) await this.#link.bring(run);
    await workspace.alone(async () => {
      if (run === undefined || !isEntering()) return;
      const found = (await workspace.sweep()).filter((work) => !this.#isInTrash(run, work));
      const onGivingWay = async (works: readonly Work[]): Promise<void> => {
        const { ok } = await this.#link.report({ type: "run.enter", run: id, works, commit: null });
        // Nobody has it written down: the daemon is closing, or the run was ended or overtaken meanwhile.
        if (!ok || !isEntering()) throw notYet(given);
      };
      if (found.length > 0) await onGivingWay(found);
      const { commit } = await this.#bringInStep(run, workspace, { scratch: "gives-way", onGivingWay });
      await this.#link.report({ type: "run.enter", run: id, works: [], commit });
    });
    if (current()?.entered !== true) throw notYet(given);
  }

  async #bringInStep(
    run: Run,
    workspace: Workspace,
    how: Pick<RefreshOrder, "scratch" | "onGivingWay">,
  ): Promise<Refreshed> {
    const project = this.#link.state().projects.get(run.project);
    if (project === undefined) throw new Fault("not-found", { retry: "never", message: `${run.id} has no project` });
    const mainline = await this.#link.mainlineOf(run);
    return refreshWorkspace(workspace, mainline, {
      ground: await groundIn(this.#link.state(), mainline, run),
      ...{ coverOf: () => "none", rule: ruleOf(project), ...how, anew: true },
      isGivenUp: (work) => this.#isInTrash(run, work),
    });
  }

  /** Whoever set it aside: its bytes are safe. */
  #isInTrash({ project }: Run, { path, work }: Work): boolean {
    const items = [...this.#link.state().trash.values()];
    return items.some((item) => item.project === project && item.path === path && item.work === work);
  }
}

/** Another run is in its agent, or it was overtaken. */
function notYet({ id }: Run): Fault {
  return new Fault("agent-down", { retry: "later", message: `${id} is not in its agent` });
}

/** Ends the processes of runs, which are in a cage among those of others. */
export async function endCalls(keeper: KeeperLine, runs: readonly string[], force: boolean): Promise<void> {
  const graceMs = force ? 0 : stopGraceMs;
  await Promise.all((await callsOf(keeper, runs)).map((call) => keeper.request({ op: "stop", call, graceMs })));
}

/** Their outcomes are in the log, or are nobody's any more; a keeper that lives for long would remember them all. */
async function forgetCalls(workspace: Workspace, runs: readonly string[]): Promise<void> {
  for (const call of await callsOf(workspace.keeper, runs)) await workspace.forget(call);
}

async function callsOf(keeper: KeeperLine, runs: readonly string[]): Promise<string[]> {
  const { calls } = (await keeper.request({ op: "hello", protocol: keeperProtocol })) as HelloAnswer;
  return calls.filter((call) => runs.some((run) => call.startsWith(`${run}-`)));
}

async function endTerminals({ terminals }: State, run: Run, keeper: KeeperLine): Promise<void> {
  for (const { id, ended, owner } of terminals.values()) {
    if (ownerId(owner) !== run.id || ended !== null) continue;
    await keeper.request({ op: "terminal-close", terminal: id, graceMs: 0 }).catch((error: unknown) => {
      // It never came to be, or has ended.
      if (!(error instanceof Fault) || error.code !== "unknown-call") throw error;
    });
  }
}
