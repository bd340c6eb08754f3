import { describe, expect, test } from "vitest";
import { makeAssistantJob } from "../../../../test/support/assistant-job.ts";
import { heldBytes } from "../../../../test/support/held-bytes.ts";
import type { AssistantJob } from "../../../ports/assistant.ts";
import { toCodexConfig } from "./codex-config.ts";
import { CodexTalk } from "./codex-talk.ts";

const job = makeAssistantJob();

const read = (talk: CodexTalk, message: object) => talk.read(JSON.stringify(message));
const methods = (write: string): string[] =>
  write
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { method: string }).method);

/** A talk in the middle of its first turn. */
function inTurn(of: AssistantJob = job): CodexTalk {
  const talk = new CodexTalk(of);
  read(talk, { id: "hello", result: {} });
  read(talk, { id: "thread", result: { thread: { id: "t-1" }, model: "m" } });
  read(talk, { method: "turn/started", params: { threadId: "t-1", turn: { id: "u-1" } } });
  return talk;
}

const completed = (more: object = {}) => ({
  method: "turn/completed",
  params: { threadId: "t-1", turn: { id: "u-1", status: "completed", ...more } },
});

describe("the talk with Codex", () => {
  test("begins a thread, and its first turn as soon as there is one", () => {
    const talk = new CodexTalk(job);
    expect(methods(talk.open())).toEqual(["initialize"]);
    expect(methods(read(talk, { id: "hello", result: {} }).write)).toEqual(["initialized", "thread/start"]);
    const { heard, write } = read(talk, { id: "thread", result: { thread: { id: "t-1" }, model: "m" } });
    expect(heard).toEqual([{ is: "session", session: "t-1", model: "m" }]);
    expect(write).toContain("Go on.");
  });

  test("takes a thread up; one that is not there any more is begun anew, with everything told", () => {
    const talk = new CodexTalk({ ...job, session: "t-0" });
    expect(methods(read(talk, { id: "hello", result: {} }).write)).toEqual(["initialized", "thread/resume"]);
    const { write } = read(talk, { id: "thread", error: { code: -1, message: "no rollout" } });
    expect(methods(write)).toEqual(["thread/start"]);
    expect(read(talk, { id: "anew", result: { thread: { id: "t-1" } } }).write).toContain("Add a limit.");
  });

  test("hears what it says, thinks and does, and what its turn took", () => {
    const talk = inTurn();
    const item = (method: string, each: object, threadId = "t-1") =>
      read(talk, { method, params: { threadId, item: each } }).heard;
    expect(item("item/completed", { type: "reasoning", summary: ["First"], content: [] })).toEqual([
      { is: "thinking", text: "First", parent: null },
    ]);
    expect(item("item/started", { type: "mcpToolCall", id: "c-1", server: "door", tool: "claim" })).toEqual([
      { is: "tool", call: "c-1", tool: "mcp__door__claim", parent: null },
    ]);
    expect(item("item/completed", { type: "agentMessage", text: "From a child." }, "t-2")).toEqual([
      { is: "message", text: "From a child.", parent: "t-2" },
    ]);
    // One that it has begun itself is known by the call.
    const begun = { type: "subAgentActivity", id: "c-2", kind: "started", agentThreadId: "t-3" };
    expect(item("item/started", begun)).toEqual([{ is: "tool", call: "c-2", tool: "spawn_agent", parent: null }]);
    expect(item("item/completed", begun)).toEqual([]);
    expect(item("item/started", { type: "mcpToolCall", id: "c-3", server: "door", tool: "claim" }, "t-3")).toEqual([
      { is: "tool", call: "c-3", tool: "mcp__door__claim", parent: "c-2" },
    ]);
    expect(item("item/started", { ...begun, id: "x", kind: "completed" })).toEqual([]);
    expect(item("item/started", { type: "collabAgentToolCall", id: "c-4", tool: "wait" })).toMatchObject([
      { is: "tool", tool: "wait_agent" },
    ]);
    item("item/completed", { type: "agentMessage", text: "Done." });
    const total = { inputTokens: 30, cachedInputTokens: 10, cacheWriteInputTokens: 0, outputTokens: 5 };
    // What others took who worked for it, it has taken.
    for (const threadId of ["t-1", "t-3"])
      read(talk, { method: "thread/tokenUsage/updated", params: { threadId, tokenUsage: { total } } });
    const usage = { inputTokens: 40, outputTokens: 10, cacheReadTokens: 20, cacheWriteTokens: 0, costMicros: null };
    expect(read(talk, completed()).heard).toEqual([{ is: "turn", ok: true, text: "Done.", why: "ended", usage }]);
  });

  test("[RN46] of calls that the door knows nothing of it tells what they ask for, and what came of them", () => {
    const talk = inTurn();
    const item = (when: string, each: object) =>
      read(talk, { method: `item/${when}`, params: { threadId: "t-1", item: each } }).heard;
    const asked = { type: "mcpToolCall", id: "c-1", server: "notes", tool: "find", arguments: { q: "tea" } };
    const about = { call: "c-1", tool: "mcp__notes__find", parent: null };
    expect(item("started", asked)).toEqual([{ is: "tool", ...about, input: '{"q":"tea"}' }]);
    const result = { content: [{ type: "text", text: "found tea" }] };
    expect(item("completed", { ...asked, status: "completed", result })).toEqual([
      { is: "result", ...about, ok: true, exit: null, text: "found tea", output: null },
    ]);
    const error = { message: "no such note" };
    expect(item("completed", { ...asked, status: "failed", error })).toMatchObject([
      { ok: false, text: "no such note" },
    ]);
    const ran = { type: "commandExecution", id: "c-2", command: "ls", aggregatedOutput: "a\n", exitCode: 2 };
    expect(item("completed", { ...ran, status: "completed" })).toMatchObject([
      { tool: "commandExecution", ok: false, exit: 2, text: "a\n" },
    ]);
    const patched = { type: "fileChange", id: "c-3", changes: [{ path: "a" }, { path: "b" }] };
    expect(item("started", patched)).toMatchObject([{ tool: "fileChange", input: "a, b" }]);
    expect(item("completed", { ...patched, status: "declined" })).toMatchObject([{ ok: false }]);
    expect(item("completed", { type: "contextCompaction", id: "c-4" })).toEqual([]);
    expect(item("completed", { ...asked, server: "door", status: "completed", result })).toEqual([]);
  });

  test("[RN47] tells the pieces of what it says and thinks, also of those who work for it", () => {
    const talk = inTurn();
    const piecesOf = (item: string, threadId: string) =>
      read(talk, { method: `item/${item}`, params: { threadId, turnId: "u-1", itemId: "i", delta: "I be" } }).pieces;
    expect(piecesOf("agentMessage/delta", "t-1")).toEqual([{ of: "message", text: "I be", parent: null }]);
    expect(piecesOf("reasoning/summaryTextDelta", "t-2")).toEqual([{ of: "thinking", text: "I be", parent: "t-2" }]);
    expect(piecesOf("newThing/delta", "t-1")).toBeUndefined();
    expect(talk.open()).not.toContain("agentMessage");
  });

  test("steers what is said into the turn; what came too late is a turn of its own, and the same debt", () => {
    const talk = inTurn();
    const said = talk.say("Wait.", true);
    expect(said?.begins).toBe(false);
    expect(methods(said?.write ?? "")).toEqual(["turn/steer"]);
    // Whether the turn heard it is not known yet, so it has not ended yet.
    expect(read(talk, completed()).heard).toEqual([]);
    const again = read(talk, { id: "steer-2", error: { code: -32_600, message: "no active turn to steer" } });
    expect(again.heard).toEqual([]);
    expect(again.write).toContain("Wait.");
    expect(read(talk, completed()).heard).toMatchObject([{ is: "turn", ok: true }]);
    expect(methods(talk.say("More.", false)?.write ?? "")).toEqual(["turn/start"]);
  });

  test("a turn that heard everything has ended", () => {
    const talk = inTurn();
    talk.say("Wait.", true);
    read(talk, completed());
    expect(read(talk, { id: "steer-2", result: { turnId: "u-1" } }).heard).toMatchObject([{ is: "turn" }]);
  });

  test("leaves a turn, and hears nothing until it has left", () => {
    const talk = inTurn();
    expect(methods(talk.interrupt())).toEqual(["turn/interrupt"]);
    expect(talk.say("Something else.", true)).toBeNull();
    expect(read(talk, completed({ status: "interrupted" })).heard).toMatchObject([{ ok: false, why: "interrupted" }]);
    expect(talk.interrupt()).toBe("");
    expect(talk.say("Something else.", false)?.begins).toBe(true);
  });

  test("leaves a turn with all who work for it in one", () => {
    const talk = inTurn();
    const turn = (method: string, threadId: string) =>
      read(talk, { method, params: { threadId, turn: { id: `turn of ${threadId}`, status: "completed" } } }).heard;
    for (const thread of ["t-2", "t-3"]) turn("turn/started", thread);
    expect(turn("turn/completed", "t-2")).toEqual([]);
    const threads = [...talk.interrupt().matchAll(/"threadId":"([^"]+)"/g)].map(([, thread]) => thread);
    expect(threads).toEqual(["t-1", "t-3"]);
    for (let at = 0; at < 1500; at++) turn("turn/started", `invented-${at}`);
    expect(methods(talk.interrupt())).toHaveLength(1001);
  });

  test("[RN26] has names of which the log and its turns have the beginning, however long they are", () => {
    const talk = inTurn();
    const hear = (method: string, params: object) => read(talk, { method, params }).heard;
    const [id, tool, thread] = ["i", "t", "w"].map((letter) => letter.repeat(1_000_000)) as [string, string, string];
    const all = [
      ...hear("item/started", { threadId: thread, item: { type: "mcpToolCall", id, server: "x", tool } }),
      ...hear("item/completed", { threadId: thread, item: { type: "dynamicToolCall", id, tool } }),
      ...hear("item/started", { threadId: thread, item: { type: tool, id } }),
    ];
    expect(all).toHaveLength(3);
    hear("turn/started", { threadId: thread, turn: { id } });
    expect(JSON.stringify(all).length + talk.interrupt().length).toBeLessThan(6000);
  });

  test("remembers of what threads have counted what counts, whatever else is said with it", () => {
    const talk = inTurn();
    const count = (at: number) => {
      const total = { inputTokens: 1, more: `${at}${"x".repeat(1_000_000)}` };
      read(talk, {
        method: "thread/tokenUsage/updated",
        params: { threadId: `t-${at}`, tokenUsage: { total } },
      });
    };
    const held = heldBytes(() => {
      for (let at = 0; at < 100; at++) count(at);
    });
    expect(held).toBeLessThan(50_000_000);
    expect(read(talk, completed()).heard).toMatchObject([{ usage: { inputTokens: 100 } }]);
  });

  test("[RN19] its settings let others work for it, or take every way to that", () => {
    const [with_, without] = [true, false].map((subagents) => toCodexConfig({ ...job, subagents }));
    expect(with_).toContain("[features.multi_agent_v2]\nenabled = true\n[");
    expect(without).toContain("[features.multi_agent_v2]\nenabled = false\ndisable_native_tools = true\n");
  });

  test.each([
    ["contextWindowExceeded", "context"],
    ["usageLimitExceeded", "rate-limit"],
    [{ httpConnectionFailed: { httpStatusCode: 401 } }, "auth"],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "rate-limit"],
    [{ responseStreamDisconnected: { httpStatusCode: 502 } }, "outage"],
    ["serverOverloaded", "outage"],
    ["cyberPolicy", "refused"],
    [null, "error"],
  ])("tells the ways apart in which a turn goes wrong: %j", (codexErrorInfo, why) => {
    const error = { message: "no", codexErrorInfo };
    expect(read(inTurn(), completed({ status: "failed", error })).heard).toMatchObject([
      { is: "turn", ok: false, text: "no", why },
    ]);
  });

  test("does nothing for it, and breaks on nothing", () => {
    const talk = inTurn();
    expect(read(talk, { id: 7, method: "item/fileChange/requestApproval", params: {} }).write).toContain(
      "not done here",
    );
    for (const line of ["", "[]", "null", "7", "{}", '{"id":null}', '{"method":"item/started"}'])
      expect(Array.isArray(talk.read(line).heard)).toBe(true);
    expect(talk.read("ERROR something").heard).toMatchObject([{ is: "other", kind: "text" }]);
  });

  test("[RN26] keeps notices that it has no word for, and none of its book-keeping", () => {
    const talk = inTurn();
    const notice = (method: string, params: object = {}) => read(talk, { method, params }).heard;
    expect(notice("model/rerouted", { message: "to another one" })).toEqual([
      { is: "other", kind: "model/rerouted", text: "to another one" },
    ]);
    expect(notice("thread/status/changed")).toEqual([]);
    expect(notice("item/newThing/delta")).toEqual([]);
    expect(notice("turn/plan/updated", { threadId: "t-1", plan: [{ step: "Look." }] })).toMatchObject([
      { kind: "plan" },
    ]);
  });

  test("its settings name a profile's servers, and none of their tokens", () => {
    const servers = [
      { name: "notes", url: "http://127.0.0.1:2/servers/notes", token: "server-token" },
      { name: "local", command: ["docs server", "--a b"], env: { MODE: 'x"y' } },
    ];
    const config = toCodexConfig({ ...job, servers });
    expect(config).toContain('[mcp_servers.notes]\nurl = "http://127.0.0.1:2/servers/notes"');
    expect(config).toContain('command = "docs server"\nargs = ["--a b"]');
    expect(config).toContain('[mcp_servers.local.env]\nMODE = "x\\"y"');
    expect(config).not.toContain("server-token");
  });

  test("somebody who reads the same lines again stands at the same place", () => {
    const [one, other] = [inTurn(), inTurn()];
    expect(other.say("And?", true)).toEqual(one.say("And?", true));
  });

  test("its settings name the door and the relay, and no token", () => {
    const config = toCodexConfig({ ...job, model: 'a "b"' });
    expect(config).toContain('model = "a \\"b\\""');
    expect(config).toContain('base_url = "http://127.0.0.1:2/v1"');
    expect(config).toContain("shell_tool = false");
    // By itself it would ask thirty times before it said that its model does not answer.
    expect(config).toContain("request_max_retries = 1\nstream_max_retries = 2\n");
    expect(config).not.toMatch(/"[dr]"/);
  });
});
