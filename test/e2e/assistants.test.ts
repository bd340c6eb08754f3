// The real assistants, side by side in one repository.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { costOf, priceOf, type Usage } from "../../src/core/budget/prices.ts";
import { contractScenario, describeAssistants, type Tried } from "../contracts/assistant.contract.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";

const tried: readonly Tried[] = [
  { runner: "claude", program: "claude", asks: "ask_user", steers: true, keeps: true },
  { runner: "codex", program: "codex", asks: "ask_user", steers: true, keeps: true },
  // Gemini knows the tool that asks by another name, and writes down late what it did.
  { runner: "gemini", program: "gemini", asks: "ask_person", steers: false, keeps: false },
  { runner: "opencode", program: "opencode", asks: "ask_user", steers: false, keeps: true },
];
const runners = tried.map(({ runner }) => runner);

const together = (runner: string): string => `
  - name: ${runner} together
    match: { marker: "(${runner} together)" }
    turns:
      - { say: I begin., call: { tool: write_file, with: { path: words/${runner}.txt, content: "moin\\n" } } }
      - expect: { toolResult: wrote }
        call: { tool: edit_file, with: { path: index.txt, find: "# end", replace: "${runner}\\n# end" } }
      - { expect: { toolResult: edited }, call: { tool: finish, with: { message: added } } }
      - { say: Done. }
`;

/** Gemini asks a small model first which one to ask. */
const scenario = `
conversations:
  - name: router
    match: { model: gemini-3.5-flash-lite }
    repeat: true
    turns: [ { say: '{"reasoning":"it is small","model_choice":"pro"}' } ]
${tried.map((each) => contractScenario(each) + together(each.runner)).join("")}`;

/** By the price list, to the token; nothing where the model has no price. */
function costBy(model: string, usage: Usage): number {
  const price = priceOf(new Map(), model);
  return price === undefined ? 0 : costOf(price, usage);
}

describe.skipIf(!tried.every(({ program }) => canTry(program)))("assistants", () => {
  let rig: AssistantRig;

  beforeAll(async () => {
    rig = await AssistantRig.open(scenario, { "index.txt": "# words\n# end\n", "AGENTS.md": "Greet politely.\n" });
  });

  afterAll(() => rig?.close());

  test("of several makers work on the same files at once, land one after the other, tested, and each is paid for", async () => {
    const check = "grep -v '^#' index.txt | while read -r word; do test -f words/$word.txt || exit 1; done";
    await rig.client.call("project.change", { project: rig.project, landingTest: ["/bin/sh", "-c", check] });
    const runs = await Promise.all(
      runners.map((runner) => rig.submit(runner, `Word of ${runner}`, `(${runner} together)`)),
    );
    await Promise.all(runs.map((run) => rig.inState(run, "done")));
    expect(rig.model.problems).toEqual([]);
    const { lines } = await rig.client.call("project.blame", { project: rig.project, path: "index.txt" });
    const words = lines.filter(({ text }) => !text.startsWith("#"));
    expect(words.map(({ text }) => text).toSorted()).toEqual(runners);
    expect(new Set(words.map(({ run }) => run))).toEqual(new Set(runs));
    const { rows } = await rig.client.call("cost", { by: "runner" });
    expect(rows.map(({ name }) => name).toSorted()).toEqual(runners);
    expect(rows.every(({ spend }) => spend.requests >= 3)).toBe(true);
    const models = (await rig.client.call("cost", { by: "model" })).rows;
    expect(models.map(({ spend }) => spend.costMicros)).toEqual(models.map(({ name, spend }) => costBy(name, spend)));
    // What was broken off is reckoned from above; what was not is what the model said.
    const whole = rows.map(({ spend }) => spend).filter(({ partial }) => partial === 0);
    expect(whole.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens])).toEqual(
      whole.map(({ requests }) => [10 * requests, 5 * requests]),
    );
    expect(rig.model.wasSent("Greet politely.")).toBe(true);
  });

  describeAssistants(tried, () => rig);
});
