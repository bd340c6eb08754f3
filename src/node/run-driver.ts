// Hosts the runner of one run: starts it, gives it its door, and lets go of it when the run is over or went on elsewhere.

import { Fault } from "../base/fault.ts";
import type { Logged } from "../core/events.ts";
import type { UnitRule } from "../core/lease/unit.ts";
import type { Failure } from "../core/run/failure.ts";
import type { Run } from "../core/run/run-state.ts";
import type { Task } from "../core/task/task-state.ts";
import type { Beside, Runner, RunnerJob, RunnerNews } from "../ports/runner.ts";
import type { EngineLine } from "./engine-line.ts";
import { awayIn, toNews } from "./runner-news.ts";
import { DriverOvertaken } from "./tool-host/driver-overtaken.ts";
import { RunDoor } from "./tool-host/run-door.ts";
import type { Tools } from "./tool-host/tools.ts";

export type RunDriverOptions = {
  readonly runner: Runner;
  readonly run: Run;
  readonly task: Task;
  /** Whether an earlier driver may have got something done already. */
  readonly resumed: boolean;
  readonly line: EngineLine;
  readonly tools: Tools;
  readonly rule: () => UnitRule;
  readonly carried: () => readonly string[];
  readonly resultCalls: ReadonlySet<number>;
  readonly script: string | null;
  readonly scope: readonly string[] | null;
  readonly beside: Beside;
  readonly onDefect: (error: unknown) => void;
};

export class RunDriver {
  readonly run: string;
  readonly family: string;
  readonly #options: RunDriverOptions;
  readonly #abort = new AbortController();
  readonly #door: RunDoor;
  readonly #job: RunnerJob;
  readonly #listeners = new Set<(news: RunnerNews) => void>();
  /** Everything since it drives: a runner makes itself ready before it listens, and nobody else would tell it. */
  readonly #news: RunnerNews[] = [];
  over = false;

  constructor(options: RunDriverOptions) {
    const { run, task, script, line, tools, rule, carried, resumed, resultCalls } = options;
    const { id, family, title, callsDone, refused, answers, messages, sentBack, plan, told, heard, session, settings } =
      run;
    const callBegun = run.call !== null;
    this.#options = options;
    this.run = id;
    this.family = family;
    const { description, acceptance, attachments } = task;
    this.#job = {
      ...{
        run: id,
        title,
        description,
        acceptance,
        attachments,
        scope: options.scope,
        plan,
        script,
        command: run.command,
        settings,
        callsDone,
        callBegun,
      },
      ...{ messages: [...messages], told, heard, session, sentBack },
      ...{ handed: run.handed, landed: run.landed, beside: options.beside },
      placed: run.placed === "not-yet" ? null : run.placed,
      changed: () => [...new Set([...run.workspace.dirty.keys(), ...run.changed.keys()])].toSorted(),
      away: awayIn(run.state),
      listen: (listener) => {
        for (const news of this.#news) listener(news);
        this.#listeners.add(listener);
      },
    };
    const { signal } = this.#abort;
    this.#door = new RunDoor({
      line,
      tools,
      run: id,
      family,
      callsDone,
      callBegun,
      refused,
      resultCalls,
      resumed,
      answers,
      claim: run.call?.claim ?? null,
      asks: run.question !== null,
      rule,
      carried,
      signal,
    });
  }

  hear(event: Logged): void {
    this.#door.hear(event);
    const news = toNews(event);
    if (news === undefined) return;
    this.#news.push(news);
    for (const listener of this.#listeners) listener(news);
  }

  /** The runner is told to stop. Its run is not: somebody else decides what becomes of that. */
  abandon(): void {
    this.over = true;
    this.#abort.abort();
  }

  /** Lets the runner work. Resolves when it has ended, for whatever reason. */
  async drive(): Promise<void> {
    const { runner, run } = this.#options;
    try {
      const job = run.regains ? await this.#regain() : this.#job;
      if (job === undefined) return;
      await runner.drive(job, this.#door, this.#abort.signal);
      if (!this.#door.isFinished) await this.#fail(this.#door.whyUnfinished ?? "its runner ended without a result");
    } catch (error) {
      // A runner that breaks ends its run, with its reason; the daemon goes on.
      if (!(error instanceof DriverOvertaken)) await this.#failBy(error);
    } finally {
      this.over = true;
    }
  }

  /**
   * What it has lost is claimed again without its runner: only where that met somebody else's work, or a person has said something,
   * is there something to do (LD20, LD33). Answers what, or nothing when the result is given.
   */
  async #regain(): Promise<RunnerJob | undefined> {
    const { run } = this.#options;
    if (run.messages.length > run.told) return this.#job;
    this.#door.skipTo(this.#job.callsDone);
    const answer = await this.#door.finish(true, "what it had lost is claimed again", { unlessSaid: run.told });
    if (answer.ok) return undefined;
    const sentBack = answer.code === "unheard" ? this.#job.sentBack : answer.message;
    const since = { messages: [...run.messages], callsDone: this.#door.nextCall, callBegun: false };
    return { ...this.#job, ...since, sentBack };
  }

  /** Where its program is not there, another one of its profile may do. */
  async #failBy(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    const isMissing = error instanceof Fault && error.code === "runner-missing";
    const { runner, heard } = this.#options.run;
    const missing = { class: "missing", runner, life: heard?.life ?? 0, retryAfterMs: null, said: "" } as const;
    await this.#fail(message, isMissing ? missing : undefined);
  }

  async #fail(message: string, failure?: Failure): Promise<void> {
    if (this.#abort.signal.aborted) return;
    await this.#door.finish(false, message, { failure }).catch((error: unknown) => {
      if (!(error instanceof DriverOvertaken)) this.#options.onDefect(error);
    });
  }
}
