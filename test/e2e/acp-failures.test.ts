// What happens to a run of an assistant that speaks the Agent Client Protocol when its model's maker refuses, with the real programs.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";

/** As makers say it, by runner: OpenCode asks whoever is paid first. */
const tooLong = {
  gemini: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  opencode: "prompt is too long: 208310 tokens > 200000 maximum",
} as const;
const runners = ["gemini", "opencode"] as const;

const conversations = (runner: (typeof runners)[number]): string => `
  - name: ${runner} too long
    match: { marker: "(${runner} too long)", model: ${runner === "gemini" ? "gemini" : "claude"} }
    turns: [ { error: { status: 400, type: INVALID_ARGUMENT, message: "${tooLong[runner]}", until: never } } ]
  - name: ${runner} short
    match: { marker: "(${runner} too long)" }
    turns:
      - { call: { tool: write_file, with: { path: ${runner}-short.txt, content: "short\\n" } } }
      - { say: It is short. }
  - name: ${runner} limit
    match: { marker: "(${runner} limit)" }
    turns:
      - { error: { status: 429, type: rate_limit_error, message: slow down, until: ${runner} limit } }
      - { say: I am done. }
  - name: ${runner} down
    match: { marker: "(${runner} down)" }
    turns:
      - { error: { status: 529, type: overloaded_error, message: too many, until: ${runner} down } }
      - { say: I am done. }
`;

/** Two of these programs at once take their time where others work, too. */
const timeout = 300_000;

describe.skipIf(![...runners, "codex"].every(canTry))(
  "a maker of models that refuses an agent of ACP",
  { timeout },
  () => {
    let rig: AssistantRig;

    beforeAll(async () => {
      rig = await AssistantRig.open(`conversations:\n${runners.map(conversations).join("")}`, { "a.txt": "a\n" });
      // Nobody waits for longer than the test does.
      await rig.client.call("policy.set", { name: "slow", rules: { retryWaitMs: 3_600_000 } });
    });

    afterAll(() => rig?.close());

    test("[RN31, RN33] because it has said too much is left, and another assistant takes over", async () => {
      await Promise.all(
        runners.map(async (runner) => {
          const profile = `${runner}-or-codex`;
          await rig.client.call("profile.set", { name: profile, settings: { runner, fallbacks: ["codex"] } });
          const run = await rig.submit(runner, `${runner} too long`, `(${runner} too long)`, profile);
          await rig.inState(run, "done");
          const { events } = await rig.client.call("run.log", { run, limit: 1000 });
          expect(events.filter(({ type }) => type === "run.handed")).toMatchObject([
            { from: runner, to: "codex", failure: "context" },
          ]);
        }),
      );
    });

    test.each([
      ["limit", "rate-limit"],
      ["down", "outage"],
    ] as const)(
      "[RN32] for a time (%s) has it wait without a slot after three tries, and go on",
      async (what, failure) => {
        await Promise.all(
          runners.map(async (runner) => {
            const run = await rig.submit(runner, `${runner} ${what}`, `(${runner} ${what})`);
            await rig.inState(run, "parked");
            expect(rig.model.begun.filter((turn) => turn === `${runner} ${what} 0`)).toHaveLength(3);
            const { delay } = (await rig.client.call("run.get", { run })).run;
            expect(delay).toMatchObject({ failure, attempt: 1 });
            rig.model.release(`${runner} ${what}`);
            await rig.client.call("run.pause", { run });
            await rig.client.call("run.resume", { run });
            await rig.inState(run, "done");
          }),
        );
        expect(rig.model.problems).toEqual([]);
      },
    );
  },
);
