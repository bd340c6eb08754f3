import { describe, expect, test } from "vitest";
import { ownCall, ownResult, textOfContent } from "./own-call.ts";

const about = { call: "c-1", tool: "Bash", parent: null };

describe("[RN46] a call that the door knows nothing of", () => {
  test.each([
    [{ command: "ls -l", timeout: 7 }, "ls -l"],
    [{ command: ["ls", "-l"] }, "ls -l"],
    [{ description: "part", prompt: "Do it." }, "part: Do it."],
    [{ prompt: "Do it." }, "Do it."],
    [{ file_path: "a.txt", content: "x" }, '{"content":"x","file_path":"a.txt"}'],
    ["plain", "plain"],
    [undefined, ""],
  ])("says what is asked for as a person would: %j", (input, said) => {
    expect(ownCall(about, input)).toEqual({ is: "tool", ...about, input: said });
  });

  test("keeps no more of it than is read", () => {
    expect(JSON.stringify(ownCall({ ...about, tool: "t".repeat(5000) }, "x".repeat(5000))).length).toBeLessThan(1300);
  });

  test("is shortened in the log to its beginning and its end, and then comes with all of it", () => {
    const short = { ok: true, exit: 0, text: "short" };
    expect(ownResult(about, short)).toEqual({ is: "result", ...about, ...short, output: null });
    const text = `begins${"x".repeat(10_000)}ends`;
    const long = ownResult(about, { ok: false, exit: 1, text });
    expect(long).toMatchObject({ ok: false, exit: 1, whole: text });
    expect("text" in long && long.text).toMatch(/^begins.*\n\[… 6010 characters left out …\]\n.*ends$/s);
  });

  test("answers in words or in blocks", () => {
    expect(textOfContent("said")).toBe("said");
    expect(textOfContent([{ type: "text", text: "a" }, { type: "image" }, null])).toBe("a\n[image]\n[?]");
    expect(textOfContent(undefined)).toBe("");
  });
});
