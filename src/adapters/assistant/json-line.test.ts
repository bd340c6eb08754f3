import { expect, test } from "vitest";
import { readClaudeLine } from "./claude/read-claude-line.ts";
import { readRpc } from "./json-rpc.ts";

test("a line that is nested without bound is kept as text, and stops nobody who reads it", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const block = `{"type":"assistant","message":{"content":[{"type":"new","x":${deep}}]}}`;
  expect(readClaudeLine(block)).toEqual([{ is: "other", kind: "text", text: block.slice(0, 500) }]);
  expect(readRpc(`{"method":"session/update","params":{"update":{"sessionUpdate":"plan","entries":${deep}}}}`)).toBe(
    undefined,
  );
});

test("a line with values without end is kept as text, too", () => {
  const line = `{"type":"assistant","message":{"content":[${"[],".repeat(100_000)}[]]}}`;
  expect(readClaudeLine(line)).toEqual([{ is: "other", kind: "text", text: line.slice(0, 500) }]);
});
