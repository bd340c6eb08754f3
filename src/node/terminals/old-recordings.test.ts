import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import type { Input } from "../../core/inputs.ts";
import { forgetOldRecordings } from "./old-recordings.ts";

test("[TM20] what is kept no longer goes, and a look that only looks lets nothing go", async () => {
  const world = new AgentWorld();
  const agent = world.running([lone]);
  const answer = world.ok({ type: "terminal.open", agent, argv: ["top"], cols: 80, rows: 24 });
  const terminal = answer.of === "id" ? answer.id : "";
  const end = { exit: 0, why: "ended", bytes: 7, message: null } as const;
  world.ok({ type: "terminal.end", terminal, ...end }, "system");
  const submitted: Input[] = [];
  const options = {
    recordings: { sizes: async () => new Map([[terminal, 100]]) },
    state: () => world.state,
    nowMs: () => world.nowMs,
    submit: async (input: Input) => {
      submitted.push(input);
      world.ok(input, "system");
    },
  };
  expect(await forgetOldRecordings(options, false)).toEqual({ count: 0, bytes: 0 });
  world.policy("small", { recordingBytes: 99 });
  expect(await forgetOldRecordings(options, true)).toEqual({ count: 1, bytes: 100 });
  expect(submitted).toEqual([]);
  expect(await forgetOldRecordings(options, false)).toEqual({ count: 1, bytes: 100 });
  expect(submitted).toEqual([{ type: "terminal.forget", terminal, because: "size" }]);
  expect(world.state.terminals.size).toBe(0);
});
