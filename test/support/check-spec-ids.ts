// Compares the rules of docs/spec with the titles of the tests: a rule that no test names is only a wish.

import { findTestCalls } from "./test-calls.ts";
import { type Finding, isTest, lineAt, type SourceFile } from "./source-files.ts";

// Two letters for the document and a number for the rule: **LS14**, at the start of a line.
const definition = /^(?:[-*]\s+|\|\s*)?\*\*([A-Z]{2,}\d+[a-z]?)\b/gm;
const mention = /\[([A-Z]{2,}\d+[a-z]?(?:[,\s]+[A-Z]{2,}\d+[a-z]?)*)\]/g;
// A document may run ahead of the code if it says so at the top; its rules are known, and not yet demanded.
const notBuiltYet = /^(?:.*\n){0,10}?.*\*Not built yet/;

export function findRules(documents: readonly SourceFile[]): Map<string, Finding & { isDemanded: boolean }> {
  const rules = new Map<string, Finding & { isDemanded: boolean }>();
  for (const { path, text } of documents) {
    const isDemanded = !notBuiltYet.test(text);
    for (const match of text.matchAll(definition)) {
      const id = match[1] ?? "";
      const line = lineAt(text, match.index);
      const earlier = rules.get(id);
      const message = earlier === undefined ? "" : `${id} is defined twice, first in ${earlier.path}:${earlier.line}.`;
      rules.set(id, { path, line, message, isDemanded });
    }
  }
  return rules;
}

export function checkSpecIds(documents: readonly SourceFile[], tests: readonly SourceFile[]): Finding[] {
  const rules = findRules(documents);
  const named = new Set<string>();
  const findings = [...rules.values()].filter(({ message }) => message !== "");
  for (const file of tests.filter(({ path }) => isTest(path))) {
    for (const { title, line } of findTestCalls(file)) {
      for (const id of idsIn(title)) {
        named.add(id);
        if (rules.has(id)) continue;
        const message = `the title names ${id}, which no document in docs/spec defines. Correct the number, or write the rule down.`;
        findings.push({ path: file.path, line, message, isDemanded: true });
      }
    }
  }
  for (const [id, { path, line, isDemanded }] of rules) {
    if (named.has(id) || !isDemanded) continue;
    const message = `${id} has no test. Write one that fails without the rule and put [${id}] into its title.`;
    findings.push({ path, line, message, isDemanded });
  }
  return findings.map(({ path, line, message }) => ({ path, line, message }));
}

function idsIn(title: string): string[] {
  return [...title.matchAll(mention)].flatMap((match) => (match[1] ?? "").split(/[,\s]+/));
}
