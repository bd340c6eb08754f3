// The door of one run: the only way by which its runner touches files and processes. Each call is put to the engine, waits
// there for its leases, acts under the fences it was given, and reports what became of it. Calls are numbered, so that a
// runner that starts again repeats none.

import type { Logged } from "../../core/events.ts";
import type { CallAnswer, Input, PassCall } from "../../core/inputs.ts";
import type { UnitRule } from "../../core/lease/unit.ts";
import type { Leave, WholeAct } from "../../core/run/leave.ts";
import { type CallTool, type LookingTool, writingTools } from "../../core/run/run-state.ts";
import type {
  Command,
  ConflictSide,
  Door,
  DoorAnswer,
  FileChange,
  FinishMore,
  HeardReport,
  LineRange,
  SearchWish,
} from "../../ports/runner.ts";
import type { EngineLine } from "../engine-line.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import { type ActResult, done, failed } from "./act-result.ts";
import { noRoom } from "./artifacts.ts";
import { Asides } from "./asides.ts";
import { mayStillRun } from "./broken-call.ts";
import { type Begun, bytesOf, freely, printOf } from "./begun.ts";
import { describeWait, no, overtaken, yes } from "./door-answer.ts";
import { DriverOvertaken } from "./driver-overtaken.ts";
import { EventWaits } from "./event-waits.ts";
import { keepHeard } from "./keep-heard.ts";
import { RunSpeaker } from "./run-speaker.ts";
import { showArtifact } from "./show-artifact.ts";
import { SpelledPaths } from "./spelled-paths.ts";
import type { Tools } from "./tools.ts";

type Act = (number: number, fences: readonly number[], startedAtMs: number) => ActResult | Promise<ActResult>;

export type RunDoorOptions = {
  readonly line: EngineLine;
  readonly tools: Tools;
  readonly run: string;
  readonly family: string;
  /** How many calls an earlier driver got done, and the last of them that the engine refused. */
  readonly callsDone: number;
  /** An earlier driver had begun the next call. */
  readonly callBegun: boolean;
  readonly refused: { readonly call: number; readonly code: string; readonly what: string } | null;
  /** Numbers of calls that belonged to a result: whoever goes on after it was sent back does not come by them again. */
  readonly resultCalls: ReadonlySet<number>;
  /** Whether there was an earlier driver at all. */
  readonly resumed: boolean;
  readonly answers: readonly string[];
  /** The claim that the call which an earlier driver had begun waits for. */
  readonly claim: string | null;
  /** Whether a question of the run stands unanswered. */
  readonly asks: boolean;
  /** Paths that the run has changed and no longer holds. */
  readonly carried: () => readonly string[];
  /** How the project reads names. */
  readonly rule: () => UnitRule;
  readonly signal: AbortSignal;
};

const longTools: ReadonlySet<CallTool> = new Set(["run", "start", "stop", "process", "sleep"]);
/** Tools whose calls a keeper remembers. What goes on in the background is asked for by later calls. */
const leavesTrace: ReadonlySet<CallTool> = new Set([...writingTools, "run", "process"]);
/** How often it is tried again to keep a no. */
const keepEveryMs = 1000;

export class RunDoor implements Door {
  readonly #options: RunDoorOptions;
  readonly #line: EngineLine;
  readonly #tools: Tools;
  readonly #run: string;
  readonly #family: string;
  readonly #signal: AbortSignal;
  readonly #waits = new EventWaits();
  readonly #speaker: RunSpeaker;
  readonly #paths: SpelledPaths;
  /** Answers of people that no question has taken yet. */
  readonly #answers: string[];
  readonly #asides: Asides;
  /** The call that waits for the door to open, and the claim that it waits for. */
  #entering: Extract<Input, { type: "call.begin" }> | undefined;
  #claim: string | null;
  #isAsking = false;
  /** What the program calls what it asks for now. */
  #use: { readonly use?: string } = {};
  /** Number of the next call. */
  #next = 0;
  /** Whether the engine has taken the runner's last word. */
  isFinished = false;
  /** Why it could not take a result, where that is so. */
  whyUnfinished: string | null = null;

  constructor(options: RunDoorOptions) {
    this.#options = options;
    this.#line = options.line;
    this.#tools = options.tools;
    this.#run = options.run;
    this.#family = options.family;
    this.#signal = options.signal;
    this.#speaker = new RunSpeaker({ ...options, waits: this.#waits });
    this.#paths = new SpelledPaths(options.rule, options.family);
    this.#asides = new Asides((works) => options.tools.putBack(works));
    this.#answers = [...options.answers];
    this.#claim = options.claim;
    this.#signal.addEventListener("abort", () => this.#waits.overtake());
  }

  /** An event of this run became durable. */
  hear(event: Logged): void {
    if (event.type === "run.answered") this.#answers.push(event.text);
    if (event.type === "call.queued" && event.claim !== null) this.#claim = event.claim;
    this.#asides.hear(event);
    this.#waits.hear(event);
  }

  async record({ outputs, ...report }: HeardReport): Promise<void> {
    const items = await keepHeard(this.#tools.artifacts, report.items, outputs);
    const outcome = await this.#speaker.submit({ type: "run.hear", run: this.#run, ...report, items });
    if (!outcome.ok) throw new DriverOvertaken(outcome.refusal.code);
  }

  get nextCall(): number {
    return this.#skip();
  }

  calledAs(use: string | null): void {
    this.#use = use === null ? {} : { use };
  }

  skipTo(call: number): void {
    this.#next = call;
    // Only a question that was asked and not answered to anyone has something to hear.
    const { answers, callsDone, asks } = this.#options;
    this.#answers.splice(0, this.#answers.length, ...(call < callsDone && !asks ? answers.slice(-1) : []));
  }

  claim(units: readonly string[]): Promise<DoorAnswer> {
    return this.#call({ tool: "claim", units, bytes: 0, other: null }, async () => done(`yours: ${units.join(", ")}`));
  }

  async release(units: readonly string[] | null, setAside: boolean): Promise<DoorAnswer> {
    // Giving back is no numbered call. When a later call is done or begun, this one is done, and doing it again would
    // take away what the later one was granted. Otherwise nobody knows, and what an earlier driver held and this one does
    // not was given back or lost.
    const { callsDone, callBegun } = this.#options;
    const next = this.#skip();
    if (next < callsDone || (next === callsDone && callBegun)) return yes("given back");
    const input = { type: "run.release", run: this.#run, family: this.#family, units, setAside } as const;
    const outcome = await this.#speaker.submit(input);
    if (outcome.ok) return this.#tools.alone(() => this.#asides.tellWith(yes("given back")));
    return this.#options.resumed && outcome.refusal.code === "not-held" ? yes("given back") : no(outcome.refusal);
  }

  async read(spelled: string, range?: LineRange): Promise<DoorAnswer> {
    const path = this.#paths.fileAt(spelled);
    if (typeof path !== "string") return path;
    return this.#look("read", { path, ...range }, () => this.#tools.files.read(path, range));
  }

  async readSide(spelled: string, side: ConflictSide, range?: LineRange): Promise<DoorAnswer> {
    const path = this.#paths.fileAt(spelled);
    if (typeof path !== "string") return path;
    return this.#call(freely("read"), () => this.#tools.conflicts.read(path, side, range));
  }

  async resolve(spelled: string): Promise<DoorAnswer> {
    const path = this.#paths.fileAt(spelled);
    if (typeof path !== "string") return path;
    const unit = `file:${path}`;
    const answer = await this.#call({ tool: "resolve", units: [unit], bytes: 0, other: null }, (call, fences) =>
      this.#tools.conflicts.resolve({ call, family: this.#family, unit, fence: fences[0] ?? 0 }, path),
    );
    return this.#tools.conflicts.sayUnread(path, answer);
  }

  async list(spelled: string, depth: number): Promise<DoorAnswer> {
    const path = this.#paths.folderAt(spelled);
    if (typeof path !== "string") return path;
    return this.#look("list", { path, depth }, () => this.#tools.files.list(path, depth));
  }

  async search(wish: SearchWish): Promise<DoorAnswer> {
    const under = this.#paths.folderAt(wish.under);
    if (typeof under !== "string") return under;
    return this.#look("search", { ...wish, under }, () => this.#tools.files.search({ ...wish, under }));
  }

  change(change: FileChange): Promise<DoorAnswer> {
    return this.#change(change.do, [change]);
  }

  patch(changes: readonly FileChange[]): Promise<DoorAnswer> {
    return this.#change("patch", changes);
  }

  run(command: Command): Promise<DoorAnswer> {
    return this.#call(freely("run", { ...command }), (number) =>
      this.#tools.commands.run(number, command, this.#signal),
    );
  }

  start(name: string, command: Command): Promise<DoorAnswer> {
    return this.#call(freely("start", { name, ...command }), (number) =>
      this.#tools.commands.start(number, name, command),
    );
  }

  input(name: string, text: string, end: boolean): Promise<DoorAnswer> {
    return this.#call(freely("input"), (number) => this.#tools.commands.input(number, name, text, end));
  }

  output(name: string, from: number): Promise<DoorAnswer> {
    return this.#call(freely("output"), () => this.#tools.commands.output(name, from));
  }

  stop(name: string): Promise<DoorAnswer> {
    return this.#call(freely("stop"), () => this.#tools.commands.stop(name));
  }

  async publish(name: string, spelled: string): Promise<DoorAnswer> {
    const path = this.#paths.fileAt(spelled);
    return typeof path === "string" ? this.#call(freely("publish"), () => this.#tools.publish(name, path)) : path;
  }

  process(name: string): Promise<DoorAnswer> {
    const unit = `process:${name}`;
    const begun = { tool: "process", units: [unit], bytes: 0, other: null, print: printOf(name) } as const;
    return this.#call(begun, (number, fences) =>
      this.#tools.commands.process(
        { call: number, family: this.#family, unit, fence: fences[0] ?? 0 },
        name,
        this.#signal,
      ),
    );
  }

  /** What the last one finds in others' hands is waited for: nobody is told any more (LD60). */
  look(isLast = false): Promise<DoorAnswer> {
    return this.#call(freely("sweep"), () => this.#tools.sweep(isLast));
  }

  sleep(ms: number): Promise<DoorAnswer> {
    return this.#call(freely("sleep"), async (_number, _fences, startedAtMs) => {
      // Engine time stands still while the daemon is down, so what is left is measured on it.
      await this.#line.sleep(startedAtMs + ms - this.#line.nowMs(), this.#signal);
      return done(`slept ${ms} ms`);
    });
  }

  waitRun(run: string): Promise<DoorAnswer> {
    return this.#call({ tool: "wait-run", units: [], bytes: 0, other: run }, async () => done(`${run} is over`));
  }

  async say(text: string): Promise<DoorAnswer> {
    const call = this.#take();
    if (call < this.#options.callsDone) return yes("said");
    return this.#speaker.untilTaken({ type: "run.say", run: this.#run, family: this.#family, call, text });
  }

  async ask(text: string, leave?: Leave, whole?: WholeAct): Promise<DoorAnswer> {
    if (whole !== undefined && !(await this.#tools.artifacts.keepOwn(whole.name, whole.text)))
      return { ok: false, ...noRoom };
    const call = this.#take();
    if (call >= this.#options.callsDone) {
      const about = { run: this.#run, family: this.#family, call };
      const asked = await this.#speaker.untilTaken({ type: "run.ask", ...about, text, leave });
      if (!asked.ok) return asked;
    }
    // Every question takes one answer, in order; it may have come while nobody was listening.
    this.#isAsking = true;
    try {
      for (let answer = this.#answers.shift(); ; answer = this.#answers.shift()) {
        if (answer !== undefined) return yes(answer);
        await this.#waits.waitFor((event) => (event.type === "run.answered" ? true : undefined)).heard;
      }
    } finally {
      this.#isAsking = false;
    }
  }

  async waiting(): Promise<string | null> {
    const entering = this.#entering;
    if (this.#isAsking) return "a person has not answered yet";
    if (entering === undefined) return null;
    const outcome = await this.#speaker.submit(entering);
    if (!outcome.ok || outcome.value.of !== "call" || outcome.value.call.state !== "waiting") return null;
    return describeWait(entering, outcome.value.call.behind);
  }

  async giveUp(): Promise<DoorAnswer> {
    if (this.#entering === undefined || this.#claim === null)
      return failed("not-held", "nothing waits in a queue").answer;
    const outcome = await this.#speaker.submit({ type: "claim.cancel", claim: this.#claim });
    return outcome.ok ? yes("given up: it waits no longer") : no(outcome.refusal);
  }

  /** What it may have started is ended first; what it changed is found by looking (EN27, EN36). */
  async endLost(): Promise<DoorAnswer> {
    // One that still waits in a queue has done nothing, and need not wait any longer.
    if (this.#claim !== null) await this.#speaker.submit({ type: "claim.cancel", claim: this.#claim });
    return this.#call(freely("sweep"), async (number) => {
      const left = await this.#tools.commands.endCall(number);
      const why = "the machine went down, and its request is lost";
      const rest = left === undefined ? "" : `, and ${mayStillRun(left)}`;
      const lost = failed("exit-unknown", `nobody knows how far it came${rest}: ${why}`);
      const unended = left === undefined ? {} : { unended: true as const };
      return { ...lost, report: { ...lost.report, ...unended, exit: "unknown" }, look: true };
    });
  }

  artifact(name: string | null, from: number): Promise<DoorAnswer> {
    return showArtifact(this.#tools.artifacts, name, from);
  }

  /** Looks at the workspace a last time, and claims again what was lost on the way, before the work is judged (LD20). */
  async finish(ok: boolean, message: string, more: FinishMore = {}): Promise<DoorAnswer> {
    const lack = ok ? await this.#tools.cageLack() : undefined;
    if (lack !== undefined) {
      const what = `${lack}; nothing of the run lands, and what it has written is in the trash (signalbox doctor tries each part of a cage)`;
      const told = await this.finish(false, what);
      return told.ok ? { ok: false, code: "cage-failed", message: what } : told;
    }
    const unsettled = ok ? await this.#settle() : undefined;
    if (unsettled !== undefined) {
      this.whyUnfinished = `${unsettled.code}: ${unsettled.message}`;
      return unsettled;
    }
    const about = { run: this.#run, family: this.#family, ok, message, ...more };
    const answer = await this.#speaker.untilTaken({ type: "run.finish", ...about });
    if (answer.ok) this.isFinished = true;
    return answer;
  }

  /** Brings a result into the shape that is judged. Answers what is in the way of that: then nothing is judged. */
  async #settle(): Promise<Extract<DoorAnswer, { ok: false }> | undefined> {
    const settled = await this.#surely(this.#skip(), "sweep", async () => {
      await this.#noteResult();
      await this.#tools.commands.stopAll();
      return done("");
    });
    const looked = settled.answer.ok ? await this.look(true) : settled.answer;
    if (!looked.ok) return looked;
    const carried = this.#options.carried();
    if (carried.length > 0) {
      await this.#noteResult(carried);
      // What cannot be had without a circle lands later, or is set aside at the end.
      await this.claim(carried.map((path) => `file:${path}`));
    }
    return overtaken(await this.#tools.newlyOvertaken());
  }

  /** Claims every file that the changes are about, in one claim, and does all of them or none (LD14). */
  async #change(tool: CallTool, spelled: readonly FileChange[]): Promise<DoorAnswer> {
    const named: FileChange[] = [];
    for (const each of spelled) {
      const change = this.#paths.filesOf(each);
      if ("ok" in change) return change;
      named.push(change);
    }
    const next = this.#skip();
    if (next < this.#options.callsDone) return this.#answerAgain(this.#take());
    const changes = await this.#surely(next, tool, () => this.#tools.files.expand(next, named));
    if ("answer" in changes) return this.#call(freely(tool), () => changes);
    const paths = new Set(changes.flatMap((each) => (each.do === "move" ? [each.path, each.to] : [each.path])));
    const units = [...paths].filter((path) => !this.#tools.isDerived(path)).map((path) => `file:${path}`);
    const bytes = changes.reduce((sum, each) => sum + bytesOf(each), 0);
    const print = printOf(named.map((each) => ({ ...each })));
    return this.#call({ tool, units, bytes, other: null, print }, (call, fences) => {
      const acts = units.map((unit, at) => ({ call, family: this.#family, unit, fence: fences[at] ?? 0 }));
      return this.#tools.files.change(call, acts, changes);
    });
  }

  /** A call that changes nothing looks first, and is recorded whole; where that cannot be now, it is made like any other. */
  async #look(tool: LookingTool, args: unknown, act: () => Promise<ActResult>): Promise<DoorAnswer> {
    const call = this.#take();
    const passed = await this.#pass(call, { tool, print: printOf(args) }, act);
    return passed ?? this.#call(freely(tool, args), act, call);
  }

  async #pass(
    call: number,
    about: Pick<PassCall, "tool" | "print">,
    act: () => Promise<ActResult>,
  ): Promise<DoorAnswer | undefined> {
    const { callsDone, callBegun } = this.#options;
    const isEarlier = call < callsDone || (call === callsDone && callBegun);
    if (isEarlier || (await this.#tools.commands.hasBackground())) return undefined;
    return this.#tools.alone(async () => {
      const { answer, report } = await this.#surely(call, about.tool, act);
      // A no has to be on disk before it is reported, under a number that is nobody else's by then (EN18).
      if (!answer.ok) return undefined;
      const { ok, summary, reads } = report;
      const whose = { run: this.#run, family: this.#family, call } as const;
      const passed = { ...whose, ...about, ...this.#use, ok, summary, reads };
      const outcome = await this.#speaker.submit({ type: "call.pass", ...passed });
      return outcome.ok ? answer : undefined;
    });
  }

  async #call(begun: Begun, act: Act, call = this.#take()): Promise<DoorAnswer> {
    const { callsDone, resumed } = this.#options;
    if (call < callsDone) return this.#answerAgain(call);
    const entered = await this.#enter(call, begun);
    if (!("state" in entered)) return entered;
    if (entered.state !== "go") return yes("done before");
    const kept = resumed && call === callsDone ? await this.#tools.keptNo(call) : undefined;
    const doIt = (): Promise<ActResult> =>
      this.#surely(call, begun.tool, () => act(call, entered.fences, entered.startedAtMs));
    // A command takes its time and is looked at afterwards; everything else is done and reported in one turn.
    const isLong = longTools.has(begun.tool);
    const first = kept ?? (isLong ? await doIt() : undefined);
    return this.#tools.alone(async () => {
      const result = first ?? (await doIt());
      if (this.#signal.aborted) throw new DriverOvertaken();
      await this.#keepNo(call, result);
      const { report, answer } = await this.#tools.withSweep(result);
      await this.#speaker.report({ type: "call.finish", run: this.#run, family: this.#family, call, ...report });
      // What may still run of it has to be found again.
      if (leavesTrace.has(begun.tool) && report.unended !== true) this.#tools.forget(call);
      return this.#asides.tellWith(answer);
    });
  }

  /** The number of the next call. Those of earlier results are none of the runner's. */
  #take(): number {
    const call = this.#skip();
    this.#next = call + 1;
    return call;
  }

  #skip(): number {
    const { callsDone, resultCalls } = this.#options;
    while (this.#next < callsDone && resultCalls.has(this.#next)) this.#next++;
    return this.#next;
  }

  /** Says for good that the next call belongs to a result, before it begins. */
  async #noteResult(carried: readonly string[] = []): Promise<void> {
    const next = this.#skip();
    if (next >= this.#options.callsDone) await this.#tools.noteResultCall(next, carried);
  }

  #surely<T>(call: number, tool: CallTool, act: () => T | Promise<T>): Promise<T | ActResult> {
    return this.#tools.surely({ call, tool, signal: this.#signal }, act);
  }

  /** Nothing is reported before a no is on the disk: whoever comes after has to hear it. A full disk is waited for, as the log waits. */
  async #keepNo(call: number, result: ActResult): Promise<void> {
    for (;;) {
      try {
        return await this.#tools.keepNo(call, result);
      } catch (error) {
        if (!isOfTheWorld(error)) throw error;
        await this.#line.sleep(keepEveryMs, this.#signal);
        if (this.#signal.aborted) throw new DriverOvertaken();
      }
    }
  }

  /** What became of a call of an earlier driver: a no stays a no. */
  async #answerAgain(call: number): Promise<DoorAnswer> {
    const { refused } = this.#options;
    if (refused?.call === call) return { ok: false, code: refused.code, message: refused.what };
    return (await this.#tools.keptNo(call))?.answer ?? yes("done before");
  }

  /** Waits until the door opens, however long that takes: a script cannot be interrupted and told to come back. */
  async #enter(call: number, begun: Begun): Promise<Extract<CallAnswer, { state: "go" | "done" }> | DoorAnswer> {
    const opened = this.#waits.waitFor((event): "open" | DoorAnswer | undefined => {
      if (event.type === "call.started" && event.call === call) return "open";
      if (event.type !== "call.refused" || event.call !== call) return undefined;
      return { ok: false, code: event.code, message: event.what };
    });
    const input = { type: "call.begin", run: this.#run, family: this.#family, call, ...begun, ...this.#use } as const;
    this.#entering = input;
    try {
      for (;;) {
        const outcome = await this.#speaker.submit(input);
        if (!outcome.ok) return no(outcome.refusal);
        if (outcome.value.of !== "call") throw new DriverOvertaken();
        const { call: answer } = outcome.value;
        if (answer.state !== "waiting") return answer;
        const heard = await opened.heard;
        if (heard !== "open") return heard;
      }
    } finally {
      opened.forget();
      this.#entering = undefined;
    }
  }
}
