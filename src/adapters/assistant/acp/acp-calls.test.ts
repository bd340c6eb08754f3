// As the programs themselves told it: OpenCode 1.18.33 and Gemini CLI 0.61.0.

import { describe, expect, test } from "vitest";
import { AcpCalls } from "./acp-calls.ts";

const said = (text: string) => [{ type: "content", content: { type: "text", text } }];

describe("[RN46] calls that an agent tells of bit by bit", () => {
  test("a command of OpenCode's own: it has its name first, then what it is, then what came of it", () => {
    const calls = new AcpCalls();
    const about = { toolCallId: "c-1", kind: "execute" };
    expect(calls.read({ ...about, title: "bash", status: "pending", rawInput: {} })).toEqual([]);
    const begun = { ...about, title: "echo own", status: "in_progress", rawInput: { command: "echo own", cwd: "/w" } };
    const call = { call: "c-1", tool: "bash", parent: null };
    expect(calls.read(begun)).toEqual([{ is: "tool", ...call, input: "echo own" }]);
    expect(calls.read({ ...begun, content: said("own\n") })).toEqual([]);
    const rawOutput = { output: "own\n", metadata: { exit: 3 } };
    expect(calls.read({ toolCallId: "c-1", status: "completed", content: said("own\n"), rawOutput })).toEqual([
      { is: "result", ...call, ok: false, exit: 3, text: "own\n", output: null },
    ]);
  });

  test("a command of Gemini's own: it asks leave first, and tells of nothing but its end", () => {
    const calls = new AcpCalls();
    const toolCallId = "run_shell_command__run_shell_command_1795034102962_0";
    calls.meet({ toolCallId, status: "pending", title: "echo own", kind: "execute", content: said("[in /w]") });
    const call = { call: toolCallId, tool: "run_shell_command", parent: null };
    expect(calls.read({ toolCallId, status: "completed", title: "echo own", kind: "execute", content: [] })).toEqual([
      { is: "tool", ...call, input: "echo own" },
      { is: "result", ...call, ok: true, exit: null, text: "", output: null },
    ]);
  });

  test("a tool of a server is known by the server and its own name", () => {
    const calls = new AcpCalls();
    const toolCallId = "mcp_notes_find__mcp_notes_find_1_0";
    const title = "find (notes MCP Server)";
    calls.meet({ toolCallId, title, kind: "other", content: said('{"q":"tea"}') });
    expect(calls.read({ toolCallId, title, kind: "other", status: "failed", content: said("no tea") })).toMatchObject([
      { is: "tool", tool: "mcp__notes__find", input: '{"q":"tea"}' },
      { is: "result", tool: "mcp__notes__find", ok: false, text: "no tea" },
    ]);
  });

  test.each(["door_claim", "mcp__door__claim", "mcp_door_claim", "claim (door MCP Server)", "Tool: door/claim"])(
    "of one of the door the door's record has the rest: %s",
    (title) => {
      const calls = new AcpCalls();
      const [call] = calls.read({ toolCallId: "c-1", title, kind: "other", status: "pending", rawInput: {} });
      expect(call).toMatchObject({ is: "tool", call: "c-1" });
      expect(call).not.toHaveProperty("input");
      expect(calls.read({ toolCallId: "c-1", status: "completed", content: said("yours") })).toEqual([]);
    },
  );

  test("also where its title says what it is used for, and only its id names it", () => {
    const named = { toolCallId: "mcp_door_run__mcp_door_run_17_0", title: '{"command":"ls"}', kind: "other" };
    expect(new AcpCalls().read({ ...named, status: "completed", content: said("a") })).toEqual([
      { is: "tool", call: named.toolCallId, tool: "mcp_door_run", parent: null },
    ]);
  });

  test.each([
    [{ title: "Read src/a.ts and more", kind: "read" }, "read"],
    [{ title: "Think about it" }, "tool"],
    [{ title: "door_open", kind: "execute" }, "door_open"],
  ])("a title that is a sentence is no name: %j", (given, tool) => {
    const [call] = new AcpCalls().read({ toolCallId: "c-1", ...given });
    expect(call).toMatchObject({ is: "tool", tool });
    expect(call).toHaveProperty("input");
  });

  test("a change of a file is told as one", () => {
    const diff = { type: "diff", path: "/w/a.txt", oldText: "one", newText: "two" };
    const heard = new AcpCalls().read({
      toolCallId: "c-1",
      title: "edit",
      kind: "edit",
      status: "completed",
      content: [diff],
    });
    expect(heard.at(-1)).toMatchObject({ text: "changes: /w/a.txt\n- one\n+ two" });
  });

  test("whoever leaves everything open, or has no name for it, fills no memory", () => {
    const calls = new AcpCalls();
    for (let at = 0; at < 5000; at++) calls.read({ toolCallId: `c-${at}`, title: "bash" });
    // The first of them is long forgotten, and is told as if it were new.
    expect(calls.read({ toolCallId: "c-0", status: "completed" })).toHaveLength(2);
    expect(calls.read({ toolCallId: "c-4999", status: "completed" })).toHaveLength(1);
    expect(calls.read({ title: "bash" })).toEqual([]);
  });
});
