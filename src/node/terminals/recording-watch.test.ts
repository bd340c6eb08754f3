import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import type { Input } from "../../core/inputs.ts";
import { recordingsEveryMs, RecordingWatch } from "./recording-watch.ts";

test("[TM20] it is looked at the start and once in an hour, also after a look that failed", async () => {
  const world = new AgentWorld();
  const agent = world.running([lone]);
  const answer = world.ok({ type: "terminal.open", agent, argv: ["top"], cols: 80, rows: 24 });
  const terminal = answer.of === "id" ? answer.id : "";
  const end = { exit: 0, why: "ended", bytes: 7, message: null } as const;
  world.ok({ type: "terminal.end", terminal, ...end }, "system");
  const clock = new TestClock();
  const submitted: Input[] = [];
  const failed: unknown[] = [];
  let isBroken = false;
  const watch = new RecordingWatch({
    clock,
    recordings: { sizes: async () => (isBroken ? Promise.reject(new Error("no disk")) : new Map([[terminal, 100]])) },
    state: () => world.state,
    nowMs: () => world.nowMs,
    submit: async (input) => {
      submitted.push(input);
      world.ok(input, "system");
    },
    onFailed: (error) => failed.push(error),
  });
  watch.begin();
  await expect.poll(() => clock.nextMs).toBe(recordingsEveryMs);
  expect(submitted).toEqual([]);
  isBroken = true;
  clock.advance(recordingsEveryMs);
  await expect.poll(() => clock.nextMs).toBe(recordingsEveryMs);
  expect(failed).toHaveLength(1);
  isBroken = false;
  world.policy("small", { recordingBytes: 99 });
  clock.advance(recordingsEveryMs);
  await expect.poll(() => clock.nextMs).toBe(recordingsEveryMs);
  expect(submitted).toEqual([{ type: "terminal.forget", terminal, because: "size" }]);
  expect(world.state.terminals.size).toBe(0);
  watch.close();
  expect(clock.nextMs).toBeUndefined();
});
