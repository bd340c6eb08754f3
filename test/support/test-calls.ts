// Finds the calls of `test`, `it` and `describe` in a test file, with their titles and bodies.

import { maskSource } from "./mask-source.ts";
import { lineAt, type SourceFile } from "./source-files.ts";

export interface TestCall {
  kind: "test" | "describe";
  /** `only`, `skip`, `each`, … in the order written. */
  modifiers: readonly string[];
  title: string;
  /** What stands between the parentheses, without comments and the inside of strings. */
  body: string;
  line: number;
}

export function findTestCalls({ text }: SourceFile): TestCall[] {
  const masked = maskSource(text);
  return [...masked.matchAll(/(?<![.\w$])(test|it|describe)((?:\s*\.\s*\w+)*)\s*\(/g)].flatMap((match) => {
    const modifiers = [...(match[2] ?? "").matchAll(/\w+/g)].map(([word]) => word);
    // `test.extend(…)` makes another test function and is no test itself.
    if (modifiers.includes("extend")) return [];
    let open = match.index + match[0].length - 1;
    // `test.each(table)(title, body)`: the second pair of parentheses is the test.
    if (modifiers.some((word) => ["each", "for", "skipIf", "runIf"].includes(word))) {
      const next = /^\s*\(/.exec(masked.slice(endOfParentheses(masked, open)));
      if (next === null) return [];
      open = endOfParentheses(masked, open) + next[0].length - 1;
    }
    return [
      {
        kind: match[1] === "describe" ? "describe" : "test",
        modifiers,
        title: readTitle(text, open + 1),
        body: masked.slice(open + 1, endOfParentheses(masked, open) - 1),
        line: lineAt(text, match.index),
      },
    ];
  });
}

function endOfParentheses(masked: string, open: number): number {
  let depth = 0;
  for (let at = open; at < masked.length; at += 1) {
    if (masked[at] === "(") depth += 1;
    if (masked[at] === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return masked.length;
}

function readTitle(text: string, from: number): string {
  const literal = /^\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/s.exec(text.slice(from));
  return literal?.[2] ?? "";
}
