// The door of one run: the only way by which its runner touches files and processes. Each call is put to the engine, waits
// there for its leases, acts under the fences it was given, and reports what became of it. Calls are numbered, so that a
// runner that starts again repeats none.

import type { Logged } from "../../core/events.ts";
import type { CallAnswer, FinishCall, Input } from "../../core/inputs.ts";
import { parseUnit, type UnitRule } from "../../core/lease/unit.ts";
import type { CallTool } from "../../core/run/run-state.ts";
import { isOver } from "../../core/run/run-states.ts";
import type { Door, DoorAnswer } from "../../ports/runner.ts";
import { isErrorCode, toWireError } from "../../protocol/errors.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import type { EngineLine } from "../engine-line.ts";
import type { ActResult, Tools } from "./tools.ts";

/** The run went on without this driver: it was ended, or came back as another family. */
export class DriverOvertaken extends Error {
  override readonly name = "DriverOvertaken";
}

type Waiter = { readonly hear: (event: Logged) => void; readonly overtaken: () => void };
type Wait<T> = { readonly heard: Promise<T>; readonly forget: () => void };
type Begun = {
  readonly tool: CallTool;
  readonly units: readonly string[];
  readonly bytes: number;
  readonly other: string | null;
};

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
  /** Paths that the run has changed and no longer holds. */
  readonly carried: () => readonly string[];
  /** How the project reads names. */
  readonly rule: () => UnitRule;
  readonly signal: AbortSignal;
};

/** Tools whose calls a keeper remembers. */
const leavesTrace: ReadonlySet<CallTool> = new Set(["write", "edit", "run", "process"]);

/** How often a finish is tried again while a sub-run is still at work. */
const finishEveryMs = 500;

export class RunDoor implements Door {
  readonly #options: RunDoorOptions;
  readonly #line: EngineLine;
  readonly #tools: Tools;
  readonly #run: string;
  readonly #family: string;
  readonly #signal: AbortSignal;
  readonly #waiters = new Set<Waiter>();
  /** Answers of people that no question has taken yet. */
  readonly #answers: string[];
  /** Changes that were set aside and still stand in the workspace. */
  readonly #asides: Work[] = [];
  /** Number of the next call. */
  #next = 0;
  /** Whether the engine has taken the runner's last word. */
  isFinished = false;

  constructor(options: RunDoorOptions) {
    this.#options = options;
    this.#line = options.line;
    this.#tools = options.tools;
    this.#run = options.run;
    this.#family = options.family;
    this.#signal = options.signal;
    this.#answers = [...options.answers];
    this.#signal.addEventListener("abort", () => {
      for (const waiter of this.#waiters) waiter.overtaken();
    });
  }

  /** An event of this run became durable. */
  hear(event: Logged): void {
    if (event.type === "run.answered") this.#answers.push(event.text);
    if (event.type === "paths.set-aside") this.#asides.push(...event.works);
    for (const waiter of [...this.#waiters]) waiter.hear(event);
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
    const outcome = await this.#submit(input);
    if (outcome.ok) return this.#tools.alone(() => this.#putBack(yes("given back")));
    return this.#options.resumed && outcome.refusal.code === "not-held" ? yes("given back") : no(outcome.refusal);
  }

  async read(spelled: string): Promise<DoorAnswer> {
    const path = this.#pathOf(spelled);
    if (typeof path !== "string") return path;
    return this.#call({ tool: "read", units: [], bytes: 0, other: null }, () => this.#tools.read(path));
  }

  async write(spelled: string, content: string): Promise<DoorAnswer> {
    const path = this.#pathOf(spelled);
    if (typeof path !== "string") return path;
    const bytes = Buffer.byteLength(content);
    const unit = `file:${path}`;
    return this.#call({ tool: "write", units: [unit], bytes, other: null }, (number, fences) =>
      this.#tools.write({ call: number, family: this.#family, unit, fence: fences[0] ?? 0 }, content),
    );
  }

  async edit(spelled: string, find: string, replace: string): Promise<DoorAnswer> {
    const path = this.#pathOf(spelled);
    if (typeof path !== "string") return path;
    const unit = `file:${path}`;
    return this.#call(
      { tool: "edit", units: [unit], bytes: Buffer.byteLength(replace), other: null },
      (number, fences) =>
        this.#tools.edit({ call: number, family: this.#family, unit, fence: fences[0] ?? 0 }, find, replace),
    );
  }

  run(argv: readonly string[]): Promise<DoorAnswer> {
    return this.#call({ tool: "run", units: [], bytes: 0, other: null }, (number) =>
      this.#tools.command(number, argv, this.#signal),
    );
  }

  process(name: string): Promise<DoorAnswer> {
    const unit = `process:${name}`;
    return this.#call({ tool: "process", units: [unit], bytes: 0, other: null }, (number, fences) =>
      this.#tools.process({ call: number, family: this.#family, unit, fence: fences[0] ?? 0 }, name, this.#signal),
    );
  }

  sleep(ms: number): Promise<DoorAnswer> {
    return this.#call({ tool: "sleep", units: [], bytes: 0, other: null }, async (_number, _fences, startedAtMs) => {
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
    return this.#untilTaken({ type: "run.say", run: this.#run, family: this.#family, call, text });
  }

  async ask(text: string): Promise<DoorAnswer> {
    const call = this.#take();
    if (call >= this.#options.callsDone) {
      const asked = await this.#untilTaken({ type: "run.ask", run: this.#run, family: this.#family, call, text });
      if (!asked.ok) return asked;
    }
    // Every question takes one answer, in order; it may have come while nobody was listening.
    for (let answer = this.#answers.shift(); ; answer = this.#answers.shift()) {
      if (answer !== undefined) return yes(answer);
      await this.#waitFor((event) => (event.type === "run.answered" ? true : undefined)).heard;
    }
  }

  /** Looks at the workspace a last time, and claims again what was lost on the way, before the work is judged (LD20). */
  async finish(ok: boolean, message: string): Promise<DoorAnswer> {
    if (ok) {
      await this.#noteResult();
      await this.#call({ tool: "sweep", units: [], bytes: 0, other: null }, () => this.#tools.sweep());
      const carried = this.#options.carried().map((path) => `file:${path}`);
      // What cannot be had without a circle lands later, or is set aside at the end.
      if (carried.length > 0) {
        await this.#noteResult();
        await this.claim(carried);
      }
    }
    const answer = await this.#untilTaken({ type: "run.finish", run: this.#run, family: this.#family, ok, message });
    if (answer.ok) this.isFinished = true;
    return answer;
  }

  async #call(
    begun: Begun,
    act: (number: number, fences: readonly number[], startedAtMs: number) => ActResult | Promise<ActResult>,
  ): Promise<DoorAnswer> {
    const call = this.#take();
    const { callsDone, resumed } = this.#options;
    if (call < callsDone) return this.#answerAgain(call);
    const entered = await this.#enter(call, begun);
    if (!("state" in entered)) return entered;
    if (entered.state !== "go") return yes("done before");
    const kept = resumed && call === callsDone ? await this.#tools.keptNo(call) : undefined;
    const doIt = (): ActResult | Promise<ActResult> => act(call, entered.fences, entered.startedAtMs);
    // A command takes its time and is looked at afterwards; everything else is done and reported in one turn.
    const isLong = begun.tool === "run" || begun.tool === "process" || begun.tool === "sleep";
    const first = kept ?? (isLong ? await doIt() : undefined);
    return this.#tools.alone(async () => {
      const result = first ?? (await doIt());
      if (this.#signal.aborted) throw new DriverOvertaken();
      await this.#tools.keepNo(call, result);
      const works = result.look === true ? await this.#tools.look() : result.report.works;
      const changed = result.look === true ? works.map(({ path }) => ({ path, bytes: 0 })) : result.report.changed;
      const report = { ...result.report, works, changed };
      await this.#report({ type: "call.finish", run: this.#run, family: this.#family, call, ...report });
      if (leavesTrace.has(begun.tool)) await this.#tools.forget(call);
      return this.#putBack(result.answer);
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
  async #noteResult(): Promise<void> {
    const next = this.#skip();
    if (next >= this.#options.callsDone) await this.#tools.noteResultCall(next);
  }

  /** Changes that were not the run's to make leave its workspace before it goes on, and it is told. */
  async #putBack(answer: DoorAnswer): Promise<DoorAnswer> {
    const works = this.#asides.splice(0);
    if (works.length === 0) return answer;
    await this.#tools.putBack(works);
    const paths = works.map((work) => work.path).join(", ");
    const note = `set aside, because others hold them or there were too many: ${paths} (signalbox trash list)`;
    return answer.ok
      ? { ...answer, text: answer.text === "" ? note : `${answer.text}\n${note}` }
      : { ...answer, message: `${answer.message}; ${note}` };
  }

  /** What became of a call of an earlier driver: a no stays a no. */
  async #answerAgain(call: number): Promise<DoorAnswer> {
    const { refused } = this.#options;
    if (refused?.call === call) return { ok: false, code: refused.code, message: refused.what };
    return (await this.#tools.keptNo(call))?.answer ?? yes("done before");
  }

  /** Waits until the door opens, however long that takes: a script cannot be interrupted and told to come back. */
  async #enter(call: number, begun: Begun): Promise<Extract<CallAnswer, { state: "go" | "done" }> | DoorAnswer> {
    const opened = this.#waitFor((event): "open" | DoorAnswer | undefined => {
      if (event.type === "call.started" && event.call === call) return "open";
      if (event.type !== "call.refused" || event.call !== call) return undefined;
      return { ok: false, code: event.code, message: event.what };
    });
    const input = { type: "call.begin", run: this.#run, family: this.#family, call, ...begun } as const;
    try {
      for (;;) {
        const outcome = await this.#submit(input);
        if (!outcome.ok) return no(outcome.refusal);
        if (outcome.value.of !== "call") throw new DriverOvertaken();
        const { call: answer } = outcome.value;
        if (answer.state !== "waiting") return answer;
        const heard = await opened.heard;
        if (heard !== "open") return heard;
      }
    } finally {
      opened.forget();
    }
  }

  async #report(input: FinishCall): Promise<void> {
    const outcome = await this.#submit(input);
    if (!outcome.ok) throw new DriverOvertaken(outcome.refusal.code);
  }

  /** Speaking and finishing need a run that is at work: paused or parked, they wait until it is again. */
  async #untilTaken(input: Extract<Input, { type: "run.say" | "run.ask" | "run.finish" }>): Promise<DoorAnswer> {
    for (;;) {
      const running = this.#waitFor((event) =>
        event.type === "run.moved" && event.to === "running" ? true : undefined,
      );
      try {
        const outcome = await this.#submit(input);
        if (outcome.ok) return yes("recorded");
        const { refusal } = outcome;
        if (refusal.code === "wrong-state" && !isOver(refusal.state)) await running.heard;
        else if (refusal.code === "in-use" && input.type === "run.finish")
          await this.#line.sleep(finishEveryMs, this.#signal);
        else return no(refusal);
      } finally {
        running.forget();
      }
    }
  }

  async #submit(input: Input): ReturnType<EngineLine["submit"]> {
    const outcome = await this.#line.submit({ actor: `agent:${this.#run}`, input }, this.#signal);
    if (this.#signal.aborted) throw new DriverOvertaken();
    if (outcome.ok) return outcome;
    const { code } = outcome.refusal;
    if (code === "expired" || code === "closing") throw new DriverOvertaken(code);
    return outcome;
  }

  /** The first event of this run that the reader makes something of. */
  #waitFor<T>(reader: (event: Logged) => T | undefined): Wait<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiter: Waiter = {
      hear: (event) => {
        const found = reader(event);
        if (found === undefined) return;
        this.#waiters.delete(waiter);
        resolve(found);
      },
      overtaken: () => reject(new DriverOvertaken()),
    };
    this.#waiters.add(waiter);
    // Nobody may be waiting for it any more when the run is overtaken.
    promise.catch(() => undefined);
    return { heard: promise, forget: () => this.#waiters.delete(waiter) };
  }

  /** The path in its normal form: what is leased is what is touched. */
  #pathOf(spelled: string): string | DoorAnswer {
    const unit = parseUnit(`file:${spelled}`, this.#options.rule(), this.#family);
    return unit.ok ? unit.value.text.slice("file:".length) : no(unit.refusal);
  }
}

function yes(text: string): DoorAnswer {
  return { ok: true, text, exit: null };
}

function no(refusal: { readonly code: string }): DoorAnswer {
  const { code, ...data } = refusal;
  return { ok: false, code, message: isErrorCode(code) ? toWireError(code, data).message : JSON.stringify(data) };
}

function done(text: string): ActResult {
  return {
    answer: yes(text),
    report: { ok: true, exit: null, summary: text, changed: [], works: [], output: null },
  };
}
