import { expect, test } from "vitest";
import { Waits } from "./waits.ts";

test("whoever waits for what is no event looks once when it is over, however many wait and whatever happens meanwhile", async () => {
  const waits = new Waits({
    engine: { subscribe: () => () => undefined },
    clock: { setTimer: () => () => undefined },
  } as unknown as ConstructorParameters<typeof Waits>[0]);
  let [looks, isOver] = [0, false];
  const { promise, resolve } = Promise.withResolvers<void>();
  for (let waiter = 0; waiter < 3; waiter++) {
    waits.until("ag_1", 1000, undefined, () => {
      looks++;
      if (!isOver) waits.wakeAfter("ag_1", () => promise);
      return false;
    });
  }
  for (let times = 0; times < 5; times++) waits.wake("ag_1");
  looks = 0;
  isOver = true;
  resolve();
  await promise;
  await Promise.resolve();
  expect(looks).toBe(3);
});
