// An assistant that asks leave for an act which is too long for a question: a person can read all of it before they say yes.

import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

/** An agent of the Agent Client Protocol: asks leave for one long command, writes down what it was answered, and ends its turn. */
const agent = `#!/bin/sh
say() { printf '{"jsonrpc":"2.0",%s}\\n' "$1"; }
long=$(head -c 20000 /dev/zero | tr '\\0' x)
options='[{"optionId":"yes","kind":"allow_once","name":"Yes"},{"optionId":"no","kind":"reject_once","name":"No"}]'
call="{\\"toolCallId\\":\\"c1\\",\\"kind\\":\\"execute\\",\\"title\\":\\"sh\\",\\"rawInput\\":{\\"command\\":\\"echo $long; rm -rf /\\"}}"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
  case "$line" in
  *'"method":"initialize"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"protocolVersion\\":1,\\"agentCapabilities\\":{}}" ;;
  *'"method":"session/new"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"sessionId\\":\\"s1\\"}" ;;
  *'"method":"session/prompt"'*)
    prompt=$id
    say "\\"id\\":\\"may-it\\",\\"method\\":\\"session/request_permission\\",\\"params\\":{\\"sessionId\\":\\"s1\\",\\"toolCall\\":$call,\\"options\\":$options}" ;;
  *'"id":"may-it"'*)
    printf '%s' "$line" | sed -n 's/.*"optionId":"\\([^"]*\\)".*/\\1/p' > "$WORK/answer.txt"
    say "\\"id\\":\\"$prompt\\",\\"result\\":{\\"stopReason\\":\\"end_turn\\"}" ;;
  esac
done
`;

describe.skipIf(noCages)("leave for a long act", () => {
  let rig: AssistantRig;
  const bin = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));

  beforeAll(async () => {
    // Agents have to be able to read it.
    chmodSync(bin, 0o755);
    writeFileSync(join(bin, "asks-much"), agent, { mode: 0o755 });
    const path = `${bin}:${process.env["PATH"] ?? ""}`;
    rig = await AssistantRig.open("conversations: []", { "a.txt": "a\n" }, { PATH: path });
    const env = { WORK: rig.sample.root };
    await rig.client.call("runner.set", { name: "asker", command: ["asks-much"], format: "anthropic", env });
  });

  afterAll(async () => {
    await rig?.close();
    rmSync(bin, { recursive: true, force: true });
  });

  test("[RN26] names an artifact that has all of it, and is given to whoever names the question", async () => {
    const { client } = rig;
    const run = await rig.submit("acp:asker", "Tidies up", "");
    await rig.inState(run, "awaiting-input");
    const { question } = (await client.call("run.get", { run })).run;
    expect(question?.text).not.toContain("rm -rf /");
    const name = /artifact (asked-\w+) /.exec(question?.text ?? "")?.[1] ?? "";
    const { artifacts } = await client.call("run.artifacts", { run });
    expect(artifacts.map((each) => each.name)).toContain(name);
    const { base64 } = await client.call("run.artifact", { run, name });
    expect(Buffer.from(base64, "base64").toString()).toMatch(/^May it .*\n\ncommand: echo x{20000}; rm -rf \/$/);
    await expect(client.call("run.answer", { run, text: "yes" })).rejects.toMatchObject({ code: "question-unnamed" });
    await client.call("run.answer", { run, text: "yes", question: question?.id });
    await rig.inState(run, "done");
    const { lines } = await client.call("project.blame", { project: rig.project, path: "answer.txt" });
    expect(lines[0]?.text).toBe("yes");
  });
});
