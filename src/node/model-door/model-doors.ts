// The runner that has no assistant of its own: whoever connects to the run's door, with its token, drives it.

import type { Clock } from "../../ports/clock.ts";
import type { Door, Runner, RunnerJob, StopSignal } from "../../ports/runner.ts";
import { type DoorControl, doorTools } from "./door-tools.ts";
import type { DoorKeys } from "./door-keys.ts";
import { ModelDoor, patienceMs, type ToolAnswer } from "./model-door.ts";

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
    const control = await this.#control.promise;
    const { run } = job;
    const model = new ModelDoor({
      hands: { run, door, control },
      clock: this.#clock,
      tools,
      requestFile: this.keys.requestFileOf(run),
      news: this.#newsOf(job),
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
    await Promise.race([model.finished, stopped.promise]);
    if (this.#open.get(run) === model) this.#open.delete(run);
  }

  /** Does what a model asks for, as soon as the run is at work. */
  async call(run: string, name: string, args: unknown): Promise<ToolAnswer> {
    const tool = tools.get(name);
    if (tool === undefined) return { text: `There is no tool ${name}. Call one of the list.`, isError: true };
    const model = await this.#doorOf(run);
    if (model !== undefined) return model.call(tool, args);
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
    return [...back, ...fresh.map((message) => `A person says: ${message}`)];
  }
}
