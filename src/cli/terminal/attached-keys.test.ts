import { expect, test } from "vitest";
import { AttachedKeys, keysAmongPanes, keysOfOne } from "./attached-keys.ts";

const typed = (...chunks: string[]): string[] => {
  const keys = new AttachedKeys(keysOfOne);
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

test("[TM26] keys for panes are ours where there are several, and the program's where there is one", () => {
  const typed = Uint8Array.from([0x10, 0x16, 0x10, 0x04, 0x10, 0x0f, 0x10, 0x1a]);
  expect(new AttachedKeys(keysAmongPanes).take(typed)).toEqual(["side", "stack", "next", "away"]);
  const alone = ["side", "stack", Uint8Array.from([0x10, 0x0f, 0x10, 0x1a])];
  expect(new AttachedKeys(keysOfOne).take(typed)).toEqual(alone);
});

test("[TM26] nothing in a paste is a key of ours, however it comes in pieces, and what is typed after it is", () => {
  const paste = "\u001b[200~a\u0010\u0011b\u001b\u001b[20\u0010\u0011\u001b[201~";
  expect(typed(`x${paste}y\u0010\u0011`)).toEqual([`x${paste}y`, "<detach>"]);
  const keyByKey = typed(...Array.from(paste), "\u0010", "\u0011");
  expect([keyByKey.slice(0, -1).join(""), keyByKey.at(-1)]).toEqual([paste, "<detach>"]);
  expect(typed(paste, paste, "\u0010\u0011")).toEqual([paste, paste, "<detach>"]);
  // Keys that begin like a paste are none.
  expect(typed("\u001b[20~\u0010\u0011", "\u001b\u001b[2\u0010\u0011")).toEqual([
    ...["\u001b[20~", "<detach>", "\u001b\u001b[2", "<detach>"],
  ]);
});

test("a ctrl-p before a paste is the program's", () => {
  expect(typed("\u0010", "\u001b[200~\u0011\u001b[201~")).toEqual(["\u0010\u001b[200~\u0011\u001b[201~"]);
});
