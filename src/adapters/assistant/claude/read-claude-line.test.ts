import { describe, expect, test } from "vitest";
import { makeAssistantJob } from "../../../../test/support/assistant-job.ts";
import type { AssistantJob, Hooks } from "../../../ports/assistant.ts";
import { ClaudeAssistant } from "./claude-assistant.ts";
import { ClaudeMemory, readClaudeLine } from "./read-claude-line.ts";

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

  test("has the last word of a subagent, and is silent of its comings and goings", () => {
    const about = { type: "system", task_id: "a1", tool_use_id: "toolu_0", session_id: "s-1" };
    for (const subtype of ["task_started", "task_updated", "task_progress"])
      expect(read({ ...about, subtype })).toEqual([]);
    expect(read({ ...about, subtype: "task_notification", status: "completed", summary: "It is there." })).toEqual([
      { is: "message", text: "It is there.", parent: "toolu_0" },
    ]);
  });

  test("has the last word of a subagent once, whether its words came by themselves or not", () => {
    const memory = new ClaudeMemory();
    const hear = (message: object) => readClaudeLine(JSON.stringify(message), memory);
    const text = "It is there.";
    const content = [{ type: "text", text }];
    expect(hear({ type: "assistant", message: { content }, parent_tool_use_id: "toolu_0" })).toHaveLength(1);
    const done = { type: "system", subtype: "task_notification", tool_use_id: "toolu_0", summary: text };
    expect(hear(done)).toEqual([]);
    expect(hear(done)).toEqual([{ is: "message", text, parent: "toolu_0" }]);
  });

  test("remembers the last words of so many subagents, and says twice what it has forgotten", () => {
    const memory = new ClaudeMemory();
    const hear = (message: object) => readClaudeLine(JSON.stringify(message), memory);
    const content = [{ type: "text", text: "It is there." }];
    for (let at = 0; at <= 1000; at++)
      hear({ type: "assistant", message: { content }, parent_tool_use_id: `toolu_${at}` });
    const end = (at: number) =>
      hear({ type: "system", subtype: "task_notification", tool_use_id: `toolu_${at}`, summary: "It is there." });
    expect([end(0), end(1), end(1000)]).toEqual([[{ is: "message", text: "It is there.", parent: "toolu_0" }], [], []]);
  });

  test("[RN26] is kept up to 32 times where nobody has a word for it, however many kinds it invents", () => {
    const memory = new ClaudeMemory();
    const hear = (line: string) => readClaudeLine(line, memory);
    const words = Array.from({ length: 100 }, () => hear("no JSON")).flat();
    expect([words.length, words.at(-1)]).toEqual([
      32,
      { is: "other", kind: "text", text: "no JSON (more of these are not kept)" },
    ]);
    const kinds = Array.from({ length: 500 }, (_, at) => hear(JSON.stringify({ type: `new_${at}` }))).flat();
    expect(kinds).toHaveLength(99 + 32);
  });

  test("[RN26] has names of which the log has the beginning, however long they are, and knows them again by that", () => {
    const memory = new ClaudeMemory();
    const hear = (message: object) => readClaudeLine(JSON.stringify(message), memory);
    const [id, name, parent_tool_use_id] = ["i", "n", "p"].map((letter) => letter.repeat(1_000_000));
    const used = { type: "tool_use", id, name, input: { command: "c".repeat(1_000_000) } };
    const all = [
      ...hear({ type: "system", subtype: "init", session_id: id, model: name }),
      ...hear({ type: "assistant", parent_tool_use_id, message: { content: [used] } }),
      ...hear({ type: "user", parent_tool_use_id, message: { content: [{ type: "tool_result", tool_use_id: id }] } }),
      ...hear({ type: "assistant", message: { content: [{ ...used, name: `mcp__door__${name}` }] } }),
      ...hear({ type: name }),
    ];
    expect(all.map(({ is }) => is)).toEqual(["session", "tool", "result", "tool", "other"]);
    expect(JSON.stringify(all).length).toBeLessThan(6000);
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
    const answered = { type: "tool_result", tool_use_id: "toolu_1", content: "yours" };
    expect(read({ type: "user", message: { content: [{ type: "tool_result" }, answered] } })).toEqual([]);
  });
});

describe("[RN46] calls of Claude Code that the door knows nothing of", () => {
  const memory = new ClaudeMemory();
  const hear = (message: object) => readClaudeLine(JSON.stringify(message), memory);
  const ask = (id: string, name: string, input: object, more = {}) =>
    hear({ type: "assistant", message: { content: [{ type: "tool_use", id, name, input }] }, ...more });
  const answer = (id: string, given: object, more = {}) =>
    hear({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, ...given }] }, ...more });

  test("a command is told with what it was, said and ended with", () => {
    const bash = { call: "toolu_1", tool: "Bash", parent: null };
    expect(ask("toolu_1", "Bash", { command: "cat a; exit 3" })).toEqual([
      { is: "tool", ...bash, input: "cat a; exit 3" },
    ]);
    expect(answer("toolu_1", { content: "Exit code 3\nhi\nerr", is_error: true })).toEqual([
      { is: "result", ...bash, ok: false, exit: 3, text: "hi\nerr", output: null },
    ]);
    // It is told once.
    expect(answer("toolu_1", { content: "again" })).toEqual([]);
    ask("toolu_2", "Bash", { command: "true" });
    expect(answer("toolu_2", { content: "", is_error: false })).toMatchObject([{ ok: true, exit: 0, text: "" }]);
  });

  test("so is a call of a profile's server, of a subagent, and of a tool that there is not", () => {
    ask("toolu_3", "mcp__notes__find", { q: "tea" }, { parent_tool_use_id: "toolu_0" });
    const content = [{ type: "text", text: "found tea" }];
    expect(answer("toolu_3", { content }, { parent_tool_use_id: "toolu_0" })).toEqual([
      {
        ...{ is: "result", call: "toolu_3", tool: "mcp__notes__find", parent: "toolu_0" },
        ...{ ok: true, exit: null, text: "found tea", output: null },
      },
    ]);
    ask("toolu_4", "Fly", {});
    const no = { content: "<tool_use_error>Error: No such tool available: Fly</tool_use_error>", is_error: true };
    expect(answer("toolu_4", no)).toMatchObject([{ tool: "Fly", ok: false, exit: null }]);
  });
});

describe("the talk with Claude Code", () => {
  const job = makeAssistantJob();
  const init = { type: "system", subtype: "init", session_id: "s-1" };
  const taken = { type: "user", message: { content: "Wait." }, isReplay: true };

  test("[RN47] tells the pieces of what it says and thinks, and none of what it asks for", () => {
    const talk = new ClaudeAssistant().talk(job);
    const piecesOf = (delta: object, parent: string | null = null) => {
      const event = { type: "content_block_delta", index: 0, delta };
      return talk.read(JSON.stringify({ type: "stream_event", event, parent_tool_use_id: parent })).pieces;
    };
    expect(piecesOf({ type: "text_delta", text: "I be" })).toEqual([{ of: "message", text: "I be", parent: null }]);
    expect(piecesOf({ type: "thinking_delta", thinking: "So" }, "t")).toEqual([
      { of: "thinking", text: "So", parent: "t" },
    ]);
    expect(piecesOf({ type: "input_json_delta", partial_json: "{" })).toEqual([]);
    expect(talk.read(JSON.stringify(init)).pieces).toEqual([]);
  });

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
