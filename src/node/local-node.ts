// The node in the daemon's own process. It hears what becomes durable, keeps a driver for every run that should have one,
// does the engine's acts, and gives signs of life for the leases of its runs.

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../base/fault.ts";
import type { Act } from "../core/acts.ts";
import type { Logged } from "../core/events.ts";
import type { Input } from "../core/inputs.ts";
import { FenceGuard } from "../core/lease/fence-guard.ts";
import { parseUnit, type UnitRule } from "../core/lease/unit.ts";
import { actName, type Run } from "../core/run/run-state.ts";
import { isDriven, isOver } from "../core/run/run-states.ts";
import type { State } from "../core/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { NodeLink } from "../ports/node-link.ts";
import type { Runner } from "../ports/runner.ts";
import type { EngineLine, LineOutcome } from "./engine-line.ts";
import { isErrno } from "./errno.ts";
import { RunDriver } from "./run-driver.ts";
import { endCommands, runCommand } from "./supervisor/command.ts";
import { Tools, type FencedAct } from "./tool-host/tools.ts";
import { ScratchFolder } from "./workspace/scratch-folder.ts";

export type LocalNodeOptions = {
  readonly name: string;
  /** Where scratch folders and the traces of calls live. */
  readonly folder: string;
  readonly runners: ReadonlyMap<string, Runner>;
  readonly clock: Clock;
  readonly readScript: (name: string) => Promise<string>;
  readonly env: Readonly<Record<string, string>>;
  /** Something went wrong that no run can be told of. */
  readonly onDefect: (error: unknown) => void;
};

const beatEveryMs = 5000;
const retryActMs = 5000;
/** For a project that the table does not know. */
const plainRule: UnitRule = { foldCase: false, ownProcesses: new Set() };

export class LocalNode implements NodeLink {
  readonly #options: LocalNodeOptions;
  readonly #guards = new Map<string, FenceGuard>();
  readonly #drivers = new Map<string, RunDriver>();
  /** Runs of this node that have started and are not over: it gives signs of life for their leases. */
  readonly #lives = new Set<string>();
  readonly #acts = new Set<string>();
  readonly #connected = Promise.withResolvers<void>();
  readonly #closing = new AbortController();
  #line: EngineLine | undefined;
  #state: () => State = notConnected;
  #cancelBeat: (() => void) | undefined;

  constructor(options: LocalNodeOptions) {
    this.#options = options;
  }

  /** Connects the node to its engine. Acts that came before, while the engine opened, begin now. */
  connect(line: EngineLine, state: () => State): void {
    this.#line = line;
    this.#state = state;
    for (const run of state().runs.values()) this.#noteLife(run);
    void this.#forgetOthers();
    this.#connected.resolve();
    this.#beatLater();
  }

  prime(state: State): void {
    this.#state = () => state;
    const held = new Set<number>();
    for (const family of state.table.families.values()) {
      const guard = this.#guardOf(family.project);
      if (family.life === "over") guard.ended(family.id);
      for (const lease of family.leases.values()) {
        const seen = { unit: lease.unit, family: family.id, fence: lease.fence };
        guard.granted(seen, { mayAct: family.kind === "run" });
        held.add(lease.fence);
      }
    }
    for (const guard of this.#guards.values()) guard.primed(state.table.nextFence, held);
  }

  hear(events: readonly Logged[]): void {
    for (const event of events) {
      if (event.type === "lease.granted") this.#hearGrant(event);
      else if (event.type === "lease.released" || event.type === "lease.yielded")
        this.#hearGivenBack(event.family, event.units);
      else if (event.type === "lease.shrunk") this.#hearGivenBack(event.family, event.gone);
      else if (event.type === "family.ended") this.#guardOfFamily(event.family)?.ended(event.family);
      if (!("run" in event) || typeof event.run !== "string") continue;
      if (event.type === "run.moved") this.#noteLife(this.#state().runs.get(event.run));
      if (event.type === "run.removed") void this.#forget(event.run);
      this.#drivers.get(event.run)?.hear(event);
    }
  }

  perform(act: Act): void {
    if (act.node !== this.#options.name || this.#closing.signal.aborted) return;
    // The same act may be asked for again while it is under way; once done, doing it again is harmless.
    if (this.#acts.has(act.id)) return;
    this.#acts.add(act.id);
    void this.#doSurely(act)
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#options.onDefect(error);
      })
      .finally(() => this.#acts.delete(act.id));
  }

  /** Lets go of everything without ending it: commands go on, and the next daemon finds them. */
  close(): void {
    this.#closing.abort();
    this.#cancelBeat?.();
    for (const driver of this.#drivers.values()) driver.abandon();
  }

  /** Does an act, and tries again while the world is in the way: nobody else would ever do it. */
  async #doSurely(act: Act): Promise<void> {
    await this.#connected.promise;
    const { signal } = this.#closing;
    for (;;) {
      try {
        return await this.#do(act);
      } catch (error) {
        if (!isOfTheWorld(error)) throw error;
        await this.#mustLine().sleep(retryActMs, signal);
        if (signal.aborted) return;
      }
    }
  }

  async #do(act: Act): Promise<void> {
    switch (act.type) {
      case "drive":
        return this.#drive(act.run, act.family);
      case "refresh":
        return this.#refresh(act);
      case "validate":
        return this.#validate(act);
      case "land":
        await this.#report({ type: "run.landed", run: act.run, ok: true, message: "", act: act.id });
        return;
      case "stop":
        return this.#stop(act);
    }
  }

  async #drive(id: string, family: string): Promise<void> {
    const run = this.#runToDrive(id, family);
    if (run === undefined) return;
    const runner = this.#options.runners.get(run.runner);
    if (runner === undefined) {
      const names = [...this.#options.runners.keys()].join(", ");
      return this.#fail(run, `there is no runner "${run.runner}" on this node; it has: ${names}`);
    }
    const script = await this.#scriptOf(run);
    if (script instanceof Fault) return this.#fail(run, `its script cannot be read: ${script.message}`);
    const scratch = await this.#scratchOf(run.project);
    const resumed = run.state !== "starting" || run.incarnation > 1;
    const driven = await this.#report({ type: "run.driven", run: id, family });
    // With the answer everything before it is durable and heard; whatever comes later, the driver hears itself.
    const now = this.#runToDrive(id, family);
    if (!driven.ok || now === undefined || this.#closing.signal.aborted) return;
    this.#drivers.get(id)?.abandon();
    const driver = new RunDriver({
      runner,
      run: now,
      resumed,
      line: this.#mustLine(),
      tools: this.#toolsFor(now, scratch),
      rule: () => this.#ruleOf(run.project),
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

  /** The run, if it should have a driver for this family and has none. */
  #runToDrive(id: string, family: string): Run | undefined {
    const run = this.#state().runs.get(id);
    const known = this.#drivers.get(id);
    if (run === undefined || !isDriven(run.state) || run.family !== family || run.lost) return undefined;
    return known !== undefined && known.family === family && !known.over ? undefined : run;
  }

  async #scriptOf(run: Run): Promise<string | null | Fault> {
    if (run.script === null) return null;
    return this.#options.readScript(run.script).catch((error: unknown) => {
      if (error instanceof Fault && error.retry === "never") return error;
      throw error;
    });
  }

  async #fail(run: Run, message: string): Promise<void> {
    await this.#report({ type: "run.finish", run: run.id, family: run.family, ok: false, message });
  }

  async #refresh(act: Extract<Act, { type: "refresh" }>): Promise<void> {
    const scratch = await this.#scratchOf(act.project);
    const bases: Record<string, string | null> = {};
    for (const text of act.units) {
      if (text.startsWith("file:")) bases[text] = await baseOf(scratch, text.slice("file:".length));
    }
    await this.#report({ type: "lease.refreshed", claim: act.claim, bases });
  }

  async #validate(act: Extract<Act, { type: "validate" }>): Promise<void> {
    const run = this.#state().runs.get(act.run);
    if (run === undefined) return;
    const scratch = await this.#scratchOf(run.project);
    const name = `validate-${run.sinceSeq}`;
    const folder = join(this.#callsFolder(act.run), name);
    const overtaken = new Fault("wrong-state", { retry: "never", message: `${act.run} is not validated any more` });
    const mayStart = (): void => {
      const now = this.#state().runs.get(act.run);
      if (now === undefined || actName(now) !== act.id) throw overtaken;
    };
    const order = { folder, argv: act.argv, cwd: scratch.root, env: this.#options.env, mayStart };
    const end = await runCommand(order, this.#closing.signal).catch((error: unknown) => {
      if (error !== overtaken) throw error;
    });
    if (end === undefined) return;
    const { exit, tail: summary } = end;
    const message = exit === 0 ? "" : `the acceptance command ended with ${exit}`;
    const tested = { exit, summary, output: `${act.run}/${name}/output` };
    await this.#report({ type: "run.validated", run: act.run, ok: exit === 0, message, act: act.id, tested });
  }

  /** Ends everything of a run, proves it, and only then says so. */
  async #stop(act: Extract<Act, { type: "stop" }>): Promise<void> {
    this.#drivers.get(act.run)?.abandon();
    this.#drivers.delete(act.run);
    await endCommands(await this.#commandsOf(act.run), { force: act.force });
    await this.#report({ type: "run.stopped", run: act.run, act: act.id });
  }

  async #report(input: Input): Promise<LineOutcome> {
    return this.#mustLine().submit({ actor: "system", input }, this.#closing.signal);
  }

  #hearGrant(event: Extract<Logged, { type: "lease.granted" }>): void {
    const { project, family } = event;
    const guard = this.#guardOf(project);
    const rule = this.#ruleOf(project);
    const mayAct = this.#guardOfFamily(family) !== undefined;
    event.units.forEach((text, at) => {
      const unit = parseUnit(text, rule, family);
      if (unit.ok) guard.granted({ unit: unit.value, family, fence: event.fences[at] ?? 0 }, { mayAct });
    });
  }

  #hearGivenBack(id: string, units: readonly string[]): void {
    const family = this.#state().table.families.get(id);
    const guard = this.#guardOfFamily(id);
    if (family === undefined || guard === undefined) return;
    for (const text of units) {
      const unit = parseUnit(text, this.#ruleOf(family.project), id);
      if (unit.ok) guard.givenBack({ family: id, unit: unit.value });
    }
  }

  /** The guard that has to know what becomes of a run's leases. People outside never act here, so they are not noted. */
  #guardOfFamily(id: string): FenceGuard | undefined {
    const family = this.#state().table.families.get(id);
    return family?.kind === "run" ? this.#guardOf(family.project) : undefined;
  }

  #noteLife(run: Run | undefined): void {
    if (run === undefined || run.node !== this.#options.name) return;
    if (run.startedAtMs === null || isOver(run.state)) this.#lives.delete(run.id);
    else this.#lives.add(run.id);
  }

  #beatLater(): void {
    this.#cancelBeat = this.#options.clock.setTimer(beatEveryMs, () => {
      void this.#beat()
        .catch((error: unknown) => {
          if (!this.#closing.signal.aborted && !isOfTheWorld(error)) this.#options.onDefect(error);
        })
        .finally(() => {
          if (!this.#closing.signal.aborted) this.#beatLater();
        });
    });
  }

  /** One sign of life for all runs of this node. Whoever has expired meanwhile comes back as a new family. */
  async #beat(): Promise<void> {
    const runs = [...this.#lives].map((id) => this.#state().runs.get(id)).filter((run) => run !== undefined);
    const families = [...new Set(runs.map((run) => run.family))];
    if (families.length === 0) return;
    const outcome = await this.#report({ type: "node.beat", node: this.#options.name, families });
    if (!outcome.ok || outcome.value.of !== "beat") return;
    const expired = new Set(outcome.value.expired);
    for (const run of runs)
      if (!run.sub && expired.has(run.family)) await this.#report({ type: "run.back", run: run.id });
  }

  #toolsFor(run: Run, scratch: ScratchFolder): Tools {
    const { project } = run;
    return new Tools({
      run: run.id,
      scratch,
      callsFolder: this.#callsFolder(run.id),
      check: (act) => this.#check(project, act),
      processes: () => this.#state().projects.get(project)?.processes ?? {},
      env: this.#options.env,
    });
  }

  #check(project: string, act: FencedAct): ReturnType<FenceGuard["check"]> {
    const unit = parseUnit(act.unit, this.#ruleOf(project), act.family);
    if (!unit.ok) return "stale-fence";
    return this.#guardOf(project).check({ family: act.family, fence: act.fence, unit: unit.value });
  }

  async #scratchOf(project: string): Promise<ScratchFolder> {
    const scratch = new ScratchFolder(join(this.#options.folder, "scratch", project));
    await scratch.prepare();
    return scratch;
  }

  #guardOf(project: string): FenceGuard {
    const guard = this.#guards.get(project) ?? new FenceGuard();
    this.#guards.set(project, guard);
    return guard;
  }

  /** The very rule that the table has: what was read under it is remembered. */
  #ruleOf(project: string): UnitRule {
    return this.#state().table.projects.get(project)?.rule ?? plainRule;
  }

  #mustLine(): EngineLine {
    return this.#line ?? notConnected();
  }

  #callsFolder(run: string): string {
    return join(this.#options.folder, "calls", run);
  }

  /** Takes away what the calls of a removed run left. Nobody asks for it any more; what stays is found at the next start. */
  async #forget(run: string): Promise<void> {
    await rm(this.#callsFolder(run), { recursive: true, force: true }).catch(() => undefined);
  }

  async #forgetOthers(): Promise<void> {
    const names = await readdir(join(this.#options.folder, "calls")).catch(() => []);
    for (const name of names) if (/^r_[0-9a-z]+$/.test(name) && !this.#state().runs.has(name)) await this.#forget(name);
  }

  /** The folders of everything that was ever started for the run. */
  async #commandsOf(run: string): Promise<string[]> {
    const folder = this.#callsFolder(run);
    const names = await readdir(folder).catch((error: unknown) => {
      if (!isErrno(error, "ENOENT")) throw error;
      return [];
    });
    return names.map((name) => join(folder, name));
  }
}

/** What stands at a path, null where nothing does that could be built on. */
async function baseOf(scratch: ScratchFolder, path: string): Promise<string | null> {
  return scratch.hash(path).catch((error: unknown) => {
    if (error instanceof Fault && error.retry === "never") return null;
    throw error;
  });
}

/** A full disk, a missing folder: not our mistake, and it may pass. */
function isOfTheWorld(error: unknown): boolean {
  return error instanceof Fault ? error.retry !== "never" : error instanceof Error && "syscall" in error;
}

function notConnected(): never {
  throw new Error("the node is not connected");
}
