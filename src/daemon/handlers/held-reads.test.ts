import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import type { State } from "../../core/state.ts";
import { Context } from "../context.ts";
import type { DurableReads } from "../durable-reads.ts";
import type { DaemonParts } from "../parts.ts";
import { taskHandlers } from "./task-handlers.ts";
import { terminalHandlers } from "./terminal-handlers.ts";

const caller = { actor: "person:p", face: "person", signal: undefined } as const;

test("[EN2] what is looked up for something of the state waits until that is durable", async () => {
  const world = new CoreWorld();
  const project = world.project();
  const attachments = [{ kind: "note", name: "why", text: "Because." }] as const;
  const words = { title: "t", description: "", acceptance: null, scope: [] };
  const made = world.ok({ type: "task.add", project, ...words, attachments, key: null });
  const task = made.of === "id" ? made.id : "";
  const held: (() => void)[] = [];
  const reads = {
    read: <T>(view: (state: State) => T, reply: (value: T) => void) => void held.push(() => reply(view(world.state))),
  };
  const parts = { engine: { state: world.state, nowMs: () => 1 } } as unknown as DaemonParts;
  const own = { reads: reads as unknown as DurableReads } as unknown as ConstructorParameters<typeof Context>[1];
  const context = new Context(parts, own);
  const answered: unknown[] = [];
  const all = [
    new Promise<unknown>((resolve) =>
      terminalHandlers["terminal.list"](context, { all: true, removed: false, limit: 9 }, caller, resolve),
    ),
    new Promise<unknown>((resolve) => taskHandlers["task.attachment"](context, { task, name: "why" }, caller, resolve)),
  ].map((each) => each.then((answer) => answered.push(answer)));
  expect(held).toHaveLength(2);
  await new Promise(setImmediate);
  expect(answered).toEqual([]);
  for (const release of held) release();
  await Promise.all(all);
  expect(answered).toMatchObject([
    { ok: true, value: { terminals: [] } },
    { ok: true, value: { bytes: 8 } },
  ]);
});
