import { expect, test } from "vitest";
import { AttachedKeys } from "./attached-keys.ts";

const typed = (...chunks: string[]): string[] => {
  const keys = new AttachedKeys();
  const parts = chunks.flatMap((chunk) => keys.take(Buffer.from(chunk)));
  return parts.map((part) => (typeof part === "string" ? `<${part}>` : Buffer.from(part).toString()));
};

test("ctrl-p ctrl-q is for us, in one go or key by key", () => {
  expect(typed("ls\r\u0010\u0011")).toEqual(["ls\r", "<detach>"]);
  expect(typed("\u0010", "\u0011")).toEqual(["<detach>"]);
  expect(typed("\u0010\u0014", "\u0010\u0007", "\u0010\u000b")).toEqual(["<take>", "<give>", "<ask>"]);
});

test("another ctrl-p is the program's, with what comes after it", () => {
  expect(typed("\u0010a")).toEqual(["\u0010a"]);
  expect(typed("\u0010\u0010\u0010x")).toEqual(["\u0010\u0010\u0010x"]);
  expect(typed("\u0010\u0010\u0011")).toEqual(["\u0010", "<detach>"]);
  expect(typed("\u0011")).toEqual(["\u0011"]);
});
