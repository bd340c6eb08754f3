// YAML that somebody sent, as plain data. The library's own checks for repeated keys and aliases take quadratic time: a
// file of half a megabyte would keep the daemon busy for minutes. So they are done here, in one walk.

import { type Document, isScalar, visit } from "yaml";
import { ok, refuse, type Result } from "../../base/result.ts";
import { opensTooMany, parseQuickly } from "../parse-yaml.ts";

const aliasesMax = 100;

/** The data, or why it cannot be read. */
export function readYaml(source: string): Result<unknown, string> {
  if (opensTooMany(source)) return refuse("it is nested too deeply");
  try {
    const document = parseQuickly(source);
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem !== undefined) return refuse(`${toWhy(problem.message)} (${toPlace(source, problem.pos[0])})`);
    const flaw = findFlaw(document);
    return flaw === undefined ? ok(document.toJS({ maxAliasCount: aliasesMax })) : refuse(flaw);
  } catch (cause) {
    return refuse(toWhy(cause instanceof Error ? cause.message : String(cause)));
  }
}

function toPlace(source: string, at: number): string {
  const before = source.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function findFlaw(document: Document.Parsed): string | undefined {
  let aliases = 0;
  let flaw: string | undefined;
  visit(document, {
    Alias: () => {
      aliases++;
      if (aliases <= aliasesMax) return undefined;
      flaw = `at most ${aliasesMax} aliases`;
      return visit.BREAK;
    },
    Map: (_, map) => {
      const names = new Set<string>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined) flaw = "a field's name is a plain text";
        else if (names.has(name)) flaw = `the field "${name.slice(0, 60)}" is there twice`;
        if (name === undefined || flaw !== undefined) return visit.BREAK;
        names.add(name);
      }
      return undefined;
    },
  });
  return flaw;
}

function toWhy(message: string): string {
  if (message.includes("call stack")) return "it is nested too deeply";
  if (message.includes("alias count"))
    return "its aliases (*name) stand for more than is taken; write out what they stand for";
  if (message.includes("multiple documents")) return "a second document begins here; write one alone";
  return (message.split("\n")[0] ?? message).replace(/:$/, "").slice(0, 200);
}
