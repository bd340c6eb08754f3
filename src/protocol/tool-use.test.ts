import { expect, test } from "vitest";
import { toolUseIn } from "./tool-use.ts";

test.each([
  [{ progressToken: 2, "claudecode/toolUseId": "toolu_01" }, "toolu_01"],
  [{ threadId: "t", itemId: "i", callId: "exec-1140a734-91bb" }, "exec-1140a734-91bb"],
  [{ callId: "with\nlines" }, undefined],
  [{ callId: "x".repeat(101) }, undefined],
  [{ callId: 7 }, undefined],
  [null, undefined],
  ["callId", undefined],
])("[RN48] what a program calls the use of a tool is read off its request: %j", (meta, use) => {
  expect(toolUseIn(meta)).toBe(use);
});
