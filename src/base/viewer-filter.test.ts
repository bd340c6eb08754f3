import { describe, expect, test } from "vitest";
import { usualPolicy, ViewerFilter, type ViewerPolicy } from "./viewer-filter.ts";

const pass = (text: string, policy: ViewerPolicy = usualPolicy): string =>
  Buffer.from(new ViewerFilter(policy).pass(Buffer.from(text))).toString();

describe("what viewers see of a terminal's output", () => {
  test.each([
    ["which terminal", "\u001b[c"],
    ["which terminal, in other words", "\u001b[>0c"],
    ["which terminal, in one character", "\u009b0c"],
    ["which terminal, the old way", "\u001bZ"],
    ["which terminal, the old way in one character", "\u009a"],
    ["how it does", "\u001b[5n"],
    ["where the cursor is", "\u001b[6n"],
    ["where the cursor is, with the page", "\u001b[?6n"],
    ["a mode", "\u001b[?2026$p"],
    ["a setting", "\u001bP$qm\u001b\\"],
    ["a capability", "\u001bP+q544e\u001b\\"],
    ["the colour of the background", "\u001b]11;?\u0007"],
    ["a colour", "\u001b]4;1;?\u001b\\"],
    ["the size of the window", "\u001b[14t"],
    ["its version", "\u001b[>q"],
    ["how keys are told", "\u001b[?u"],
    ["what it is called", "\u0005"],
    ["a picture's fate", "\u001b_Gi=1,a=q;AAAA\u001b\\"],
  ])("[TM5] no viewer is asked %s", (_, question) => {
    expect(pass(`a${question}b`)).toBe("ab");
  });

  test.each([
    ["a control character behind the escape", "\u001b\u0000[c"],
    ["a clipboard behind one", "\u001b\u0000]52;c;ZXZpbA==\u0007"],
    ["a clipboard behind a deleted character", "\u001b\u007f]52;c;ZXZpbA==\u0007"],
    ["the old question behind one", "\u001b\u0000Z"],
    ["a control character in the middle", "\u001b[\u0000c"],
    ["a deleted character in the middle", "\u001b[6\u007fn"],
    ["a question in one character in the middle of another", "\u001b[1\u009bc"],
    ["a clipboard in the middle of something", "\u001b[1\u009d52;c;ZXZpbA==\u0007"],
    ["a title with a question in it", "\u001b]0;t\u009b6n"],
    ["a picture with a clipboard in it", "\u001bPq\u009d52;c;ZXZpbA==\u0007"],
    ["the colour of a letter, after many others", `\u001b]4;${"1;#000000;".repeat(9)}7;?\u0007`],
    ["half of a question, and something else in its middle", "\u001b[6\u001b]52;c;ZXZpbA==\u0007"],
    ["how other keys are told", "\u001b[?4m"],
    ["another way to spell letters", "\u001b%@"],
    ["a terminal of another kind", "\u001b[?2l"],
    ["a locked keyboard", "\u001b[2h"],
    ["a letter that is said again without end", "\u001b[2147483647b"],
  ])("[TM5] [TM10] nothing passes of %s", (_, text) => {
    expect(pass(`a${text}b`)).toBe("ab");
  });

  test("[TM5] of bytes that are no text only those pass that are", () => {
    const raw = Buffer.from([0x61, 0x9b, 0x63, 0xc0, 0x9b, 0xe0, 0x82, 0x9b, 0xc2, 0x1b, 0x5b, 0x6d, 0xff, 0x00, 0x62]);
    expect(Buffer.from(new ViewerFilter(usualPolicy).pass(raw)).toString("latin1")).toBe("ac\u001b[mb");
  });

  test("[TM5] what passes is spelled as every terminal knows it", () => {
    expect(pass("\u009b31mred\u009d0;title\u009c")).toBe("\u001b[31mred\u001b]0;title\u001b\\");
  });

  test.each([
    ["colours", "\u001b[1;31mred\u001b[m"],
    ["screens", "\u001b[?1049h\u001b[2J\u001b[H"],
    ["a cursor's shape", "\u001b[5 q"],
    ["a soft reset", "\u001b[!p"],
    ["character sets", "\u001b(0"],
    ["a colour that is set", "\u001b]11;rgb:00/00/00\u0007"],
    ["a title", "\u001b]0;here\u0007"],
    ["a link", "\u001b]8;;https://example.com\u001b\\here\u001b]8;;\u001b\\"],
    ["other letters", "日本語 🦊 ·"],
  ])("%s pass", (_, text) => {
    expect(pass(text)).toBe(text);
  });

  test("[TM10] a clipboard is left alone, titles and links pass, and each can be said otherwise", () => {
    const text = "\u001b]52;c;aGk=\u0007\u001b]0;title\u0007\u001b]8;;x\u0007";
    expect(pass(text)).toBe("\u001b]0;title\u0007\u001b]8;;x\u0007");
    expect(pass("\u009d52;c;aGk=\u009c.")).toBe(".");
    expect(pass(text, { titles: false, links: false, clipboard: true })).toBe("\u001b]52;c;aGk=\u0007");
  });

  test("what is cut in the middle of a question is held until it is whole", () => {
    const filter = new ViewerFilter(usualPolicy);
    expect(Buffer.from(filter.pass(Buffer.from("a\u001b[6"))).toString()).toBe("a");
    expect(filter.heldBytes).toBe(3);
    expect(Buffer.from(filter.pass(Buffer.from("nb"))).toString()).toBe("b");
    expect(filter.heldBytes).toBe(0);
  });
});
