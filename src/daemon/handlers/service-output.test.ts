import { describe, expect, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import { limits } from "../../protocol/limits.ts";
import type { Caller, Context } from "../context.ts";
import { readOutput, searchOutput } from "./service-output.ts";

const wish = { agent: "a_1", text: "here", lives: "newest", limit: 10 } as const;

/** An agent with two services, each of which has said so much when it is read at an offset. */
function contextOf(sizeAt: (offset: number) => number): { context: Context; reads: string[] } {
  const services = new Map(["web", "db"].map((name) => [name, { spec: { name }, life: 1, group: null }]));
  const agent = { id: "a_1", name: "shop", services, isMade: true };
  const reads: string[] = [];
  const read = (name: string, { offset, limit }: { offset: number; limit: number }): Promise<unknown> => {
    reads.push(name);
    if (reads.length > 50) throw new Error("this goes on for ever");
    const size = sizeAt(offset);
    const bytes = Buffer.alloc(Math.min(limit, size - offset), "here it is\n");
    return Promise.resolve({ bytes, offset, size });
  };
  const state = { agents: new Map([["a_1", agent]]) };
  return { context: { state, parts: { outputs: { read } } } as unknown as Context, reads };
}

test("[SV12] a service that says more than is read meanwhile keeps no search for ever", async () => {
  // Whenever a page is read, two more are there.
  const { context, reads } = contextOf((offset) => offset + 2 * limits.outputBytesMax);
  const { matches } = await searchOutput(context, wish, {} as Caller);
  expect(matches).toHaveLength(20);
  expect(reads).toHaveLength(4);
});

test("[SV12] a search that nobody waits for any more ends, also before the next service", async () => {
  const leaving = new AbortController();
  const { context, reads } = contextOf((offset) => {
    leaving.abort();
    return offset + 2 * limits.outputBytesMax;
  });
  await searchOutput(context, wish, { signal: leaving.signal } as Caller);
  expect(reads).toHaveLength(1);
});

describe("what a service says while its agent goes", () => {
  const wished = { agent: "a_1", service: "web", limit: 10, waitMs: 0, times: false };

  /** A keeper that knows the service when it is asked first, and then no more. */
  function going(then: (agents: Map<string, { state: string }>) => void): Context {
    const agent = { id: "a_1", name: "shop", state: "running", isMade: true };
    const agents = new Map([["a_1", { ...agent, services: new Map([["web", { spec: { name: "web" }, life: 1 }]]) }]]);
    let asked = 0;
    const request = (): Promise<unknown> => {
      if (++asked === 1) return Promise.resolve({ base64: "", offset: 0, totalBytes: 5, ended: false });
      then(agents);
      throw new Fault("unknown-call", { retry: "never", message: "there is no call a_1-web-1" });
    };
    const parts = {
      outputs: { read: () => Promise.resolve(null) },
      agents: { placeOf: () => Promise.resolve({ keeper: { request } }) },
    };
    return { state: { agents }, parts } as unknown as Context;
  }

  test("[SV11] is at its end when it stops in the middle of a read", async () => {
    const context = going((agents) => Object.assign(agents.get("a_1") ?? {}, { state: "stopping" }));
    expect(await readOutput(context, wished, {} as Caller)).toMatchObject({ text: "", ended: true });
  });

  test("[SV11] is nothing when it was removed in the middle of a read, and whoever asks hears that", async () => {
    const context = going((agents) => agents.clear());
    await expect(readOutput(context, wished, {} as Caller)).rejects.toMatchObject({ code: "not-found" });
  });
});
