import { expect, test } from "vitest";
import type { TimeMark } from "../../base/time-marks.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { Caller, Context } from "../context.ts";
import { readLogs } from "./agent-logs.ts";

type Kept = Readonly<Record<string, { readonly text: string; readonly times?: readonly TimeMark[] }>>;
type More = Partial<ParsedInputOf<"agent.logs">>;

/** An agent whose services have said this, by service and life. */
function contextOf(kept: Kept): Context {
  const lives = new Map<string, number>();
  for (const name of Object.keys(kept)) {
    const [service = "", life = "1"] = name.split("-");
    lives.set(service, Math.max(Number(life), lives.get(service) ?? 0));
  }
  const services = new Map([...lives].map(([name, life]) => [name, { spec: { name }, life, group: null }]));
  const agent = { id: "a_1", name: "shop", services, isMade: true };
  const read = (name: string, { offset, limit }: { offset: number; limit: number }): Promise<unknown> => {
    const { text = "", times } = kept[name.split("/")[1] ?? ""] ?? {};
    const all = Buffer.from(text);
    const from = offset < 0 ? Math.max(0, all.length + offset) : offset;
    return Promise.resolve({ bytes: all.subarray(from, from + limit), offset: from, size: all.length, times });
  };
  const state = { agents: new Map([["a_1", agent]]) };
  return { state, parts: { outputs: { read } } } as unknown as Context;
}

const saidIn = (kept: Kept, more: More = {}): Promise<OutputOf<"agent.logs">> =>
  readLogs(contextOf(kept), { agent: "a_1", lives: "newest", limit: 10, ...more }, {} as Caller);
const textsIn = async (kept: Kept, more: More = {}): Promise<string[]> =>
  (await saidIn(kept, more)).lines.map(({ text }) => text);

const web: readonly TimeMark[] = [
  [0, 10],
  [2, 30],
  [4, 50],
];
const db: readonly TimeMark[] = [
  [0, 20],
  [2, 40],
];
const shop: Kept = { "web-1": { text: "a\nb\nc\n", times: web }, "db-1": { text: "x\ny\n", times: db } };

test("[SV15] what several said stands in the order of time", async () => {
  const { lines, ends, untimed, more } = await saidIn(shop);
  expect(lines.map(({ text, atMs }) => `${text} ${atMs}`)).toEqual(["a 10", "x 20", "b 30", "y 40", "c 50"]);
  expect(ends).toEqual([
    { service: "web", life: 1, offset: 6 },
    { service: "db", life: 1, offset: 4 },
  ]);
  expect({ untimed, more }).toEqual({ untimed: [], more: false });
});

test("[SV15] it can be bounded by times, by a text and by a number, and what has no times is named", async () => {
  expect(await textsIn(shop, { sinceMs: 20, untilMs: 40 })).toEqual(["x", "b", "y"]);
  expect(await textsIn(shop, { text: "y" })).toEqual(["y"]);
  expect(await textsIn(shop, { limit: 1 })).toEqual(["y", "c"]);
  expect((await saidIn(shop, { limit: 1 })).more).toBe(true);
  const old: Kept = { ...shop, "old-1": { text: "o\n" } };
  expect(await textsIn(old)).toEqual(["o", "a", "x", "b", "y", "c"]);
  expect(await saidIn(old, { sinceMs: 45 })).toMatchObject({ lines: [{ text: "c" }], untimed: ["old"] });
});

test("[SV15] what a service said stays in its own order, also where the clock went back, and through its lives", async () => {
  const back: readonly TimeMark[] = [
    [0, 100],
    [4, 60],
  ];
  const lives: Kept = {
    "web-1": { text: "one\n" },
    "web-2": { text: "two\nthree\n", times: back },
    "db-1": { text: "db\n", times: [[0, 80]] },
  };
  expect(await textsIn(lives, { lives: "all" })).toEqual(["one", "db", "two", "three"]);
  expect(await textsIn(lives, { lives: "previous" })).toEqual(["one"]);
  expect(await textsIn(lives, { services: ["web"], life: 1 })).toEqual(["one"]);
});
