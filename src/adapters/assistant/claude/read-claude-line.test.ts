import { describe, expect, test } from "vitest";
import { makeAssistantJob } from "../../../../test/support/assistant-job.ts";
import type { AssistantJob, Hooks } from "../../../ports/assistant.ts";
import { ClaudeAssistant } from "./claude-assistant.ts";
import { readClaudeLine } from "./read-claude-line.ts";

const read = (message: object) => readClaudeLine(JSON.stringify(message));

describe("a line of Claude Code", () => {
  test("names the conversation and the model", () => {
    expect(read({ type: "system", subtype: "init", session_id: "s-1", model: "claude-x", tools: [] })).toEqual([
      { is: "session", session: "s-1", model: "claude-x" },
    ]);
  });

  test("carries what it says, thinks and wants done, in order, with the subagent that it comes from", () => {
    const content = [
      { type: "thinking", thinking: "First the tests." },
      { type: "text", text: "I will write it." },
      { type: "tool_use", id: "toolu_1", name: "mcp__door__write_file", input: { path: "a" } },
    ];
    expect(read({ type: "assistant", message: { content }, parent_tool_use_id: "toolu_0" })).toEqual([
      { is: "thinking", text: "First the tests.", parent: "toolu_0" },
      { is: "message", text: "I will write it.", parent: "toolu_0" },
      { is: "tool", call: "toolu_1", tool: "mcp__door__write_file", parent: "toolu_0" },
    ]);
  });

  test("ends the turn with its result and what it took", () => {
    const usage = { input_tokens: 20, output_tokens: 6, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };
    const result = { type: "result", is_error: false, result: "Done", terminal_reason: "completed", usage };
    expect(read({ ...result, total_cost_usd: 0.00015 })).toEqual([
      {
        ...{ is: "turn", ok: true, text: "Done", why: "ended" },
        usage: { inputTokens: 20, outputTokens: 6, cacheReadTokens: 3, cacheWriteTokens: 2, costMicros: 150 },
      },
    ]);
  });

  test.each([
    [{ terminal_reason: "aborted_tools", subtype: "error_during_execution" }, "interrupted"],
    [{ terminal_reason: "aborted_streaming", is_error: false }, "interrupted"],
    [{ terminal_reason: "max_turns" }, "max-turns"],
    [{ terminal_reason: "prompt_too_long" }, "context"],
    [{ terminal_reason: "api_error", stop_reason: "refusal" }, "refused"],
    [{ errors: ["No conversation found with session ID: 7"] }, "forgot"],
    [{ terminal_reason: "api_error", api_error_status: 401 }, "auth"],
    [{ terminal_reason: "api_error", api_error_status: 429 }, "rate-limit"],
    [{ terminal_reason: "api_error", api_error_status: 529 }, "outage"],
    [{}, "error"],
  ])("tells the ways apart in which a turn goes wrong: %j", (how, why) => {
    expect(read({ type: "result", is_error: true, errors: ["no"], ...how })).toMatchObject([{ ok: false, why }]);
  });

  test("that nobody knows is kept, shortened", () => {
    const heard = read({ type: "new_thing", data: "x".repeat(5000) });
    expect(heard).toMatchObject([{ is: "other", kind: "new_thing" }]);
    expect(JSON.stringify(heard).length).toBeLessThan(800);
    expect(readClaudeLine("not json")).toEqual([{ is: "other", kind: "text", text: "not json" }]);
  });

  test.each(["", "[]", "null", "7", '{"type":"assistant"}', '{"type":"assistant","message":{"content":[null,7,{}]}}'])(
    "that makes no sense breaks nothing: %s",
    (line) => {
      expect(Array.isArray(readClaudeLine(line))).toBe(true);
    },
  );

  test("of its own progress says nothing", () => {
    expect(read({ type: "stream_event", event: {} })).toEqual([]);
    expect(read({ type: "system", subtype: "status", status: "requesting" })).toEqual([]);
    expect(read({ type: "user", message: { content: [{ type: "tool_result" }] } })).toEqual([]);
  });
});

describe("the talk with Claude Code", () => {
  const job = makeAssistantJob();
  const init = { type: "system", subtype: "init", session_id: "s-1" };
  const taken = { type: "user", message: { content: "Wait." }, isReplay: true };

  test("counts what joins a turn, and what begins one", () => {
    const talk = new ClaudeAssistant().talk(job);
    const joined = (message: object): number => talk.read(JSON.stringify(message)).joined ?? 0;
    expect([init, taken, taken, { type: "result" }, init, taken].map(joined)).toEqual([0, 0, 1, 0, 0, 0]);
  });

  test("tools of its own ask before they write and tell what they did; what went on had been answered", () => {
    const { hooks, read, open } = talkOf({ ...job, tools: "native" });
    expect(open().split("\n")[0]).toContain('"subtype":"initialize"');
    const ask = (id: string, callback: string, tool: string): object => {
      const input = { tool_input: { file_path: "/srv/a.txt" } };
      const request = { subtype: "hook_callback", callback_id: callback, tool_use_id: tool, input };
      return { type: "control_request", request_id: id, request };
    };
    read(ask("1", "before", "t1"));
    expect(hooks?.open()).toEqual([{ id: "1", is: "write", path: "/srv/a.txt" }]);
    read(ask("2", "before", "t2"));
    read(ask("3", "after", "t1"));
    expect(hooks?.open().map(({ id, is }) => `${id} ${is}`)).toEqual(["2 write", "3 look"]);
    expect(JSON.parse(hooks?.answer("2", { ok: false, message: "held" }) ?? "")).toMatchObject({
      response: { request_id: "2", response: { hookSpecificOutput: { permissionDecision: "deny" } } },
    });
    read({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1" }] } });
    expect(hooks?.open()).toEqual([]);
    expect(talkOf(job).hooks).toBeUndefined();
  });
});

function talkOf(job: AssistantJob): { hooks: Hooks | undefined; read: (message: object) => void; open: () => string } {
  const talk = new ClaudeAssistant().talk(job);
  return { hooks: talk.hooks, read: (message) => void talk.read(JSON.stringify(message)), open: () => talk.open() };
}
