// The runner that has no assistant of its own: whoever connects to the run's door, with its token, drives it.

import { mayUse } from "../../core/profile/profile.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Door, Runner, RunnerJob, StopSignal } from "../../ports/runner.ts";
import { claimTool, type DoorControl, doorTools, lookTool, permitTool } from "./door-tools.ts";
import type { DoorKeys } from "./door-keys.ts";
import { ModelDoor, type Named, patienceMs, type ToolAnswer } from "./model-door.ts";

export type ModelDoorsOptions = { readonly keys: DoorKeys; readonly clock: Clock };

const tools = new Map(doorTools.map((tool) => [tool.name, tool]));

export class ModelDoors implements Runner {
  readonly name = "mcp";
  readonly keys: DoorKeys;
  readonly #clock: Clock;
  readonly #open = new Map<string, ModelDoor>();
  /** Those who wait for a door to open. */
  readonly #waiters = new Set<() => void>();
  /** How many messages of people each run's model has been told. */
  readonly #told = new Map<string, number>();
  readonly #control = Promise.withResolvers<DoorControl>();

  constructor({ keys, clock }: ModelDoorsOptions) {
    this.keys = keys;
    this.#clock = clock;
  }

  /** Gives the doors what reaches beyond them. */
  connect(control: DoorControl): void {
    this.#control.resolve(control);
  }

  async drive(job: RunnerJob, door: Door, signal: StopSignal): Promise<void> {
    const { model, over } = await this.open(job, door, signal, this.#newsOf(job));
    job.listen((news) => {
      // What is said after its last word is for whoever takes the run up again.
      if (news.is !== "message" || door.isFinished) return;
      this.#told.set(job.run, (this.#told.get(job.run) ?? 0) + 1);
      model.tell(personSays(news.text));
    });
    await over;
  }

  /** Opens the run's door for its model; it is over when the model has finished, or the signal says so. */
  async open(
    job: RunnerJob,
    door: Door,
    signal: StopSignal,
    news: readonly string[],
  ): Promise<{ readonly model: ModelDoor; readonly over: Promise<void> }> {
    const control = await this.#control.promise;
    const { run } = job;
    const model = new ModelDoor({
      hands: { run, door, control },
      clock: this.#clock,
      tools: new Map([
        ...[...tools].filter(([name]) => mayUse(job.settings, name)),
        ...[claimTool, lookTool, permitTool].map((tool) => [tool.name, tool] as const),
      ]),
      requestFile: this.keys.requestFileOf(run),
      answersFile: this.keys.answersFileOf(run),
      news,
    });
    const stopped = Promise.withResolvers<void>();
    const stop = (): void => {
      model.close();
      stopped.resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await model.resume(job);
    this.#open.set(run, model);
    for (const waiter of this.#waiters) waiter();
    const over = Promise.race([model.finished, stopped.promise]).then(() => {
      if (this.#open.get(run) === model) this.#open.delete(run);
    });
    return { model, over };
  }

  /** Who holds what in the run's project, in lines. */
  async locks(run: string): Promise<string> {
    return (await this.#control.promise).locks(run);
  }

  /** Does what a model asks for, as soon as the run is at work. */
  async call(run: string, name: string, args: unknown, named: Named = {}): Promise<ToolAnswer> {
    const tool = tools.get(name);
    if (tool === undefined) return { text: `There is no tool ${name}. Call one of the list.`, isError: true };
    const model = await this.#doorOf(run);
    if (model !== undefined) return model.call(tool, args, named);
    const control = await this.#control.promise;
    return {
      text: `The run is not at work: ${control.stateOf(run)}. Nothing was done. Call again later.`,
      isError: true,
    };
  }

  /** The run's door; one that is closed is waited for, for a while. */
  async #doorOf(run: string): Promise<ModelDoor | undefined> {
    const open = this.#open.get(run);
    if (open !== undefined) return open;
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.#open.get(run);
        if (found === undefined) return;
        finish(found);
      };
      const finish = (found: ModelDoor | undefined): void => {
        this.#waiters.delete(look);
        cancel();
        resolve(found);
      };
      const cancel = this.#clock.setTimer(patienceMs, () => finish(undefined));
      this.#waiters.add(look);
    });
  }

  #newsOf({ run, messages, sentBack }: RunnerJob): string[] {
    const fresh = messages.slice(this.#told.get(run) ?? 0);
    this.#told.set(run, messages.length);
    const back = sentBack === null || fresh.includes(sentBack) ? [] : [`Your result was sent back: ${sentBack}`];
    return [...back, ...fresh.map(personSays)];
  }
}

function personSays(text: string): string {
  return `A person says: ${text}`;
}
