import { describe, expect, test } from "vitest";
import { joinWords, splitWords } from "./split-words.ts";

describe("splitting", () => {
  test.each([
    ["npm test", ["npm", "test"]],
    ["  npm   run  test:unit ", ["npm", "run", "test:unit"]],
    ["sh -c 'npm test && npm run lint'", ["sh", "-c", "npm test && npm run lint"]],
    [String.raw`echo "a \"b\" c" d\ e`, ["echo", 'a "b" c', "d e"]],
    ["printf ''", ["printf", ""]],
    ["echo '&&'", ["echo", "&&"]],
    [`a"b"'c'`, ["abc"]],
  ])("%j", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test.each(["npm test && npm run lint", "a | b", "a > out", "a 2>&1", "a ; b", "a &"])(
    "%j needs a shell and says so",
    (text) => {
      expect(() => splitWords(text)).toThrow("sh -c");
    },
  );

  test("nothing and half a quote are refused", () => {
    expect(() => splitWords("  ")).toThrow("no command");
    expect(() => splitWords("echo 'a")).toThrow("character 6 has no end");
  });
});

test("joining gives back what splitting reads", () => {
  for (const words of [
    ["npm", "test"],
    ["sh", "-c", "a && b"],
    ["it's", ""],
    ["a b", "$HOME", '"'],
  ]) {
    expect(splitWords(joinWords(words))).toEqual(words);
  }
});
