// The real Codex, as an installation has it whose program has no app-server.

import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assistantsPath } from "../../scripts/assistants.ts";
import { contractScenario, describeAssistants, type Tried } from "../contracts/assistant.contract.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry, pathWithAssistants } from "../support/assistants.ts";

const tried: Tried = {
  ...{ runner: "codex", program: "codex", reckons: false, hearsBy: "door", keeps: true, streams: false },
  // Others who work for it are not to be seen in this way, so there are none.
  own: [{ tool: "spawn_agent", with: { task_name: "helper", message: "(nobody)", fork_turns: "none" } }],
};

const scenario = `
conversations:
${contractScenario(tried)}
  - name: moved
    match: { marker: "(moved)" }
    # How often it is asked until it is the other program's turn is nobody's business.
    repeat: true
    turns: [ { say: I am still here., hold: moved } ]
  - name: continued
    match: { marker: "(continued)" }
    turns:
      - { call: { tool: write_file, with: { path: c.txt, content: "one\\n" } } }
      - { error: { status: 429, type: rate_limit_error, message: slow down, retryAfter: 1, until: limit } }
      - { expect: { said: interrupted }, say: The word is one. }
      - { expect: { said: "and two" }, call: { tool: write_file, with: { path: c.txt, content: "two\\n" } } }
      - { expect: { toolResult: wrote }, say: The word is two. }
`;

const refusal = `[ "$1" = app-server ] && { echo "error: unrecognized subcommand 'app-server'" >&2; exit 2; }`;

/** Puts a codex into a folder that has all of the real one, or all but the server. */
function putCodex(bin: string, hasServer: boolean): void {
  const real = realpathSync(join(assistantsPath, "codex"));
  writeFileSync(join(bin, "codex"), `#!/bin/sh\n${hasServer ? "" : refusal}\nexec "${real}" "$@"\n`, { mode: 0o755 });
}

// What its program needs is in the cage because Claude's is from the same folder.
describe.skipIf(!canTry("codex") || !canTry("claude"))("Codex without its server", () => {
  let rig: AssistantRig;
  let bin: string;

  beforeAll(async () => {
    bin = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));
    // Agents have to be able to read it.
    chmodSync(bin, 0o755);
    putCodex(bin, true);
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" }, { PATH: `${bin}:${pathWithAssistants()}` });
  });

  afterAll(async () => {
    await rig?.close();
    rmSync(bin, { recursive: true, force: true });
  });

  const shown = async (): Promise<unknown> =>
    (await rig.client.call("runner.list", {})).runners.find(({ name }) => name === "codex");

  test("is shown with its way, and takes up what the server had begun", async () => {
    expect(await shown()).toMatchObject({ way: "app-server", can: { steer: true, subagents: true } });
    const run = await rig.submit("codex", "Moved", "(moved)");
    await rig.model.until(() => rig.model.begun.some((turn) => turn.startsWith("moved ")));
    putCodex(bin, false);
    await rig.restart();
    expect(await shown()).toMatchObject({
      way: "exec",
      missing: null,
      can: { steer: true, interrupt: true, subagents: false },
    });
    await rig.model.until(() => rig.model.wasSent("You were interrupted."));
    rig.model.release("moved");
    await rig.inState(run, "done");
    const heard = await rig.heard(run);
    expect(heard.at(-1)).toMatchObject({ is: "turn", ok: true, text: "I am still here." });
    const sessions = heard.flatMap((item) => (item.is === "session" ? [item.session] : []));
    expect([sessions.length, new Set(sessions).size]).toEqual([2, 1]);
  });

  test("waits for its model, and is continued when it is done, in one conversation of several programs", async () => {
    const run = await rig.submit("codex", "Continued", "(continued)");
    await rig.inState(run, "parked");
    rig.model.release("limit");
    await rig.inState(run, "done");
    await rig.client.call("run.continue", { run, message: "and two" });
    await rig.model.until(() => rig.model.begun.includes("continued 4"));
    await rig.inState(run, "done");
    expect(rig.model.problems).toEqual([]);
    const heard = await rig.heard(run);
    expect(heard.at(-1)).toMatchObject({ is: "turn", ok: true, text: "The word is two." });
    const sessions = heard.flatMap((item) => (item.is === "session" ? [item.session] : []));
    expect([sessions.length, new Set(sessions).size]).toEqual([3, 1]);
    const { lines } = await rig.client.call("project.blame", { project: rig.project, path: "c.txt" });
    expect(lines).toMatchObject([{ text: "two", run }]);
  });

  describeAssistants([tried], () => rig);
});
