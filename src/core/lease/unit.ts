// Work units: what can be owned. This file owns their names: how they are read, compared and contained. It knows no
// file system; a unit need not exist.

import { ok, refuse, type Result } from "../../base/result.ts";

export type UnitKind = "file" | "dir" | "process";

/**
 * A unit in its normal form. `text` is how it was spelled, cleaned of dots and doubled slashes; `key` is what is
 * compared; two units with one key are the same piece of track.
 */
export type Unit = {
  readonly kind: UnitKind;
  readonly text: string;
  /** Kind and key: the name under which a family holds it. */
  readonly id: string;
  readonly key: string;
  /** The key's path segments; empty for the project itself. A process has one, its name. */
  readonly segments: readonly string[];
};

/** How a project compares names. */
export type UnitRule = {
  readonly foldCase: boolean;
  /** Process names that each family has for itself; all others are shared by the project. */
  readonly ownProcesses: ReadonlySet<string>;
};

export type BadUnit = { readonly code: "bad-unit"; readonly unit: string; readonly why: string };

const pathBytesMax = 4096;
const segmentBytesMax = 255;
const depthMax = 128;
const processName = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
// oxlint-disable-next-line no-control-regex -- control characters are what this finds
const unprintable = /[\u0000-\u001f\u007f\u2028\u2029]/;
const loneSurrogate = /[\ud800-\udfff]/u;

/**
 * Units that were read before, by the rule they were read under. The same few thousand names come again and again, in
 * claims, events and releases, and reading one costs more than all the rest of a grant.
 */
const known = new WeakMap<UnitRule, Map<string, Result<Unit, BadUnit>>>();
const knownMax = 65_536;
/** The last one that was found there: deciding a claim and granting it ask for the same name several times in a row. */
const last: { rule: UnitRule | undefined; text: string; parsed: Result<Unit, BadUnit> | undefined } = {
  rule: undefined,
  text: "",
  parsed: undefined,
};

/** Reads a unit that somebody wrote. `family` matters only to processes that each family has for itself. */
export function parseUnit(text: string, rule: UnitRule, family: string): Result<Unit, BadUnit> {
  if (last.parsed !== undefined && last.text === text && last.rule === rule) return last.parsed;
  let memo = known.get(rule);
  if (memo === undefined) known.set(rule, (memo = new Map<string, Result<Unit, BadUnit>>()));
  const before = memo.get(text);
  if (before !== undefined) {
    last.rule = rule;
    last.text = text;
    last.parsed = before;
    return before;
  }
  const parsed = readUnit(text, rule, family);
  if (!parsed.ok || (parsed.value.kind === "process" && rule.ownProcesses.size > 0)) return parsed;
  if (memo.size >= knownMax) memo.clear();
  memo.set(text, parsed);
  return parsed;
}

function readUnit(text: string, rule: UnitRule, family: string): Result<Unit, BadUnit> {
  const colon = text.indexOf(":");
  const kind = text.slice(0, Math.max(0, colon));
  const name = text.slice(colon + 1);
  if (kind === "process") return parseProcess(text, name, rule, family);
  if (kind !== "file" && kind !== "dir") {
    return bad(text, "a unit starts with file:, dir: or process:");
  }
  const path = parsePath(name, rule);
  if (typeof path === "string") return bad(text, path);
  if (kind === "file" && path.segments.length === 0) return bad(text, "a file needs a name; the whole project is dir:");
  const key = `/${path.segments.join("/")}`;
  const spelled = `${kind}:${path.spelled}`;
  // Most come as they are spelled. Then the very same text goes on into events, and is found again without comparing.
  return ok({ kind, text: spelled === text ? text : spelled, id: `${kind}:${key}`, key, segments: path.segments });
}

/** Whether acting on the unit `inner` is allowed by holding `outer` (LS3). */
export function covers(outer: Unit, inner: Unit): boolean {
  if (outer.kind === "process" || inner.kind === "process") return outer.kind === inner.kind && outer.key === inner.key;
  if (outer.key === inner.key) return outer.kind === "dir" || inner.kind === "file";
  return outer.kind === "dir" && isBeneath(inner, outer);
}

/** Whether two units exclude each other between families (LS4). Kinds of paths do not matter, only names. */
export function conflicts(a: Unit, b: Unit): boolean {
  if (a.kind === "process" || b.kind === "process") return a.kind === b.kind && a.key === b.key;
  return a.key === b.key || isBeneath(a, b) || isBeneath(b, a);
}

/** Whether `inner`'s path lies strictly beneath `outer`'s. */
export function isBeneath(inner: Unit, outer: Unit): boolean {
  if (outer.segments.length >= inner.segments.length) return false;
  return outer.segments.every((segment, at) => segment === inner.segments[at]);
}

/**
 * What is compared of a name. Case folds there and back again, so that letters with several forms (long s, sharp s, the
 * two sigmas) meet in one key, wherever in the name they stand.
 */
export function nameKey(name: string, foldCase: boolean): string {
  const composed = name.normalize("NFC");
  return foldCase ? composed.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC") : composed;
}

function parseProcess(text: string, name: string, rule: UnitRule, family: string): Result<Unit, BadUnit> {
  if (!processName.test(name)) {
    return bad(text, "a process name has 1 to 64 letters, digits, dots, dashes or underscores");
  }
  const key = rule.ownProcesses.has(name) ? `${name}@${family}` : name;
  return ok({ kind: "process", text: `process:${name}`, id: `process:${key}`, key, segments: [key] });
}

type ParsedPath = { readonly spelled: string; readonly segments: readonly string[] };

function parsePath(path: string, rule: UnitRule): ParsedPath | string {
  if (path.length > pathBytesMax) return `a path has at most ${pathBytesMax} characters`;
  if (loneSurrogate.test(path)) return "the path is not valid Unicode";
  if (unprintable.test(path)) return "a path has no control characters";
  if (path.startsWith("/")) return "a path is relative to the project, without a leading slash";
  const spelled: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (spelled.pop() === undefined) return "the path leaves the project";
      continue;
    }
    const segment = part.normalize("NFC");
    if (utf8Length(segment) > segmentBytesMax) return `a name in a path has at most ${segmentBytesMax} bytes`;
    spelled.push(segment);
  }
  if (spelled.length > depthMax) return `a path has at most ${depthMax} folders`;
  return { spelled: spelled.join("/"), segments: spelled.map((segment) => nameKey(segment, rule.foldCase)) };
}

function utf8Length(text: string): number {
  let length = 0;
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return length;
}

function bad(unit: string, why: string): Result<never, BadUnit> {
  return refuse({ code: "bad-unit", unit: unit.slice(0, 200), why });
}
