import { expect, test } from "vitest";
import { SayLine, type SayEnd } from "./say-line.ts";

function typed(...chunks: string[]): { end: SayEnd | undefined; text: string } {
  const line = new SayLine();
  let end: SayEnd | undefined;
  for (const chunk of chunks) end ??= line.take(Buffer.from(chunk));
  return { end, text: line.text };
}

test("[TM19] a line is sent with Enter, mended with Backspace, and left with Escape or ctrl-c", () => {
  expect(typed("hello", " there\r")).toEqual({ end: { text: "hello there" }, text: "hello there" });
  expect(typed("helpo", "\u007f\u007f", "lo\r").end).toEqual({ text: "hello" });
  expect(typed("no\u0015", "yes\r").end).toEqual({ text: "yes" });
  expect(typed("hello", "\u001b").end).toBe("left");
  expect(typed("hello", "\u0003").end).toBe("left");
  expect(typed("  \r").end).toBe("left");
});

test("[TM19] keys that are no letters mean nothing, a letter in two parts is one, and there is a bound", () => {
  expect(typed("a", "\u001b[A", "b").text).toBe("ab");
  const [first = 0, second = 0] = Buffer.from("é");
  const line = new SayLine();
  line.take(Uint8Array.of(first));
  line.take(Uint8Array.of(second));
  expect(line.text).toBe("é");
  expect(typed("x".repeat(600)).text).toHaveLength(500);
});

test("[TM19] what is pasted is text, whatever keys are in it and however it comes in pieces, and a key after it is one", () => {
  const paste = "\u001b[200~one\r\ntwo\u0003\u0010\u0011\u001b[201~";
  const after = (...chunks: string[]): readonly unknown[] => {
    const line = new SayLine();
    return [chunks.map((chunk) => line.take(Buffer.from(chunk))).find((end) => end !== undefined), line.text];
  };
  expect(after(paste)).toEqual([undefined, "one two"]);
  expect(after(`so: ${paste}!\r`)).toEqual([{ text: "so: one two!" }, "so: one two!"]);
  for (let cut = 2; cut < paste.length; cut++) {
    const [end] = after(paste.slice(0, cut), paste.slice(cut), "\r");
    expect(JSON.stringify(end)).toMatch(/^\{"text":"one +two"\}$/);
  }
});
