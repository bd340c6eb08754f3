import { describe, expect, test } from "vitest";
import { makeAssistantJob } from "../../../../test/support/assistant-job.ts";
import { CodexAssistant } from "./codex-assistant.ts";
import { CodexExecTalk } from "./codex-exec-talk.ts";

const job = makeAssistantJob();
const thread = "01a1ed14-3304-7391-871b-98ef634100f3";
const resumed = { ...job, session: thread };

/** As codex-cli 0.166.0 wrote them. */
const recorded = [
  `WARNING: proceeding, even though we could not create PATH aliases`,
  `{"type":"thread.started","thread_id":"${thread}"}`,
  `{"type":"turn.started"}`,
  `{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"I begin."}}`,
  `{"type":"item.started","item":{"id":"item_1","type":"mcp_tool_call","server":"door","tool":"look_up","arguments":{"word":"x"},"result":null,"error":null,"status":"in_progress"}}`,
  `{"type":"item.completed","item":{"id":"item_1","type":"mcp_tool_call","server":"door","tool":"look_up","arguments":{"word":"x"},"result":{"content":[{"type":"text","text":"x at a distance"}],"structured_content":null},"error":null,"status":"completed"}}`,
  `{"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"Done one."}}`,
  `{"type":"turn.completed","usage":{"input_tokens":20,"cached_input_tokens":8,"cache_write_input_tokens":2,"output_tokens":10,"reasoning_output_tokens":0}}`,
];
const noRollout = `Error: thread/resume: thread/resume failed: no rollout found for thread id ${thread} (code -32600)`;

const read = (talk: CodexExecTalk, line: string | object) =>
  talk.read(typeof line === "string" ? line : JSON.stringify(line)).heard;

describe("the talk with a Codex that does one turn", () => {
  test("hears all of it in its words, and writes nothing after its prompt", () => {
    const talk = new CodexExecTalk(job);
    expect(talk.open()).toBe("Go on.");
    expect(recorded.flatMap((line) => read(talk, line))).toEqual([
      { is: "other", kind: "text", text: recorded[0] },
      { is: "session", session: thread, model: null },
      { is: "message", text: "I begin.", parent: null },
      { is: "tool", call: "item_1", tool: "mcp__door__look_up", parent: null },
      { is: "message", text: "Done one.", parent: null },
      {
        ...{ is: "turn", ok: true, text: "Done one.", why: "ended" },
        usage: { inputTokens: 10, outputTokens: 10, cacheReadTokens: 8, cacheWriteTokens: 2, costMicros: null },
      },
    ]);
    expect([talk.say(), talk.interrupt()]).toEqual([null, ""]);
  });

  test("hears thoughts, acts of which only the end is told, and what there is no word for", () => {
    const talk = new CodexExecTalk(job);
    const ends = (item: object) => read(talk, { type: "item.completed", item });
    expect(ends({ id: "item_0", type: "reasoning", text: "First" })).toEqual([
      { is: "thinking", text: "First", parent: null },
    ]);
    expect(ends({ id: "item_1", type: "file_change", changes: [] })).toMatchObject([
      { is: "tool", tool: "fileChange" },
      { is: "result", tool: "fileChange", ok: true },
    ]);
    expect(ends({ id: "item_2", type: "error", message: "no" })).toEqual([{ is: "other", kind: "error", text: "no" }]);
    const item = { id: "item_3", type: "todo_list", items: [{ text: "a", completed: false }] };
    expect(read(talk, { type: "item.updated", item })).toMatchObject([{ is: "other", kind: "plan" }]);
    expect(read(talk, { type: "error", message: "Reconnecting... 1/5" })).toMatchObject([{ kind: "error" }]);
    expect(read(talk, { type: "new.thing" })).toMatchObject([{ is: "other", kind: "new.thing" }]);
    expect([read(talk, ""), read(talk, "[1"), read(talk, {})].flat().map(({ is }) => is)).toEqual(["other", "other"]);
  });

  test("knows that its conversation is gone: said so, or begun as another one", () => {
    expect(read(new CodexExecTalk(resumed), noRollout).at(-1)).toMatchObject({ is: "turn", ok: false, why: "forgot" });
    const another = { type: "thread.started", thread_id: "01a1ed14-0000" };
    expect(read(new CodexExecTalk(resumed), another)).toMatchObject([{ is: "turn", why: "forgot" }]);
    expect(read(new CodexExecTalk(resumed), recorded[1] ?? "")).toMatchObject([{ is: "session", session: thread }]);
    // Somebody who takes up nothing has forgotten nothing.
    expect(read(new CodexExecTalk(job), noRollout)).toMatchObject([{ is: "other" }]);
  });

  test.each([
    ["unexpected status 401 Unauthorized: no key, url: http://127.0.0.1:1/v1/responses", "auth"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rate-limit"],
    ["You've hit your usage limit.", "rate-limit"],
    ["unexpected status 503 Service Unavailable: down, url: http://127.0.0.1:1/v1/responses", "outage"],
    ["Selected model is at capacity. Please try a different model.", "outage"],
    ["Codex ran out of room in the model's context window. Start a new thread.", "context"],
    ["This request has been flagged for possible cybersecurity risk.", "refused"],
    ['{"error":{"message":"no such thing","type":"invalid_request_error"}}', "error"],
  ])("tells the ways apart in which a turn goes wrong: %s", (message, why) => {
    expect(read(new CodexExecTalk(job), { type: "turn.failed", error: { message } })).toMatchObject([
      { is: "turn", ok: false, text: message, why },
    ]);
  });
});

describe("Codex", () => {
  const exec = new CodexAssistant().otherwise;

  test("is the same in both ways but for what is said to its program, and says what it cannot do", () => {
    const server = new CodexAssistant();
    expect([server.way, exec?.way, exec?.otherwise]).toEqual(["app-server", "exec", undefined]);
    const alone = { ...job, subagents: false };
    expect({ ...exec?.begin(job), args: [] }).toEqual({ ...server.begin(alone), args: [] });
    expect([server.hearsAtDoor, exec?.hearsAtDoor]).toEqual([false, true]);
    expect({ ...exec?.can, subagents: true, streaming: true }).toEqual(server.can);
  });

  test("takes a conversation up by its name, whatever that looks like", () => {
    expect(exec?.begin(job).args).toEqual(["exec", "--json", "--skip-git-repo-check", "-"]);
    expect(exec?.begin({ ...job, session: "--last" }).args.slice(-3)).toEqual(["--", "--last", "-"]);
  });
});
