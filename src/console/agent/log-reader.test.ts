import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { LogReader } from "./log-reader.ts";

type Said = { text: string; times: [number, number][] };

test("what services had said and what they say stand in the order of time, also after the daemon was away", async () => {
  const said: Record<string, Said> = { web: { text: "", times: [] }, db: { text: "", times: [] } };
  const wishes: unknown[] = [];
  const call = (_: string, wish: { service: string; offset?: number; times?: boolean }): Promise<unknown> => {
    const { text, times } = said[wish.service] ?? { text: "", times: [] };
    wishes.push(wish.times);
    const bytes = Buffer.from(text);
    const from = wish.offset ?? 0;
    const place = { life: 1, offset: from, size: bytes.length, ended: false };
    return Promise.resolve({ ...place, base64: bytes.subarray(from).toString("base64"), times });
  };
  const reader = new LogReader("a_1");
  const services = [
    { name: "web", life: 1 },
    { name: "db", life: 1 },
  ];
  let nowMs = 0;
  const say = (service: string, text: string): void => {
    const of = said[service];
    if (of === undefined) return;
    of.times.push([of.text.length, ++nowMs]);
    of.text += text;
  };
  /** Listens for so many rounds, and something is said before each. */
  const listen = async (...rounds: readonly (() => void)[]): Promise<void> => {
    const gone = new AbortController();
    const left = [...rounds];
    const next = (): void => {
      const round = left.shift();
      if (round === undefined) gone.abort();
      else round();
    };
    next();
    await reader.follow({ call } as unknown as Client, () => services, next, gone.signal);
  };
  await listen(
    () => {
      say("db", "old 1\n");
      say("web", "old 2\n");
    },
    () => say("db", "new 3\n"),
  );
  await listen(
    () => {
      say("db", "missed 4\n");
      say("web", "missed 5\n");
    },
    () => say("db", "new 6\n"),
  );
  expect(reader.log.lines.map(({ text }) => text)).toEqual([
    "old 1",
    "old 2",
    "new 3",
    "missed 4",
    "missed 5",
    "new 6",
  ]);
  expect(new Set(wishes)).toEqual(new Set([true]));
});
