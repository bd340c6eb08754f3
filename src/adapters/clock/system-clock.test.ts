import { expect, test } from "vitest";
import { systemClock } from "./system-clock.ts";

test("the steady clock rises and the other one tells the date", () => {
  const before = systemClock.monotonicMs();
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before);
  expect(Math.abs(systemClock.wallMs() - Date.now())).toBeLessThan(1000);
});

test("a timer rings once, unless it was cancelled", async () => {
  const rung: string[] = [];
  const cancel = systemClock.setTimer(1, () => rung.push("cancelled"));
  cancel();
  await new Promise<void>((resolve) => {
    systemClock.setTimer(5, () => {
      rung.push("rung");
      resolve();
    });
  });
  expect(rung).toEqual(["rung"]);
  cancel();
});

test("soon is after what is under way, and in order", async () => {
  const order: string[] = [];
  systemClock.defer(() => order.push("first"));
  const last = new Promise<void>((resolve) =>
    systemClock.defer(() => {
      order.push("second");
      resolve();
    }),
  );
  queueMicrotask(() => order.push("under way"));
  await last;
  expect(order).toEqual(["under way", "first", "second"]);
});
