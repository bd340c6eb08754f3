// A model that looks after runs of others over MCP: it sees what waits, answers and steers, and gives no leave.

import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { homePaths, type DaemonInfo } from "../../src/protocol/home.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry, pathWithAssistants } from "../support/assistants.ts";
import { builtProgram } from "../support/built-program.ts";

const conversation = (face: string): string => `
  - name: over ${face}
    match: { marker: "(over ${face})" }
    turns:
      - { call: { tool: ask_user, with: { question: "Which word?" } } }
      - { expect: { toolResult: "moin by ${face}" }, say: I begin., call: { tool: list_files, with: {} }, hold: over ${face} }
      - { say: I go on. }
      - { say: I heard it. }
`;

const scenario = `conversations:${conversation("pipe")}${conversation("http")}`;

/** An agent of the Agent Client Protocol: asks leave for one command of its own, writes down what it was told, and ends its turn. */
const asker = `#!/bin/sh
say() { printf '{"jsonrpc":"2.0",%s}\\n' "$1"; }
options='[{"optionId":"yes","kind":"allow_once","name":"Yes"},{"optionId":"no","kind":"reject_once","name":"No"}]'
call='{"toolCallId":"c1","kind":"execute","title":"sh","rawInput":{"command":"make clean"}}'
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
  case "$line" in
  *'"method":"initialize"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"protocolVersion\\":1,\\"agentCapabilities\\":{}}" ;;
  *'"method":"session/new"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"sessionId\\":\\"s1\\"}" ;;
  *'"method":"session/prompt"'*)
    prompt=$id
    say "\\"id\\":\\"may-it\\",\\"method\\":\\"session/request_permission\\",\\"params\\":{\\"sessionId\\":\\"s1\\",\\"toolCall\\":$call,\\"options\\":$options}" ;;
  *'"id":"may-it"'*)
    printf '%s\\n' "$line" | sed -n 's/.*"optionId":"\\([^"]*\\)".*/\\1/p' >> "$WORK/told.txt"
    say "\\"id\\":\\"$prompt\\",\\"result\\":{\\"stopReason\\":\\"end_turn\\"}" ;;
  esac
done
`;

type Said = { readonly isError: boolean; readonly text: string; readonly value: Readonly<Record<string, unknown>> };

describe.skipIf(!canTry("claude"))("the control server", () => {
  let rig: AssistantRig;
  const bin = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));

  beforeAll(async () => {
    // Agents have to be able to read it.
    chmodSync(bin, 0o755);
    writeFileSync(join(bin, "asks-leave"), asker, { mode: 0o755 });
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" }, { PATH: `${bin}:${pathWithAssistants()}` });
    const env = { WORK: rig.sample.root };
    await rig.client.call("runner.set", { name: "asker", command: ["asks-leave"], format: "anthropic", env });
  });

  afterAll(async () => {
    await rig?.close();
    rmSync(bin, { recursive: true, force: true });
  });

  const transports = {
    pipe: () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [builtProgram("cli"), "mcp"],
        env: { SIGNALBOX_HOME: rig.daemon.home, PATH: process.env["PATH"] ?? "" },
      }),
    http: () => {
      const paths = homePaths(rig.daemon.home);
      const { url } = JSON.parse(readFileSync(paths.daemon, "utf8")) as DaemonInfo;
      const authorization = `Bearer ${readFileSync(paths.token, "utf8").trim()}`;
      return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization } } });
    },
  } as const;

  /** Lets a model of another maker use it, which is no part of any run. */
  const withModel = async (
    face: keyof typeof transports,
    work: (call: (tool: string, input: object) => Promise<Said>) => Promise<void>,
  ): Promise<void> => {
    const client = new Client({ name: "a-manager", version: "1.0.0" });
    await client.connect(transports[face]());
    try {
      await work(async (name, input) => {
        const answer = await client.callTool({ name, arguments: { ...input } });
        const [first] = answer.content;
        const value = (answer.structuredContent ?? {}) as Said["value"];
        return { isError: answer.isError === true, text: first?.type === "text" ? first.text : "", value };
      });
    } finally {
      await client.close();
    }
  };

  test.each(["pipe", "http"] as const)(
    "[RN11, RN27, RN30] lists a question in the inbox, and an answer and a word reach the assistant, over a %s",
    (face) =>
      withModel(face, async (call) => {
        const run = await rig.submit("claude", `Over ${face}`, `(over ${face})`);
        await rig.inState(run, "awaiting-input");
        const { items } = (await call("inbox", { kind: "question" })).value as { items: { question: string }[] };
        expect(items).toMatchObject([{ kind: "question", run, what: "Which word?" }]);
        const text = `moin by ${face}`;
        // Who has read another question answers nothing.
        const stale = await call("run_answer", { run, text, question: "q_0" });
        expect(stale).toMatchObject({ isError: true, text: expect.stringMatching(/^asks-another: /) as string });
        expect(await call("run_answer", { run, text, question: items[0]?.question })).toMatchObject({ isError: false });
        await rig.model.until(() => rig.model.begun.includes(`over ${face} 1`));
        expect((await call("inbox", { kind: "question" })).value).toMatchObject({ items: [] });
        const again = await call("run_answer", { run, text });
        expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/^wrong-state: /) as string });

        expect(await call("run_steer", { run, message: `Mind the gap, ${face}.` })).toMatchObject({ isError: false });
        rig.model.release(`over ${face}`);
        await rig.inState(run, "done");
        expect(rig.model.wasSent(`Mind the gap, ${face}.`)).toBe(true);
        expect(rig.model.problems).toEqual([]);
        const { events } = await rig.client.call("run.log", { run, limit: 1000 });
        const said = events.filter(({ type }) => type === "run.answered" || type === "run.messaged");
        expect(said).toMatchObject([
          { type: "run.answered", text, actor: "agent:mcp" },
          { type: "run.messaged", text: `Mind the gap, ${face}.`, actor: "agent:mcp" },
        ]);
        // Nobody is there any more to hear it.
        const late = await call("run_steer", { run, message: "Too late." });
        expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/^wrong-state: /) as string });
      }),
  );

  test.each(["pipe", "http"] as const)(
    "[RN26] lists a permission as what it is, and says that it is for people, over a %s",
    (face) =>
      withModel(face, async (call) => {
        const run = await rig.submit("acp:asker", `Tidies up over ${face}`, "");
        await rig.inState(run, "awaiting-input");
        const { items } = (await call("inbox", { kind: "permission" })).value as { items: { question: string }[] };
        expect(items).toMatchObject([
          { kind: "permission", run, what: expect.stringContaining("make clean") as string },
        ]);
        const question = items[0]?.question;
        for (const text of ["allow", "deny", "deny: use the door"])
          expect(await call("run_answer", { run, text, question })).toMatchObject({
            isError: true,
            text: expect.stringMatching(
              /^forbidden: Only people may do this: giving or refusing leave\. Ask a person/,
            ) as string,
          });
        expect((await call("inbox", { kind: "permission" })).value).toMatchObject({ items: [{ run, question }] });
        // It stands as it was asked, until a person says something.
        await rig.client.call("run.answer", { run, text: "deny", question });
        await rig.inState(run, "done");
        const { events } = await rig.client.call("run.log", { run, limit: 1000 });
        expect(events.filter(({ type }) => type === "run.answered")).toMatchObject([{ text: "deny", allows: false }]);
        const { lines } = await rig.client.call("project.blame", { project: rig.project, path: "told.txt" });
        expect(lines.at(-1)).toMatchObject({ text: "no", run });
      }),
  );
});
