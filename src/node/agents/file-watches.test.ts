import { expect, test } from "vitest";
import type { KeeperLine } from "../workspace/keepers.ts";
import { FileWatches } from "./file-watches.ts";

test("[SV41] what changes its own files at each start is told more and more rarely, and a quiet while makes up for it", async () => {
  let nowMs = 0;
  let seen = 0;
  const pauses: number[] = [];
  const reports: number[] = [];
  const done = Promise.withResolvers<void>();
  const over = new AbortController();
  const watches = new FileWatches({
    nowMs: () => nowMs,
    sleep: async (ms) => void pauses.push(ms),
    closing: over.signal,
    onDefect: (error) => done.reject(error),
    report: async () => {
      reports.push(pauses.length);
      if (reports.length < 30) return;
      over.abort();
      done.resolve();
    },
  });
  const request = async (): Promise<unknown> => {
    // Before the twentieth nothing changes for a while.
    nowMs += reports.length === 20 ? 60_000 : 100;
    return { seen: ++seen, paths: ["src/log"], count: 1 };
  };
  watches.listen("a_1", { spec: { name: "web", watch: ["src/**"] }, group: null }, {
    request,
  } as unknown as KeeperLine);
  await done.promise;
  expect(reports.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 1]);
  expect(pauses.slice(0, 3)).toEqual([500, 1000, 2000]);
  expect(Math.max(...pauses)).toBe(20_000);
  expect(reports[21]).toBe(reports[19]);
});

test("[AW14] listens for the files that the template names now, and for none where it names none", () => {
  const asked: { readonly globs: unknown; readonly signal: AbortSignal | undefined }[] = [];
  const keeper: KeeperLine = {
    request: (order, signal) => {
      asked.push({ globs: order.op === "watch" ? order.globs : null, signal });
      return new Promise(() => undefined);
    },
    close: () => undefined,
  };
  const { signal: closing } = new AbortController();
  const clock = { nowMs: () => 0, sleep: () => Promise.resolve() };
  const watches = new FileWatches({ ...clock, report: () => Promise.resolve(), closing, onDefect: () => undefined });
  const listen = (watch?: readonly string[]): void =>
    watches.listen("a_1", { spec: { name: "web.1", ...(watch === undefined ? {} : { watch }) }, group: "web" }, keeper);
  listen(["src/**"]);
  listen(["src/**"]);
  listen(["lib/**"]);
  const heard = (): unknown => asked.map(({ globs, signal }) => [globs, signal?.aborted]);
  expect(heard()).toEqual([
    [["src/**"], true],
    [["lib/**"], false],
  ]);
  listen();
  expect(asked.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
});
