import { expect, test } from "vitest";
import { Fault } from "../base/fault.ts";
import type { Run } from "../core/run/run-state.ts";
import type { State } from "../core/state.ts";
import { settle } from "../../test/support/engine-rig.ts";
import { Halts } from "./halts.ts";
import type { KeeperLine } from "./workspace/keepers.ts";

const stubborn = new Fault("still-running", { retry: "later", message: "some processes do not stand still" });

class World {
  run = { id: "r_1", sub: false, state: "running" } as Run;
  readonly asked: boolean[] = [];
  readonly waits: number[] = [];
  /** What is in the way, one thing per request. */
  readonly faults: Error[] = [];
  /** Lets a wait be over. */
  goOn: () => void = () => undefined;
  readonly halts = new Halts({
    state: () => ({ runs: new Map([[this.run.id, this.run]]) }) as unknown as State,
    keeperOf: () => Promise.resolve({ request: (op) => this.#request(op), close: () => undefined } as KeeperLine),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        this.waits.push(ms);
        this.goOn = resolve;
        signal.addEventListener("abort", () => resolve());
      }),
  });

  move(state: Run["state"]): Promise<void> {
    this.run = { ...this.run, state };
    this.halts.note(this.run);
    return settle();
  }

  async tick(): Promise<void> {
    this.goOn();
    await settle();
  }

  #request(op: object): Promise<unknown> {
    this.asked.push((op as { readonly on: boolean }).on);
    const fault = this.faults.shift();
    return fault === undefined ? Promise.resolve({}) : Promise.reject(fault);
  }
}

test("[EN17] a halt that does not succeed is tried again, later each time, until it does", async () => {
  const world = new World();
  world.faults.push(stubborn, stubborn, stubborn);
  await world.move("paused");
  for (let tries = 0; tries < 3; tries++) await world.tick();
  expect(world.asked).toEqual([true, true, true, true]);
  expect(world.waits).toEqual([500, 1000, 2000]);
  await world.tick();
  expect(world.asked).toHaveLength(4);
});

test("[EN17] whoever resumes does not wait for the next try, and nothing is halted after it", async () => {
  const world = new World();
  world.faults.push(stubborn);
  await world.move("paused");
  await world.move("running");
  expect(world.asked).toEqual([true, false]);
  await world.tick();
  expect(world.asked).toEqual([true, false]);
});

test("[EN17] what a daemon halted that died before its run had a slot again goes on with the next one", async () => {
  const world = new World();
  world.run = { ...world.run, state: "parked" };
  world.halts.begin([world.run]);
  await settle();
  expect(world.asked).toEqual([]);
  await world.move("running");
  expect(world.asked).toEqual([false]);
  // Once is enough.
  await world.move("blocked");
  await world.move("running");
  expect(world.asked).toEqual([false]);
});

test("[EN17] a node that closes tries no more: the next one does", async () => {
  const world = new World();
  world.faults.push(stubborn);
  await world.move("paused");
  world.halts.close();
  await settle();
  expect(world.asked).toEqual([true]);
});
