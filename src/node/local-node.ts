// The node in the daemon's own process. It hears what becomes durable, keeps a driver for every run that should have one,
// does the engine's acts, and gives signs of life for the leases of its runs.

import { join } from "node:path";
import type { Act } from "../core/acts.ts";
import type { Logged } from "../core/events.ts";
import { FenceGuard } from "../core/lease/fence-guard.ts";
import { parseUnit, type UnitRule } from "../core/lease/unit.ts";
import { ruleOf } from "../core/project/project.ts";
import { isOver } from "../core/run/run-states.ts";
import type { State } from "../core/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { NodeLink } from "../ports/node-link.ts";
import type { Runner } from "../ports/runner.ts";
import { RunDriver } from "./run-driver.ts";
import type { EngineLine } from "./engine-line.ts";
import { endCommand, runCommand } from "./supervisor/command.ts";
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

export class LocalNode implements NodeLink {
  readonly #options: LocalNodeOptions;
  readonly #guards = new Map<string, FenceGuard>();
  readonly #drivers = new Map<string, RunDriver>();
  readonly #acts = new Set<string>();
  readonly #connected = Promise.withResolvers<void>();
  #line: EngineLine | undefined;
  #state: State | undefined;
  #cancelBeat: (() => void) | undefined;
  #closed = false;

  constructor(options: LocalNodeOptions) {
    this.#options = options;
  }

  /** Connects the node to its engine. Acts that came before, while the engine opened, begin now. */
  connect(line: EngineLine, state: () => State): void {
    this.#line = line;
    this.#stateNow = state;
    this.#connected.resolve();
    this.#beatLater();
  }

  #stateNow: () => State = () => {
    throw new Error("the node is not connected");
  };

  prime(state: State): void {
    this.#state = state;
    for (const family of state.table.families.values()) {
      for (const lease of family.leases.values()) {
        this.#guardOf(family.project).granted({ unit: lease.unit, family: family.id, fence: lease.fence });
      }
    }
  }

  hear(events: readonly Logged[]): void {
    for (const event of events) {
      if (event.type === "lease.granted") this.#hearGrant(event);
      else if (event.type === "family.ended") for (const guard of this.#guards.values()) guard.ended(event.family);
      if ("run" in event && typeof event.run === "string") this.#drivers.get(event.run)?.hear(event);
    }
  }

  perform(act: Act): void {
    if (act.node !== this.#options.name || this.#closed) return;
    // The same act may be asked for again while it is under way; once done, doing it again is harmless.
    if (this.#acts.has(act.id)) return;
    this.#acts.add(act.id);
    void this.#do(act)
      .catch((error: unknown) => {
        if (!this.#closed) this.#options.onDefect(error);
      })
      .finally(() => this.#acts.delete(act.id));
  }

  /** Lets go of everything without ending it: commands go on, and the next daemon finds them. */
  close(): void {
    this.#closed = true;
    this.#cancelBeat?.();
    for (const driver of this.#drivers.values()) driver.abandon();
  }

  async #do(act: Act): Promise<void> {
    await this.#connected.promise;
    switch (act.type) {
      case "drive":
        return this.#drive(act.run, act.family);
      case "refresh":
        return this.#refresh(act);
      case "validate":
        return this.#validate(act);
      case "land":
        return this.#report({ type: "run.landed", run: act.run, ok: true, message: "" });
      case "stop":
        return this.#stop(act.run);
    }
  }

  async #drive(id: string, family: string): Promise<void> {
    const known = this.#drivers.get(id);
    if (known !== undefined && known.family === family && !known.over) return;
    known?.abandon();
    const run = this.#stateNow().runs.get(id);
    if (run === undefined || isOver(run.state) || run.family !== family) return;
    const runner = this.#options.runners.get(run.runner);
    if (runner === undefined) {
      const message = `there is no runner "${run.runner}" on this node; it has: ${[...this.#options.runners.keys()].join(", ")}`;
      return this.#report({ type: "run.finish", run: id, family, ok: false, message });
    }
    const project = run.project;
    const driver = new RunDriver({
      runner,
      run,
      line: this.#mustLine(),
      tools: this.#toolsFor(project),
      rule: () => this.#ruleOf(project),
      script: run.script === null ? null : await this.#options.readScript(run.script),
      onDefect: this.#options.onDefect,
    });
    this.#drivers.set(id, driver);
    await this.#report({ type: "run.driven", run: id, family });
    driver.start();
  }

  async #refresh(act: Extract<Act, { type: "refresh" }>): Promise<void> {
    const scratch = await this.#scratchOf(act.project);
    const bases: Record<string, string | null> = {};
    for (const text of act.units) {
      if (text.startsWith("file:")) bases[text] = await scratch.hash(text.slice("file:".length)).catch(() => null);
    }
    await this.#report({ type: "lease.refreshed", claim: act.claim, bases });
  }

  async #validate(act: Extract<Act, { type: "validate" }>): Promise<void> {
    const run = this.#stateNow().runs.get(act.run);
    if (run === undefined) return;
    const scratch = await this.#scratchOf(run.project);
    const folder = join(this.#callsFolder(), act.id.replaceAll(/[^\w.-]/g, "-"));
    const never = new AbortController().signal;
    const end = await runCommand({ folder, argv: act.argv, cwd: scratch.root, env: this.#options.env }, never);
    const message = end.exit === 0 ? "" : `the acceptance command ended with ${end.exit}`;
    await this.#report({ type: "run.validated", run: act.run, ok: end.exit === 0, message });
  }

  /** Ends everything of a run, proves it, and only then says so. */
  async #stop(id: string): Promise<void> {
    const driver = this.#drivers.get(id);
    driver?.abandon();
    this.#drivers.delete(id);
    const calls = this.#stateNow().runs.get(id)?.callsDone ?? 0;
    await endCommand(join(this.#callsFolder(), `${id}-${calls}`));
    await this.#report({ type: "run.stopped", run: id });
  }

  async #report(input: Parameters<EngineLine["submit"]>[0]["input"]): Promise<void> {
    await this.#mustLine().submit({ actor: "system", input });
  }

  #hearGrant(event: Extract<Logged, { type: "lease.granted" }>): void {
    const guard = this.#guardOf(event.project);
    const rule = this.#ruleOf(event.project);
    event.units.forEach((text, at) => {
      const unit = parseUnit(text, rule, event.family);
      if (unit.ok) guard.granted({ unit: unit.value, family: event.family, fence: event.fences[at] ?? 0 });
    });
  }

  #beatLater(): void {
    this.#cancelBeat = this.#options.clock.setTimer(beatEveryMs, () => {
      void this.#beat().finally(() => {
        if (!this.#closed) this.#beatLater();
      });
    });
  }

  /** One sign of life for all runs of this node. Whoever has expired meanwhile comes back as a new family. */
  async #beat(): Promise<void> {
    const families = [
      ...new Set([...this.#drivers.values()].filter((driver) => !driver.over).map((driver) => driver.family)),
    ];
    if (families.length === 0) return;
    const input = { type: "node.beat", node: this.#options.name, families } as const;
    const outcome = await this.#mustLine().submit({ actor: "system", input });
    if (!outcome.ok || outcome.value.of !== "beat") return;
    for (const family of outcome.value.expired) {
      const driver = [...this.#drivers.values()].find((each) => each.family === family);
      if (driver !== undefined) await this.#report({ type: "run.back", run: driver.run });
    }
  }

  #toolsFor(project: string): Tools {
    return new Tools({
      scratch: new ScratchFolder(this.#scratchPath(project)),
      callsFolder: this.#callsFolder(),
      check: (act) => this.#check(project, act),
      processes: () => this.#stateNow().projects.get(project)?.processes ?? {},
      env: this.#options.env,
    });
  }

  #check(project: string, act: FencedAct): ReturnType<FenceGuard["check"]> {
    const unit = parseUnit(act.unit, this.#ruleOf(project), act.family);
    if (!unit.ok) return "stale-fence";
    return this.#guardOf(project).check({ family: act.family, fence: act.fence, unit: unit.value });
  }

  async #scratchOf(project: string): Promise<ScratchFolder> {
    const scratch = new ScratchFolder(this.#scratchPath(project));
    await scratch.prepare();
    return scratch;
  }

  #guardOf(project: string): FenceGuard {
    const guard = this.#guards.get(project) ?? new FenceGuard();
    this.#guards.set(project, guard);
    return guard;
  }

  #ruleOf(project: string): UnitRule {
    const known = (this.#line === undefined ? this.#state : this.#stateNow())?.projects.get(project);
    return ruleOf(known ?? { foldCase: false, processes: {} });
  }

  #mustLine(): EngineLine {
    if (this.#line === undefined) throw new Error("the node is not connected");
    return this.#line;
  }

  #scratchPath(project: string): string {
    return join(this.#options.folder, "scratch", project);
  }

  #callsFolder(): string {
    return join(this.#options.folder, "calls");
  }
}
