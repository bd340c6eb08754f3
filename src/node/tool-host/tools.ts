// What the door does once it is open: files and commands in the run's workspace, by its keeper. Every act that writes is
// checked against its fence right before it happens, and can be repeated after a crash without happening twice.

import { Fault } from "../../base/fault.ts";
import type { FinishCall } from "../../core/inputs.ts";
import type { CallTool } from "../../core/run/run-state.ts";
import type { Conflict, Oversized, Work } from "../../core/workspace/workspace-state.ts";
import { writeDurably } from "../../os/durable-file.ts";
import { isOfCage, isOfTheWorld } from "../is-of-the-world.ts";
import { type ActResult, done, failed, guarded, readJson } from "./act-result.ts";
import { Artifacts, isArtifactName, noRoom } from "./artifacts.ts";
import { brokenCall, startsSomething, unswept } from "./broken-call.ts";
import { CallGround, type CallGroundOptions } from "./call-ground.ts";
import { CommandTools, type CommandToolsOptions } from "./command-tools.ts";
import { ConflictTools } from "./conflict-tools.ts";
import { withOversized } from "./door-answer.ts";
import { DriverOvertaken } from "./driver-overtaken.ts";
import { FileTools } from "./file-tools.ts";
import { ResultCalls } from "./result-calls.ts";

export type ToolsOptions = CallGroundOptions &
  CommandToolsOptions & {
    /** The changes that the log knows of. */
    readonly known: () => ReadonlyMap<string, Work>;
    /** The files that the log knows of as too large to land (LD57). */
    readonly oversized: () => readonly Oversized[];
    /** Paths on which the run and somebody else have met (LD31). */
    readonly conflicts: () => ReadonlyMap<string, Conflict>;
    /** Whether this content of a path was set aside. */
    readonly trashed: (path: string, work: Work["work"]) => boolean;
    /** Whether somebody works here who can be told, and do something again: no script and no command. */
    readonly isDriven: boolean;
  };

/** How often it is tried to look at a workspace before a call says that it could not be. */
const looksMax = 3;
/** So many files that are too large are named; the first of them. */
const oversizedMax = 100;

export class Tools {
  readonly files: FileTools;
  readonly commands: CommandTools;
  readonly conflicts: ConflictTools;
  readonly artifacts: Artifacts;
  readonly #options: ToolsOptions;
  readonly #ground: CallGround;
  readonly #results: ResultCalls;
  /** What its runner knows to have given way: a path, and what had been made of it. */
  readonly #overtaken = new Set<string>();

  constructor(options: ToolsOptions) {
    this.#options = options;
    this.#ground = new CallGround(options);
    this.#results = new ResultCalls(options.callsFolder);
    this.files = new FileTools(this.#ground);
    this.commands = new CommandTools(this.#ground, options);
    this.conflicts = new ConflictTools(this.#ground, options.conflicts);
    this.artifacts = new Artifacts(options.callsFolder);
  }

  /** Whether nobody has to hold a path (LD17). */
  isDerived(path: string): boolean {
    return this.#options.isDerived(path);
  }

  /** Keeps a file of the workspace for others to read. */
  publish(name: string, path: string): Promise<ActResult> {
    return guarded(async () => {
      if (!isArtifactName(name))
        return failed("bad-input", `"${name}" is no name of an artifact; take one such as report.md`);
      const { entry, bytes } = await this.#options.workspace.read(path);
      if (entry === null) return failed("no-file", `${path} does not exist`);
      if (bytes === null) return failed("too-large", `${path} is too large to be kept`);
      if (!(await this.artifacts.publish(name, bytes))) return failed(noRoom.code, noRoom.message);
      return done(`published ${path} as ${name} (${bytes.length} bytes)`);
    });
  }

  /** Why there can be no cage, where that is so. Only a run that begins with files does not know it from the start (EN45). */
  async cageLack(): Promise<string | undefined> {
    try {
      await this.#options.workspace.keeper.request({ op: "cage" });
      return undefined;
    } catch (error) {
      // A keeper of the release before has made its cage with the workspace, and does not know the question.
      if (error instanceof Fault && error.code === "bad-request") return undefined;
      if (isOfCage(error)) return error.message;
      throw error;
    }
  }

  /** Looks at the whole workspace: what commands in the background have changed since the last look. */
  sweep(isLast = false): ActResult {
    const { answer, report } = done("", "looked for changes");
    return { answer, report: isLast ? { ...report, last: true } : report, look: true };
  }

  /** Does something in the workspace while nobody else does: what is seen there is reported before it can change. */
  alone<T>(act: () => Promise<T>): Promise<T> {
    return this.#options.workspace.alone(act);
  }

  /** What is not as the log has it: new changes, and such that are gone. To be asked for alone. */
  async look(): Promise<Work[]> {
    const { workspace, known, trashed } = this.#options;
    const swept = (await workspace.sweep()).filter(({ path }) => !this.#options.isDerived(path));
    const found = new Map(swept.map((work) => [work.path, work]));
    const before = known();
    const news = [...found.values()].filter(({ path, base, work }) => {
      const old = before.get(path);
      return old?.base !== base || old.work !== work;
    });
    // Set aside just before a crash, and still there: the bytes are safe, so it only has to go.
    const left = news.filter(({ path, work }) => !before.has(path) && trashed(path, work));
    if (left.length > 0) await workspace.putBack(left);
    const undone = [...before.values()].filter(({ path }) => !found.has(path));
    return [
      ...news.filter((work) => !left.includes(work)),
      ...undone.map(({ path, base }) => ({ path, base, work: base })),
    ];
  }

  /** Does what a call is about. What the world keeps from being done is an answer, too; nothing of it goes on unseen (EN51). */
  async surely<T>(
    { call, tool, signal }: { readonly call: number; readonly tool: CallTool; readonly signal: AbortSignal },
    act: () => T | Promise<T>,
  ): Promise<T | ActResult> {
    try {
      return await act();
    } catch (error) {
      // Whoever was overtaken has nothing more to say, whatever the world did to its last act.
      if (signal.aborted) throw new DriverOvertaken();
      if (!isOfTheWorld(error)) throw error;
      return brokenCall(tool, error, startsSomething(tool) ? await this.commands.endCall(call) : undefined);
    }
  }

  /** What is reported of a call: also what commands have changed meanwhile, those in the background included. To be asked for alone. */
  async withSweep(result: ActResult): Promise<ActResult> {
    const { report, answer, look } = result;
    if (look !== true && !(await this.commands.hasBackground())) return result;
    const seen = await this.#lookSurely().catch((error: unknown) => unswept(result, error));
    if ("answer" in seen) return seen;
    const { works, fixed } = seen;
    const own = new Set(report.changed.map(({ path }) => path));
    const swept = await this.#options.workspace.sizesOf(works.filter(({ path }) => !own.has(path)));
    const found = { ...report, works, ...fixed, ...(swept.length === 0 ? {} : { swept }) };
    const large = this.#tooLarge();
    if (large === undefined) return { answer, report: found };
    return { answer: withOversized(answer, large.fresh), report: { ...found, oversized: large.oversized } };
  }

  /** Puts back the bases of paths whose changes were set aside. Their bytes are safe already (LD16). */
  putBack(works: readonly Work[]): Promise<void> {
    return this.#options.workspace.putBack(works);
  }

  /** Keeps a no before it is reported: a runner that starts again has to hear it again. */
  async keepNo(call: number, result: ActResult): Promise<void> {
    if (!result.answer.ok) await writeDurably(this.#fileOf(call, "no.json"), JSON.stringify(result), "replace");
  }

  /** The no that a call got in an earlier life, if it got one. */
  async keptNo(call: number): Promise<ActResult | undefined> {
    return readJson(this.#fileOf(call, "no.json"));
  }

  /** The outcome of a call is in the log: nobody will ask its keeper for it again, nor has to wait until that has heard so. */
  forget(call: number): void {
    void this.#options.workspace.forget(this.#ground.tagOf(call));
  }

  /** Says that a call is part of a result, and not one that the runner made; and which changed paths it claims again. */
  async noteResultCall(call: number, carried: readonly string[] = []): Promise<void> {
    const known = this.#options.known();
    await this.#results.note(
      call,
      carried.flatMap((path) => known.get(path) ?? []),
    );
  }

  /** The calls of earlier results. */
  resultCalls(): Promise<Set<number>> {
    return this.#results.all();
  }

  /**
   * Paths that were claimed again for a result and whose changes had to give way, where somebody is there who can make them again.
   * Each is answered once; it is forgotten when its runner comes with a result again, so that a driver that comes before that tells it, too (LD20).
   */
  async newlyOvertaken(): Promise<string[]> {
    const { isDriven, known, trashed } = this.#options;
    if (!isDriven) return [];
    const works = (await this.#results.claimed()).filter(
      ({ path, work }) => known().get(path)?.work !== work && trashed(path, work),
    );
    const news = works.filter(({ path, work }) => !this.#overtaken.has(`${path} ${work}`));
    for (const { path, work } of news) this.#overtaken.add(`${path} ${work}`);
    if (news.length === 0 && works.length > 0) await this.#results.forgetClaimed();
    return news.map(({ path }) => path);
  }

  /** Something in the background may write faster than it is looked at; that need not be so the next moment. */
  async #lookSurely(): Promise<{ readonly works: Work[]; readonly fixed: Pick<FinishCall, "inSubmodules"> }> {
    for (let tries = 1; ; tries++) {
      try {
        const works = await this.look();
        return { works, fixed: await this.#inSubmodules(works) };
      } catch (error) {
        if (tries === looksMax || !isOfTheWorld(error)) throw error;
      }
    }
  }

  /** What was too large to land at the last look, where that is news; and those files that nobody was told of yet (LD57). */
  #tooLarge(): { readonly oversized: readonly Oversized[]; readonly fresh: readonly Oversized[] } | undefined {
    const now = this.#options.workspace.oversized
      .slice(0, oversizedMax)
      .map(({ path, size }) => ({ path, bytes: size }));
    const known = new Map(this.#options.oversized().map(({ path, bytes }) => [path, bytes]));
    const fresh = now.filter(({ path }) => !known.has(path));
    const isAsKnown = now.length === known.size && now.every(({ path, bytes }) => known.get(path) === bytes);
    return isAsKnown ? undefined : { oversized: now, fresh };
  }

  /** Those of the works that are not the run's to change, because they are or lie in submodules (LD56). */
  async #inSubmodules(works: readonly Work[]): Promise<Pick<FinishCall, "inSubmodules">> {
    const found = await this.#options.workspace.submodulesOf(works.map(({ path }) => path));
    return found.size === 0 ? {} : { inSubmodules: [...found.keys()] };
  }

  #fileOf(call: number, name: string): string {
    return this.#ground.fileOf(call, name);
  }
}
