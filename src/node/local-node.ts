// The node in the daemon's own process. It hears what becomes durable, keeps a driver for every run that should have one,
// does the engine's acts, and gives signs of life for the leases of its runs.

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { mustGet } from "../base/assert.ts";
import { Fault } from "../base/fault.ts";
import type { Act } from "../core/acts.ts";
import { agentOf } from "../core/agent/agent-state.ts";
import type { Logged } from "../core/events.ts";
import type { Input } from "../core/inputs.ts";
import type { Entry } from "../core/landing/entry.ts";
import type { Run } from "../core/run/run-state.ts";
import { isDriven, isOver } from "../core/run/run-states.ts";
import { agentInTheWay, livesIn, policiesOf, rootOf, runOf, type State } from "../core/state.ts";
import { scopeFor } from "../core/task/scope.ts";
import type { TerminalOwner } from "../core/terminal/terminal-events.ts";
import type { Clock } from "../ports/clock.ts";
import type { NodeLink } from "../ports/node-link.ts";
import type { Beside, Runner } from "../ports/runner.ts";
import { LivingAgents, type LivingAgentsOptions } from "./agents/living-agents.ts";
import { MadeValues } from "./agents/made-values.ts";
import { carriedIn } from "./cover-in.ts";
import { doerOf } from "./doer-of.ts";
import { Endings } from "./endings.ts";
import type { EngineLine, LineOutcome } from "./engine-line.ts";
import { openDerivedWays } from "./egress/open-ways.ts";
import { Lander } from "./landing/lander.ts";
import { PublishAgain } from "./landing/publish-again.ts";
import { tryCandidate } from "./landing/try-candidate.ts";
import { Halts } from "./halts.ts";
import { HeldUpActs } from "./held-up-acts.ts";
import { givenUp, isEnough } from "./give-up.ts";
import { isOfTheWorld } from "./is-of-the-world.ts";
import { NodeGuards, ruleIn } from "./node-guards.ts";
import { layOut, type Materials, scriptOf } from "./run-materials.ts";
import { limitsOf, RunPlaces, type RunPlacesOptions } from "./run-places.ts";
import { RunDriver } from "./run-driver.ts";
import { besideOf, type HandsGround, toolsFor } from "./run-hands.ts";
import { SignsOfLife } from "./signs-of-life.ts";
import type { UseHistory } from "./usage/use-history.ts";
import type { Terminals } from "./terminals/terminals.ts";
import { type ValidateGround, validateRun } from "./validate-run.ts";
import type { KeeperLine } from "./workspace/keepers.ts";
import { refreshGrant } from "./workspace/refresh-grant.ts";
import { rewindRun } from "./workspace/rewind-run.ts";
import type { WorkspaceGround } from "./workspace/workspace-ground.ts";

export type LocalNodeOptions = RunPlacesOptions &
  Materials &
  Pick<LivingAgentsOptions, "secrets" | "systems" | "joinsFolder"> & {
    readonly name: string;
    /** Where the traces of calls live. */
    readonly folder: string;
    readonly runners: Pick<ReadonlyMap<string, Runner>, "get" | "keys">;
    readonly clock: Clock;
    /** Why a runner cannot work here; null when it can. Left out: every one that there is can. */
    readonly missing?: (runner: string) => Promise<string | null>;
    /** Notes what is seen of living agents. */
    readonly seen?: UseHistory;
    /** Where this node has terminals. */
    readonly terminals?: Terminals;
    /** Something went wrong that no run can be told of. */
    readonly onDefect: (error: unknown) => void;
  };

const retryActMs = 5000;

export class LocalNode implements NodeLink {
  readonly #options: LocalNodeOptions;
  readonly #guards = new NodeGuards();
  readonly #lander: Lander;
  readonly #publishAgain: PublishAgain;
  readonly #places: RunPlaces;
  /** What can be made again of places that nobody works in (MT6, MT7). */
  readonly spares: Pick<RunPlaces, "prunePlaces" | "pruneScratch">;
  readonly agents: LivingAgents;
  readonly heldUp = new HeldUpActs();
  readonly #ground: WorkspaceGround = {
    state: () => this.#state(),
    report: (input) => this.#report(input),
    workspaceOf: (run) => this.#places.of(run),
    mainlineOf: (run) => this.#places.mainlineOf(run),
  };
  readonly #validateGround: ValidateGround;
  readonly #halts = new Halts({
    state: () => this.#state(),
    // Beside services nothing is halted: they would be with it (AG50).
    keeperOf: async (run) =>
      run.agent === null && (await this.#places.has(run)) ? (await this.#places.of(run)).keeper : undefined,
    sleep: (ms, signal) => this.#mustLine().sleep(ms, signal),
  });
  readonly #hands: HandsGround;
  readonly #drivers = new Map<string, RunDriver>();
  readonly #lives: SignsOfLife;
  readonly #acts = new Set<string>();
  /** Grants that are being made ready: their workspace moves, so no command begins in it meanwhile (LD7). */
  readonly #refreshes = new Map<string, { readonly family: string; readonly done: Promise<void> }>();
  /** Runs that are being stopped: whoever continues one waits until nothing of its earlier life is left. */
  readonly #stopping = new Map<string, Promise<void>>();
  readonly endings = new Endings();
  readonly #connected = Promise.withResolvers<void>();
  readonly #closing = new AbortController();
  #line: EngineLine | undefined;
  #state: () => State = notConnected;

  constructor(options: LocalNodeOptions) {
    this.#options = options;
    this.#places = new RunPlaces(options, {
      state: () => this.#state(),
      report: (input) => this.#report(input),
      stopped: async (run) => this.#stopping.get(run)?.catch(() => undefined),
      bring: (project) => this.#lander.bring(project),
      agents: () => this.agents,
    });
    this.spares = this.#places;
    this.#lives = new SignsOfLife({
      ...{ node: options.name, clock: options.clock },
      state: () => this.#state(),
      report: (input) => this.#report(input),
      onFailed: (error) => {
        if (!this.#closing.signal.aborted && !isOfTheWorld(error)) options.onDefect(error);
      },
    });
    const values = new MadeValues(join(options.folder, "made-values"));
    this.agents = new LivingAgents(
      {
        ...options,
        ...{ values, callsFolder: join(options.folder, "calls") },
        runnersHere: {
          has: (name) => options.runners.get(name) !== undefined,
          missing: options.missing ?? (() => Promise.resolve(null)),
        },
      },
      {
        state: () => this.#state(),
        report: (input) => this.#report(input),
        bring: (project) => this.#lander.bring(project),
        nowMs: () => this.#mustLine().nowMs(),
        sleep: (ms, signal) => this.#mustLine().sleep(ms, signal),
        closing: this.#closing.signal,
        onDefect: options.onDefect,
      },
    );
    this.#hands = {
      ...{ state: () => this.#state(), guards: this.#guards, places: this.#places, agents: this.agents },
      callsFolder: (run) => this.#callsFolder(run),
      inStep: (run) => this.#inStep(run),
    };
    this.#validateGround = {
      ...this.#ground,
      envOf: async (run) => (await besideOf(this.#hands, run)).env,
      callsFolder: (run) => this.#callsFolder(run),
      closing: this.#closing.signal,
    };
    this.#lander = new Lander({
      state: () => this.#state(),
      report: (input) => this.#report(input),
      mainlineOf: (project) => options.workspaces.mainlineOf(project),
      test: (tried, project, commit, unwanted) => {
        const { id: run } = tried;
        const send = async (input: Input): Promise<boolean> => (await this.#report(input)).ok;
        const of = {
          ...{ run, folder: this.#callsFolder(run), limits: limitsOf(policiesOf(this.#state(), tried)) },
          open: (name: string) => openDerivedWays(options.ways, () => this.#state(), { run, name }, send),
          shut: (name: string) => options.ways.end(name),
          own: this.#places.dependenciesOf(tried),
        };
        return tryCandidate(options.workspaces, { project, commit }, of, { closing: this.#closing.signal, unwanted });
      },
      noteLanded: (run, entries) => this.#noteLanded(run, entries),
      wallMs: () => options.clock.wallMs(),
    });
    this.#publishAgain = new PublishAgain({
      state: () => this.#state(),
      clock: options.clock,
      look: (project) => this.#lander.look(project),
      onDefect: (error) => {
        if (!this.#closing.signal.aborted && !isOfTheWorld(error)) options.onDefect(error);
      },
    });
  }

  /** Connects the node to its engine. Acts that came before, while the engine opened, begin now. */
  connect(line: EngineLine, state: () => State): void {
    this.#line = line;
    this.#state = state;
    for (const run of state().runs.values()) this.#lives.note(run);
    const { signal: closing } = this.#closing;
    const submit = (actor: string, input: Input): Promise<LineOutcome> => line.submit({ actor, input }, closing);
    this.#options.terminals?.connect({
      ...{ state, submit, closing },
      envOf: (owner) => this.#envOf(owner),
      keeperOf: async (owner) =>
        "run" in owner ? this.keeperOf(owner.run) : (await this.agents.standing(owner.agent)).keeper,
    });
    this.#publishAgain.begin();
    // What is left of an earlier life goes first: an act of this one may want its place.
    void this.#forgetOthers()
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted && !isOfTheWorld(error)) this.#options.onDefect(error);
      })
      .finally(() => {
        this.#halts.begin(this.#lives.living());
        this.#connected.resolve();
      });
    this.#lives.begin();
  }

  /** Looks at the person's side of a project, so that what is told of it is so. */
  async look(id: string): Promise<void> {
    const project = this.#state().projects.get(id);
    if (project !== undefined && !project.removed && !this.#closing.signal.aborted) await this.#lander.look(project);
  }

  /** The keeper of a run's agent, and where it sees the project. */
  async placeOf(id: string): Promise<{ readonly keeper: KeeperLine; readonly root: string; readonly agent: string }> {
    const run = runOf(this.#state(), id);
    const { root } = this.#places.projectOf(run);
    return { keeper: await this.keeperOf(id), root, agent: livesIn(this.#state(), run) };
  }

  /** The keeper of a run's agent. */
  async keeperOf(id: string): Promise<KeeperLine> {
    return (await this.#places.of(runOf(this.#state(), id))).keeper;
  }

  prime(state: State): void {
    this.#state = () => state;
    this.#guards.prime(state);
  }

  hear(events: readonly Logged[]): void {
    for (const event of events) {
      this.#guards.hear(event, this.#state());
      this.#publishAgain.hear(event);
      this.#options.terminals?.hear(event);
      if (event.type === "agent.moved" && event.to === "stopping") this.#abandonIn(event.agent);
      if (event.type === "project.removed" || event.type === "task.cancelled") void this.#places.thinSoon();
      if (!("run" in event) || typeof event.run !== "string") continue;
      if (event.type === "run.moved") this.#noteMove(event.run);
      if (event.type === "run.moved" && event.from === "landing") this.#lander.leave(event.run);
      if (event.type === "run.removed") void this.#forget(event.run);
      this.#drivers.get(doerOf(event, this.#state(), this.#drivers) ?? event.run)?.hear(event);
    }
  }

  perform(act: Act): void {
    if (act.node !== this.#options.name || this.#closing.signal.aborted) return;
    // The same act may be asked for again while it is under way; once done, doing it again is harmless.
    if (this.#acts.has(act.id)) return;
    this.#acts.add(act.id);
    const done = this.#doSurely(act)
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#options.onDefect(error);
      })
      .finally(() => {
        this.#acts.delete(act.id);
        this.heldUp.over(act.id);
        this.#refreshes.delete(act.id);
      });
    if (act.type === "refresh") this.#refreshes.set(act.id, { family: act.family, done });
    if (act.type === "stop" || act.type === "unmake") this.endings.note("agent" in act ? act.agent : act.run, done);
  }

  /** Lets go of everything without ending it: commands go on, and the next daemon finds them. */
  close(): void {
    this.#closing.abort();
    this.#lives.close();
    this.#halts.close();
    this.#publishAgain.close();
    for (const driver of this.#drivers.values()) driver.abandon();
  }

  /** Does an act, and tries again while the world is in the way: nobody else would ever do it. */
  async #doSurely(act: Act): Promise<void> {
    await this.#connected.promise;
    const { signal } = this.#closing;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#do(act);
      } catch (error) {
        if (isEnough(this.#state(), act, { tries, error }) && (await this.#giveUp(act, error))) return;
        // Whatever else the world refuses, somebody may change that; only a mistake of ours is none.
        if (!(error instanceof Fault) && !isOfTheWorld(error)) throw error;
        this.heldUp.note(this.#state(), act, { tries, error, nowMs: this.#mustLine().nowMs() });
        await this.#mustLine().sleep(retryActMs, signal);
        if (signal.aborted) return;
      }
    }
  }

  /** Its run hears that it will never be done. Says whether somebody did. */
  async #giveUp(act: Act, error: unknown): Promise<boolean> {
    const input = givenUp(this.#state(), act, error);
    if (input !== undefined) await this.#report(input);
    return input !== undefined;
  }

  async #do(act: Act): Promise<void> {
    if ("agent" in act) return this.agents.do(act);
    switch (act.type) {
      case "drive":
        return this.#drive(act.run, act.family);
      case "refresh":
        return refreshGrant(this.#ground, act);
      case "validate":
        return validateRun(this.#validateGround, act);
      case "land":
        return this.#lander.land(act);
      case "rewind":
        return rewindRun(this.#ground, act);
      case "terminal":
        return this.#options.terminals?.keep(act);
      case "hang-up":
        return this.#options.terminals?.hangUp(act.terminal);
      case "stop":
        return this.#stop(act);
    }
  }

  async #drive(id: string, family: string): Promise<void> {
    await this.#stopping.get(id)?.catch(() => undefined);
    const run = this.#runToDrive(id, family);
    if (run === undefined) return;
    const runner = this.#options.runners.get(run.runner);
    if (runner === undefined) {
      const names = [...this.#options.runners.keys()].join(", ");
      return this.#fail(run, `there is no runner "${run.runner}" on this node; it has: ${names}`);
    }
    const script = await scriptOf(this.#options, run.script);
    if (script instanceof Fault) return this.#fail(run, `its script cannot be read: ${script.message}`);
    // Whoever was ended meanwhile gets no workspace any more.
    if (this.#runToDrive(id, family) === undefined || this.#closing.signal.aborted) return;
    const workspace = await this.#places.of(run);
    const resumed = run.state !== "starting" || run.incarnation > 1;
    const beside = await besideOf(this.#hands, run);
    const tools = toolsFor(this.#hands, run, workspace, beside);
    // It may have been ended and removed while its workspace was made, and its task with it.
    const { attachments } = this.#state().tasks.get(run.task) ?? { attachments: [] };
    const laying = layOut(this.#options, tools.artifacts, attachments);
    const [unread, resultCalls] = await Promise.all([laying, tools.resultCalls()]);
    if (unread !== undefined)
      return this.#fail(run, `what comes along with its task cannot be read: ${unread.message}`);
    const driven = await this.#report({ type: "run.driven", run: id, family });
    // With the answer everything before it is durable and heard; whatever comes later, the driver hears itself.
    const now = this.#runToDrive(id, family);
    if (!driven.ok || now === undefined || this.#closing.signal.aborted) return;
    this.#drivers.get(id)?.abandon();
    const driver = new RunDriver({
      runner,
      run: now,
      task: mustGet(this.#state().tasks, now.task, "task"),
      scope: scopeFor(this.#state(), now),
      resumed,
      line: this.#mustLine(),
      tools,
      resultCalls,
      beside,
      rule: () => ruleIn(this.#state(), run.project),
      carried: () => carriedIn(this.#state(), id),
      script,
      onDefect: this.#options.onDefect,
    });
    this.#drivers.set(id, driver);
    void driver.drive().then(() => this.#driveAgain(driver));
  }

  /** The run may have been sent back before its driver was gone; then nobody else would take it up. */
  #driveAgain(driver: RunDriver): void {
    const { run, family } = driver;
    if (this.#drivers.get(run) !== driver || this.#runToDrive(run, family) === undefined) return;
    this.perform({ type: "drive", id: `drive-again:${run}:${family}`, run, family, node: this.#options.name });
  }

  /** What they work with goes with their agent; when it is back, they are driven anew. */
  #abandonIn(agent: string): void {
    const state = this.#state();
    for (const [id, driver] of this.#drivers) {
      const run = state.runs.get(id);
      if (run === undefined || livesIn(state, run) !== agent) continue;
      driver.abandon();
      this.#drivers.delete(id);
    }
  }

  /** The run, if it should have a driver for this family and has none. */
  #runToDrive(id: string, family: string): Run | undefined {
    const run = this.#state().runs.get(id);
    const known = this.#drivers.get(id);
    if (run === undefined || !isDriven(run.state) || run.family !== family || run.lost) return undefined;
    // When its agent is back the run goes on, and is driven again.
    if (run.delay !== null || agentInTheWay(this.#state(), id) !== undefined) return undefined;
    return known !== undefined && known.family === family && !known.over ? undefined : run;
  }

  /** What is seen in a terminal beside what everything in the cage sees. */
  async #envOf(owner: TerminalOwner): Promise<Beside["env"]> {
    if ("run" in owner) return (await besideOf(this.#hands, runOf(this.#state(), owner.run))).env;
    return this.agents.envOf(agentOf(this.#state(), owner.agent));
  }

  async #fail(run: Run, message: string): Promise<void> {
    await this.#report({ type: "run.finish", run: run.id, family: run.family, ok: false, message });
  }

  #stop(act: Extract<Act, { type: "stop" }>): Promise<void> {
    const stopping = this.#stopAll(act).finally(() => {
      if (this.#stopping.get(act.run) === stopping) this.#stopping.delete(act.run);
    });
    this.#stopping.set(act.run, stopping);
    return stopping;
  }

  /** Ends everything of a run, proves it, keeps what it had not reported, and only then says so. */
  async #stopAll(act: Extract<Act, { type: "stop" }>): Promise<void> {
    this.#drivers.get(act.run)?.abandon();
    this.#drivers.delete(act.run);
    const run = this.#state().runs.get(act.run);
    if (run?.sub === true) return this.#stopSub(act, run);
    const isHere = run !== undefined && (await this.#places.has(run));
    const works = isHere ? await this.#places.end(run, act.force) : [];
    // What passed is in the log before its run is forgotten.
    await this.#places.shutWays(act.run);
    await this.#report({ type: "run.stopped", run: act.run, act: act.id, works });
    if (isHere) await this.#places.leave(run);
  }

  /** What a sub-run changed is its root's: it is looked at once its processes are gone. */
  async #stopSub(act: Extract<Act, { type: "stop" }>, run: Run): Promise<void> {
    const stopped = { type: "run.stopped", run: act.run, act: act.id } as const;
    const isHere = await this.#places.has(run);
    const root = rootOf(this.#state(), run);
    // Where that is over, too, it ends everything in their place, looks at it, and takes it away.
    if (isOver(root.state)) await this.#stopping.get(root.id)?.catch(() => undefined);
    if (!isHere || rootOf(this.#state(), run).stopped) {
      await this.#report({ ...stopped, works: [] });
      return;
    }
    const workspace = await this.#places.endSub(run, act.force);
    await workspace.alone(async () => {
      const works = await workspace.sweep();
      const inSubmodules = [...(await workspace.submodulesOf(works.map(({ path }) => path))).keys()];
      await this.#report({ ...stopped, works, swept: await workspace.sizesOf(works), inSubmodules });
    });
  }

  async #noteLanded(run: Run, entries: ReadonlyMap<string, Entry>): Promise<void> {
    if (!(await this.#places.has(run))) return;
    const workspace = await this.#places.of(run);
    await workspace.alone(() => workspace.noteLanded(entries));
  }

  async #report(input: Input): Promise<LineOutcome> {
    return this.#mustLine().submit({ actor: "system", input }, this.#closing.signal);
  }

  #noteMove(id: string): void {
    const run = this.#state().runs.get(id);
    if (run?.node !== this.#options.name) return;
    this.#lives.note(run);
    this.#halts.note(run);
    this.#options.ways.recheckFaces(livesIn(this.#state(), run));
  }

  /** Resolves when nothing is about to move in the run's workspace. */
  async #inStep(id: string): Promise<void> {
    const family = this.#state().runs.get(id)?.family;
    const moving = [...this.#refreshes.values()].filter((each) => each.family === family);
    await Promise.all(moving.map(({ done }) => done));
  }

  #mustLine(): EngineLine {
    return this.#line ?? notConnected();
  }

  #callsFolder(run: string): string {
    return join(this.#options.folder, "calls", run);
  }

  /** Takes away what the calls of a removed run left. Nobody asks for it any more; what stays is found at the next start. */
  async #forget(run: string): Promise<void> {
    await this.#places.forget(run).catch(() => undefined);
    await rm(this.#callsFolder(run), { recursive: true, force: true }).catch(() => undefined);
    await this.#options.terminals?.forget().catch(() => undefined);
  }

  /** Takes away what a daemon that died had no time for: of runs that are removed or stopped, and of candidates. */
  async #forgetOthers(): Promise<void> {
    const names = await readdir(join(this.#options.folder, "calls")).catch(() => []);
    const { runs, agents } = this.#state();
    for (const name of names)
      if (/^[ra]_[0-9a-z]+$/.test(name) && !runs.has(name) && !agents.has(name)) await this.#forget(name);
    await this.#places.clear();
  }
}

function notConnected(): never {
  throw new Error("the node is not connected");
}
