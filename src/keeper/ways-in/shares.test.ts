import { Socket } from "node:net";
import { expect, test } from "vitest";
import { Refused } from "./dial.ts";
import { Shares } from "./shares.ts";

const { signal } = new AbortController();

/** Connections that are made when the test says so, or refused; each is a socket that something has gone through. */
function rig(refusing: readonly number[] = []): { shares: Shares; dialled: number[]; let: PromiseWithResolvers<void> } {
  const dialled: number[] = [];
  const gate = Promise.withResolvers<void>();
  const connect = async (port: number): Promise<Socket> => {
    dialled.push(port);
    if (refusing.includes(port)) throw new Refused(port);
    await gate.promise;
    return new Socket().destroy();
  };
  return { shares: new Shares([80], connect, () => undefined), dialled, let: gate };
}

test("[SV21] callers are shared out in turn among those that stand behind a port", async () => {
  const { shares, dialled, let: gate } = rig();
  gate.resolve();
  await shares.set(80, [1, 2, 3], 1);
  for (let at = 0; at < 6; at++) await shares.connect(80, signal);
  expect(dialled).toEqual([1, 2, 3, 1, 2, 3]);
});

test("[SV21] one that cannot be reached is passed over, and where there is nobody the connection is refused", async () => {
  const { shares, dialled, let: gate } = rig([2]);
  gate.resolve();
  await expect(shares.connect(80, signal)).rejects.toThrow(Refused);
  await shares.set(80, [2, 3], 1);
  await shares.connect(80, signal);
  expect(dialled).toEqual([3]);
  await shares.connect(80, signal);
  expect(dialled).toEqual([3, 2, 3]);
  await shares.set(80, [2], 2);
  await expect(shares.connect(80, signal)).rejects.toThrow(Refused);
});

test("[SV25] who stands behind it is said in order, and it is answered when nobody is on the way to the others", async () => {
  const { shares, dialled, let: gate } = rig();
  await shares.set(80, [1], 5);
  const connecting = shares.connect(80, signal);
  let isAnswered = false;
  const setting = shares.set(80, [2], 6).then(() => (isAnswered = true));
  await shares.set(80, [1], 5);
  expect(isAnswered).toBe(false);
  gate.resolve();
  await connecting;
  await setting;
  await shares.connect(80, signal);
  expect(dialled).toEqual([1, 2]);
  await expect(shares.set(81, [2], 7)).rejects.toThrow("port 81 is not one that is shared");
});

test("[SV25] whoever says the same once more is answered when nobody is on the way either", async () => {
  const { shares, let: gate } = rig();
  await shares.set(80, [1, 2], 1);
  const connecting = shares.connect(80, signal);
  const answered: string[] = [];
  const settings = ["first", "again"].map((name) => shares.set(80, [2], 2).then(() => answered.push(name)));
  // Time enough for one that waits for nothing.
  await new Promise(setImmediate);
  expect(answered).toEqual([]);
  gate.resolve();
  await connecting;
  await Promise.all(settings);
  expect(answered).toEqual(["first", "again"]);
});
