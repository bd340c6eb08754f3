import { expect, test } from "vitest";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { toPastClient } from "./past.ts";

const event = (seq: number): LogEvent => ({ seq, atMs: seq, type: "run.said", v: 1, cause: null, actor: "system" });

test("the past is asked for what is dated, sees nothing later, and does nothing", async () => {
  const asked: unknown[] = [];
  const call = (name: string, input: unknown): Promise<never> => {
    asked.push([name, input]);
    const page = { events: [event(4), event(5), event(6)], next: 6, more: true, at: 9 };
    return Promise.resolve((name === "events.read" ? page : { name }) as never);
  };
  const past = toPastClient({ call } as never, 5);
  await past.call("locks", { limit: 3 });
  const { events, more } = await past.call("events.read", { after: 3 });
  expect([events.map(({ seq }) => seq), more]).toEqual([[4, 5], false]);
  await expect(past.call("run.stop", { run: "r_1" })).rejects.toThrow("This is the past");
  await expect(past.call("run.diff", { run: "r_1" })).rejects.toThrow("This is the past");
  expect(asked).toEqual([
    ["locks", { limit: 3, at: 5 }],
    ["events.read", { after: 3 }],
  ]);
});
