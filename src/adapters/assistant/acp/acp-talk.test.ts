import { describe, expect, test } from "vitest";
import { makeAssistantJob } from "../../../../test/support/assistant-job.ts";
import { heldBytes } from "../../../../test/support/held-bytes.ts";
import type { Wish } from "../../../ports/assistant.ts";
import { AcpTalk } from "./acp-talk.ts";

const job = makeAssistantJob();

const read = (talk: AcpTalk, message: object) => talk.read(JSON.stringify(message));
const update = (talk: AcpTalk, each: object) =>
  read(talk, { method: "session/update", params: { sessionId: "s-1", update: each } }).heard;
const piece = (kind: string, text: string) => ({ sessionUpdate: kind, content: { type: "text", text } });

function inTurn(): AcpTalk {
  const talk = new AcpTalk(job);
  read(talk, { id: "hello", result: { agentCapabilities: { loadSession: true } } });
  read(talk, { id: "new", result: { sessionId: "s-1", models: { currentModelId: "m" } } });
  return talk;
}

describe("the talk with an agent of ACP", () => {
  test("begins a session with the door in it, and prompts as soon as there is one", () => {
    const talk = new AcpTalk(job);
    expect(talk.open()).toContain('"initialize"');
    const { write } = read(talk, { id: "hello", result: {} });
    expect(JSON.parse(write)).toMatchObject({
      method: "session/new",
      params: { cwd: job.home, mcpServers: [{ type: "http", name: "door", url: job.door.url }] },
    });
    const entered = read(talk, { id: "new", result: { sessionId: "s-1", models: { currentModelId: "m" } } });
    expect(entered.heard).toEqual([{ is: "session", session: "s-1", model: "m" }]);
    expect(entered.write).toContain("Go on.");
  });

  test("is let in first where it asks for that", () => {
    const talk = new AcpTalk(job, "api-key");
    const { write } = read(talk, { id: "hello", result: {} });
    expect(JSON.parse(write)).toMatchObject({ method: "authenticate", params: { methodId: "api-key" } });
    expect(read(talk, { id: "auth", result: {} }).write).toContain("session/new");
    expect(read(talk, { id: "auth", error: { code: -32_000, message: "no" } }).heard).toMatchObject([{ why: "auth" }]);
  });

  test("takes a session up, and is deaf while that tells its past", () => {
    const talk = new AcpTalk({ ...job, session: "s-1" });
    const { write } = read(talk, { id: "hello", result: { agentCapabilities: { loadSession: true } } });
    expect(JSON.parse(write)).toMatchObject({ method: "session/load", params: { sessionId: "s-1" } });
    expect(update(talk, { sessionUpdate: "tool_call", toolCallId: "old", title: "old" })).toEqual([]);
    expect(read(talk, { id: "load", result: null }).write).toContain("Go on.");
  });

  test.each([
    ["is not there any more", { loadSession: true }],
    ["cannot be taken up", {}],
  ])("a session that %s is begun anew, with everything told", (_, agentCapabilities) => {
    const talk = new AcpTalk({ ...job, session: "s-0" });
    read(talk, { id: "hello", result: { agentCapabilities } });
    read(talk, { id: "load", error: { code: -32_602, message: "no such session" } });
    expect(read(talk, { id: "new", result: { sessionId: "s-1" } }).write).toContain("Add a limit.");
  });

  test("puts together what is said in pieces, and counts over its turns", () => {
    const talk = inTurn();
    expect(update(talk, piece("agent_thought_chunk", "First "))).toEqual([]);
    expect(update(talk, piece("agent_thought_chunk", "the tests."))).toEqual([]);
    expect(update(talk, piece("agent_message_chunk", "I "))).toEqual([
      { is: "thinking", text: "First the tests.", parent: null },
    ]);
    expect(update(talk, piece("agent_message_chunk", "begin."))).toEqual([]);
    expect(update(talk, { sessionUpdate: "tool_call", toolCallId: "c-1", title: "claim" })).toEqual([
      { is: "message", text: "I begin.", parent: null },
      { is: "tool", call: "c-1", tool: "claim", parent: null, input: "" },
    ]);
    update(talk, piece("agent_message_chunk", "Done."));
    const _meta = { quota: { token_count: { input_tokens: 20, output_tokens: 10 } } };
    const usage = { inputTokens: 20, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, costMicros: null };
    expect(read(talk, { id: "prompt-1", result: { stopReason: "end_turn", _meta } }).heard).toEqual([
      { is: "message", text: "Done.", parent: null },
      { is: "turn", ok: true, text: "Done.", why: "ended", usage },
    ]);
    expect(read(talk, { id: "prompt-2", result: { stopReason: "end_turn", usage } }).heard).toMatchObject([
      { text: "", usage: { inputTokens: 40, outputTokens: 20 } },
    ]);
  });

  test("[RN47] tells the pieces of what it says as they come", () => {
    const talk = inTurn();
    const piecesOf = (each: object) =>
      read(talk, { method: "session/update", params: { sessionId: "s-1", update: each } }).pieces;
    expect(piecesOf(piece("agent_thought_chunk", "So"))).toEqual([{ of: "thinking", text: "So", parent: null }]);
    expect(piecesOf(piece("agent_message_chunk", "I be"))).toEqual([{ of: "message", text: "I be", parent: null }]);
    expect(piecesOf({ sessionUpdate: "tool_call", toolCallId: "c-1", title: "claim" })).toEqual([]);
  });

  test("[BG23] tells what its program reckons that the conversation has cost, in dollars alone", () => {
    const talk = inTurn();
    const cost = (amount: unknown, currency: string) =>
      update(talk, { sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount, currency } });
    expect([cost(0.25, "USD"), cost(3, "EUR"), cost("much", "USD"), cost(-1, "USD")]).toEqual([[], [], [], []]);
    const end = { stopReason: "end_turn", usage: { inputTokens: 20, outputTokens: 10 } };
    expect(read(talk, { id: "prompt-1", result: end }).heard).toMatchObject([{ usage: { costMicros: 250_000 } }]);
    // It counts on from there by itself.
    cost(0.5, "USD");
    expect(read(talk, { id: "prompt-2", result: end }).heard).toMatchObject([
      { usage: { inputTokens: 40, costMicros: 500_000 } },
    ]);
  });

  test("hears people between its turns, and leaves one when it is told to", () => {
    const talk = inTurn();
    expect(talk.say("Wait.", true)).toBeNull();
    expect(talk.interrupt()).toContain("session/cancel");
    read(talk, { id: "prompt-1", result: { stopReason: "cancelled" } });
    // It may have forgotten what it left, so it hears that again; but once.
    expect(talk.say("Wait.", false)?.write).toContain("Add a limit.\\n\\nWait.");
    expect(talk.say("Wait.", false)?.write).not.toContain("Add a limit.");
    expect(new AcpTalk(job).interrupt()).toBe("");
  });

  test.each([
    [{ result: { stopReason: "cancelled" } }, "interrupted"],
    [{ result: { stopReason: "max_tokens" } }, "context"],
    [{ result: { stopReason: "max_turn_requests" } }, "max-turns"],
    [{ result: { stopReason: "refusal" } }, "refused"],
    [{ result: {} }, "error"],
    [{ error: { code: -32_000, message: "Authentication required" } }, "auth"],
    [{ error: { code: 401, message: "no" } }, "auth"],
    [{ error: { code: 429, message: "slow" } }, "rate-limit"],
    [{ error: { code: 400, message: "prompt is too long: 208310 tokens > 200000 maximum" } }, "context"],
    [{ error: { code: 400, message: "The input token count (12) exceeds the maximum number of tokens" } }, "context"],
    [{ error: { code: -32_603, message: "Session too large to compact - context exceeds model limit" } }, "context"],
    [{ error: { code: -32_603, message: "This model's maximum context length is 8192 tokens" } }, "context"],
    [{ error: { code: -32_603, message: "got 429 Too Many Requests" } }, "rate-limit"],
    [{ error: { code: -32_603, message: "Internal error" } }, "error"],
  ])("tells the ways apart in which a turn goes wrong: %j", (how, why) => {
    expect(read(inTurn(), { id: "prompt-1", ...how }).heard).toMatchObject([{ is: "turn", ok: false, why }]);
  });

  test("[RN26] keeps what it has no word for, a bounded number of times, and what is a plan", () => {
    const talk = inTurn();
    expect(update(talk, { sessionUpdate: "plan", entries: [{ content: "Look." }] })).toMatchObject([{ kind: "plan" }]);
    expect(update(talk, { sessionUpdate: "tool_call_update" })).toEqual([]);
    expect(update(talk, { sessionUpdate: "new_thing", a: 1 })).toMatchObject([{ is: "other", kind: "new_thing" }]);
    const odd = Array.from({ length: 100 }, () => read(talk, { method: "some/notice", params: {} }).heard).flat();
    expect(odd).toHaveLength(32);
    expect(odd.at(-1)).toMatchObject({ kind: "some/notice", text: expect.stringContaining("not kept") as string });
    expect(read(talk, { id: 9, method: "new/request", params: {} }).heard).toMatchObject([{ kind: "new/request" }]);
  });

  test("[RN26] a person decides what it may do with hands of its own, or leaves it", () => {
    const options = [
      { optionId: "always", kind: "allow_always" },
      { optionId: "no", kind: "reject_once" },
      { optionId: "yes", kind: "allow_once" },
    ];
    const ask = (talk: AcpTalk, id: number) =>
      read(talk, {
        ...{ id, method: "session/request_permission" },
        params: { options, toolCall: { kind: "execute", title: "rm -r x" } },
      });
    const talk = inTurn();
    const asked = ask(talk, 4);
    expect([asked.write, asked.heard]).toMatchObject(["", [{ kind: "permission" }]]);
    expect(talk.hooks.open()).toMatchObject([
      { id: "permit-4", is: "permit", leave: { tool: "execute", what: "rm -r x" } },
    ]);
    expect(talk.hooks.open()[0]).toMatchObject({ text: expect.stringContaining("rm -r x") as string });
    expect(JSON.parse(talk.hooks.answer("permit-4", { ok: true, message: "" }))).toMatchObject({
      ...{ id: 4, result: { outcome: { optionId: "yes" } } },
    });
    ask(talk, 5);
    expect(talk.hooks.answer("permit-5", { ok: false, message: "" })).toContain('"no"');
    ask(talk, 6);
    expect(talk.interrupt()).toMatch(/session\/cancel[^]*"id":6[^]*cancelled/);
    expect(talk.hooks.open()).toEqual([]);
    expect(talk.hooks.answer("permit-6", { ok: true, message: "" })).toBe("");
  });

  test("[RN26] a person is shown all that it would do, and another act is another question", () => {
    const question = (toolCall: object): string => {
      const talk = inTurn();
      const params = { toolCall: { kind: "edit", title: "Edit a.txt", ...toolCall } };
      read(talk, { id: 1, method: "session/request_permission", params });
      const [wish] = talk.hooks.open();
      return wish?.is === "permit" ? wish.text : "";
    };
    const diff = { type: "diff", path: "/w/a.txt", oldText: "one\ntwo", newText: "three" };
    const rawInput = { path: "/w/a.txt", script: "x\ny", deep: { b: 1, a: [true] } };
    expect(question({ toolCallId: "c-1", rawInput, locations: [{ path: "/w/a.txt", line: 3 }], content: [diff] })).toBe(
      [
        "May it use a tool of its own (edit): Edit a.txt?",
        "",
        "at: /w/a.txt:3",
        'deep: {"a":[true],"b":1}',
        "path: /w/a.txt",
        "script:",
        "  x",
        "  y",
        "changes: /w/a.txt",
        "- one",
        "- two",
        "+ three",
      ].join("\n"),
    );
    expect(question({ toolCallId: "c-1", rawInput })).toBe(question({ toolCallId: "c-2", rawInput }));
    const long = "x".repeat(70_000);
    const acts = [{}, { rawInput }, { rawInput: "a" }, { content: [diff] }, { content: [{ ...diff, newText: "4" }] }];
    const longs = [`${long}1`, `${long}2`].flatMap((text) => [{ title: text }, { rawInput: { text } }]);
    const all = [...acts, ...longs].map(question);
    expect(new Set(all).size).toBe(all.length);
    expect(Math.max(...all.map((text) => text.length))).toBeLessThan(20_000);
    expect(all.at(-1)).toMatch(/54007 more characters.* all of it is the artifact asked-[0-9a-f]{40} …]$/);
  });

  test("[RN26] of a long act the question names what has all of it; of a short one there is nothing more", () => {
    const ask = (command: string) => {
      const talk = inTurn();
      const toolCall = { kind: "execute", title: "sh", rawInput: { command } };
      read(talk, { id: 1, method: "session/request_permission", params: { toolCall } });
      return talk.hooks.open()[0] as Extract<Wish, { is: "permit" }>;
    };
    const [short, long, again] = [
      ask("ls"),
      ask(`${"x".repeat(16_000)} && rm -rf /`),
      ask(`${"x".repeat(16_000)} && ls`),
    ];
    expect(short.whole).toBeUndefined();
    expect(long.text).not.toContain("rm -rf /");
    expect(long.text).toContain(`the artifact ${long.whole?.name} `);
    expect(long.whole?.text).toMatch(/^May it use a tool of its own \(execute\): sh\?\n\ncommand: x+ && rm -rf \/$/);
    expect(again.whole?.name).not.toBe(long.whole?.name);
  });

  test("whoever asks leave for a hundred acts and hears nothing is refused more", () => {
    const talk = inTurn();
    const params = {
      options: [{ optionId: "no", kind: "reject_once" }],
      toolCall: { kind: "execute", title: "ls" },
    };
    const ask = (id: number) => read(talk, { id, method: "session/request_permission", params });
    const asked = Array.from({ length: 101 }, (_, id) => ask(id));
    expect(asked.slice(0, 100).map(({ write }) => write)).toEqual(Array.from({ length: 100 }, () => ""));
    expect(JSON.parse(asked[100]?.write ?? "")).toMatchObject({ id: 100, result: { outcome: { optionId: "no" } } });
    expect(talk.hooks.open()).toHaveLength(100);
    talk.hooks.answer("permit-0", { ok: false, message: "" });
    expect(ask(101).write).toBe("");
  });

  test("of acts that are as long as files fewer can be asked at once", () => {
    const talk = inTurn();
    const params = (at: number) => ({
      options: [{ optionId: "no", kind: "reject_once" }],
      toolCall: { kind: "edit", title: `w${at}`, rawInput: { content: "x".repeat(4_000_000) } },
    });
    const ask = (id: number) => read(talk, { id, method: "session/request_permission", params: params(id) }).write;
    expect([ask(1), ask(2), ask(3)]).toEqual(["", "", ""]);
    talk.hooks.answer("permit-1", { ok: true, message: "" });
    expect([ask(4), ask(5), ask(6)].map((write) => write === "")).toEqual([true, true, false]);
  });

  test("[RN26] has names and words of which no more is kept than the log has", () => {
    const talk = inTurn();
    const long = "n".repeat(1_000_000);
    const call = { sessionUpdate: "tool_call", toolCallId: "c1", kind: long, title: "a b", status: "in_progress" };
    const heard = [
      ...update(talk, call),
      ...update(talk, { sessionUpdate: long }),
      ...["thinking ", long, long].flatMap((text) => update(talk, piece("agent_thought_chunk", text))),
      ...update(talk, piece("agent_message_chunk", "Done.")),
    ];
    expect(heard.map(({ is }) => is)).toEqual(["tool", "other", "thinking"]);
    expect(heard.at(-1)).toMatchObject({ text: expect.stringMatching(/^thinking n{19991}$/) as unknown });
    expect(JSON.stringify(heard).length).toBeLessThan(24_000);
    const held = heldBytes(() => {
      for (let at = 0; at < 100; at++) {
        update(talk, { ...call, toolCallId: `d${at}`, kind: `${at}${long}` });
        update(talk, piece("agent_message_chunk", `${at}${long}`));
      }
    });
    expect(held).toBeLessThan(50_000_000);
  });

  test("may use its tools, and has no hands of ours", () => {
    const talk = inTurn();
    const options = [
      { optionId: "no", kind: "reject_once" },
      { optionId: "yes", kind: "allow_once" },
    ];
    const asked = read(talk, { id: 4, method: "session/request_permission", params: { options } });
    expect(JSON.parse(asked.write)).toMatchObject({ id: 4, result: { outcome: { optionId: "yes" } } });
    const without = read(talk, { id: 5, method: "session/request_permission", params: {} });
    expect(JSON.parse(without.write)).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    expect(read(talk, { id: 6, method: "fs/write_text_file", params: {} }).write).toContain("not done here");
    for (const line of ["", "[]", "null", "{}", '{"method":"session/update"}', "Loaded."])
      expect(Array.isArray(talk.read(line).heard)).toBe(true);
  });
});
