// The door of one run: the only way by which its runner touches files and processes. Each call is put to the engine, waits
// there for its leases, acts under the fences it was given, and reports what became of it. Calls are numbered, so that a
// runner that starts again repeats none.

import type { Logged } from "../../core/events.ts";
import type { CallAnswer, FinishCall, Input } from "../../core/inputs.ts";
import { parseUnit, type UnitRule } from "../../core/lease/unit.ts";
import type { CallTool } from "../../core/run/run-state.ts";
import type { Door, DoorAnswer } from "../../ports/runner.ts";
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

export class RunDoor implements Door {
  readonly #line: EngineLine;
  readonly #tools: Tools;
  readonly #run: string;
  readonly #family: string;
  readonly #signal: AbortSignal;
  readonly #waiters = new Set<Waiter>();
  /** Number of the next call. */
  #next: number;
  /** Calls below this were done by an earlier driver. */
  readonly #doneBefore: number;
  readonly #answers: string[];
  readonly #rule: () => UnitRule;

  constructor(options: {
    line: EngineLine;
    tools: Tools;
    run: string;
    family: string;
    callsDone: number;
    answers: readonly string[];
    /** How the project reads names. */
    rule: () => UnitRule;
    signal: AbortSignal;
  }) {
    this.#line = options.line;
    this.#tools = options.tools;
    this.#run = options.run;
    this.#family = options.family;
    this.#signal = options.signal;
    this.#doneBefore = options.callsDone;
    this.#answers = [...options.answers];
    this.#next = 0;
    this.#rule = options.rule;
    this.#signal.addEventListener("abort", () => {
      for (const waiter of this.#waiters) waiter.overtaken();
    });
  }

  /** An event of this run became durable. */
  hear(event: Logged): void {
    for (const waiter of [...this.#waiters]) waiter.hear(event);
  }

  claim(units: readonly string[]): Promise<DoorAnswer> {
    return this.#call({ tool: "claim", units, bytes: 0, other: null }, async () => done(`yours: ${units.join(", ")}`));
  }

  async release(units: readonly string[] | null, setAside: boolean): Promise<DoorAnswer> {
    // Giving back is no numbered call. When later calls are done, so was this one; at the very place where an earlier
    // driver stopped nobody knows, and what is not held any more was given back.
    if (this.#next < this.#doneBefore) return yes("given back");
    const input = { type: "run.release", run: this.#run, family: this.#family, units, setAside } as const;
    const outcome = await this.#submit(input);
    if (outcome.ok) return yes("given back");
    const resumed = this.#doneBefore > 0 && this.#next === this.#doneBefore;
    return resumed && outcome.refusal.code === "not-held" ? yes("given back") : this.#no(outcome.refusal);
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
      this.#tools.write({ family: this.#family, unit, fence: fences[0] ?? 0, tag: this.#tag(number) }, content),
    );
  }

  async edit(spelled: string, find: string, replace: string): Promise<DoorAnswer> {
    const path = this.#pathOf(spelled);
    if (typeof path !== "string") return path;
    const unit = `file:${path}`;
    return this.#call(
      { tool: "edit", units: [unit], bytes: Buffer.byteLength(replace), other: null },
      (number, fences) =>
        this.#tools.edit({ family: this.#family, unit, fence: fences[0] ?? 0, tag: this.#tag(number) }, find, replace),
    );
  }

  run(argv: readonly string[]): Promise<DoorAnswer> {
    return this.#call({ tool: "run", units: [], bytes: 0, other: null }, (number) =>
      this.#tools.command(this.#tag(number), argv, this.#signal),
    );
  }

  process(name: string): Promise<DoorAnswer> {
    const unit = `process:${name}`;
    return this.#call({ tool: "process", units: [unit], bytes: 0, other: null }, (number, fences) =>
      this.#tools.process(
        { family: this.#family, unit, fence: fences[0] ?? 0, tag: this.#tag(number) },
        name,
        this.#signal,
      ),
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
    const call = this.#next++;
    if (call < this.#doneBefore) return yes("said");
    return this.#untilRunning({ type: "run.say", run: this.#run, family: this.#family, call, text });
  }

  async ask(text: string): Promise<DoorAnswer> {
    const call = this.#next++;
    const known = this.#answers.shift();
    if (known !== undefined) return yes(known);
    const answer = this.#waitFor((event) => (event.type === "run.answered" ? event.text : undefined));
    if (call >= this.#doneBefore) {
      const asked = await this.#untilRunning({ type: "run.ask", run: this.#run, family: this.#family, call, text });
      if (!asked.ok) return asked;
    }
    return yes(await answer.heard);
  }

  async finish(ok: boolean, message: string): Promise<DoorAnswer> {
    return this.#untilRunning({ type: "run.finish", run: this.#run, family: this.#family, ok, message });
  }

  async #call(
    begun: Begun,
    act: (number: number, fences: readonly number[], startedAtMs: number) => Promise<ActResult>,
  ): Promise<DoorAnswer> {
    const call = this.#next++;
    if (call < this.#doneBefore) return yes("done before");
    const entered = await this.#enter(call, begun);
    if (!("state" in entered)) return entered;
    if (entered.state !== "go") return yes("done before");
    const result = await act(call, entered.fences, entered.startedAtMs);
    if (this.#signal.aborted) throw new DriverOvertaken();
    await this.#report({ type: "call.finish", run: this.#run, family: this.#family, call, ...result.report });
    return result.answer;
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
        if (!outcome.ok) return this.#no(outcome.refusal);
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
  async #untilRunning(input: Extract<Input, { type: "run.say" | "run.ask" | "run.finish" }>): Promise<DoorAnswer> {
    for (;;) {
      const running = this.#waitFor((event) =>
        event.type === "run.moved" && event.to === "running" ? true : undefined,
      );
      try {
        const outcome = await this.#submit(input);
        if (outcome.ok) return yes("recorded");
        if (outcome.refusal.code !== "wrong-state") return this.#no(outcome.refusal);
        await running.heard;
      } finally {
        running.forget();
      }
    }
  }

  async #submit(input: Input): ReturnType<EngineLine["submit"]> {
    const outcome = await this.#line.submit({ actor: `agent:${this.#run}`, input }, this.#signal);
    if (this.#signal.aborted) throw new DriverOvertaken();
    if (!outcome.ok && outcome.refusal.code === "expired") throw new DriverOvertaken("expired");
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
    const unit = parseUnit(`file:${spelled}`, this.#rule(), this.#family);
    return unit.ok ? unit.value.text.slice("file:".length) : { ok: false, code: "bad-unit", message: unit.refusal.why };
  }

  #tag(call: number): string {
    return `${this.#run}-${call}`;
  }

  #no(refusal: { readonly code: string }): DoorAnswer {
    return { ok: false, code: refusal.code, message: JSON.stringify(refusal) };
  }
}

function yes(text: string): DoorAnswer {
  return { ok: true, text, exit: null };
}

function done(text: string): ActResult {
  return {
    answer: yes(text),
    report: { ok: true, exit: null, summary: text, changed: [], dirty: [], clean: [], output: null },
  };
}
