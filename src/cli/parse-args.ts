// From what was typed to what is meant. Each parser throws a sentence that ends the message: `--ttl "5x": …`.

import { sizePattern, toBytes } from "../protocol/template/size.ts";
import { parseDollars } from "../protocol/dollars.ts";
import { limits } from "../protocol/limits.ts";
import { splitWords } from "./text/split-words.ts";

export function parseText(text: string): string {
  return text;
}

export function parseNonEmpty(text: string): string {
  if (text.trim() === "") throw new Error("it is empty.");
  return text;
}

export function parsePriority(text: string): number {
  return parseInteger(text, -limits.priorityMax, limits.priorityMax);
}

export function parsePort(text: string): number {
  return parseInteger(text, 0, 65_535);
}

export function parseCount(text: string): number {
  return parseInteger(text, 0, Number.MAX_SAFE_INTEGER);
}

/** Bytes: a bare number of them, or with a unit. */
export function parseSize(text: string): number {
  if (sizePattern.test(text)) return toBytes(text);
  if (!/^\d+$/.test(text)) throw new Error("it has to be a size, such as 512MiB or 1.5GiB, or a number of bytes.");
  return parseCount(text);
}

/** A number that may have a fraction. */
export function parseAmount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error("it has to be a number, such as 2 or 0.5.");
  return Number(text);
}

export function parseDays(text: string): number {
  return parseInteger(text, 1, 400);
}

/** Dollars as micro-dollars. */
export function parseDollarAmount(text: string): number {
  const micros = parseDollars(text);
  if (micros === undefined) throw new Error("it has to be an amount of dollars, such as 2.50.");
  return micros;
}

export function parseRunId(text: string): string {
  return parseId(text, "r", "run", "signalbox ps -a lists them");
}

export function parseTaskId(text: string): string {
  return parseId(text, "t", "task", "signalbox task list shows them");
}

export function parseClaimId(text: string): string {
  return parseId(text, "c", "claim", "signalbox locks lists them");
}

export function parseTrashId(text: string): string {
  if (/^x_[0-9a-z]{1,16}(\.\d{1,6})?$/.test(text)) return text;
  throw new Error("the id of something in the trash looks like x_1a or x_1a.2; signalbox trash list has them.");
}

export type NamedHunks = { readonly path: string; readonly ids: readonly string[] };

/** `src/a.ts:1,3`: the path may have colons of its own. */
export function parseHunks(text: string): NamedHunks {
  const [, path, ids] = /^(.+):(\d{1,9}(?:,\d{1,9})*)$/s.exec(text) ?? [];
  if (path === undefined || ids === undefined)
    throw new Error("hunks are PATH:N,N, such as src/a.ts:1,3; signalbox diff numbers them.");
  return { path, ids: ids.split(",") };
}

/** Names a set of changes, as `review` and `diff` show it. */
export function parseSeen(text: string): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text;
  throw new Error("it is the name of the changes that signalbox review shows, such as 0f3a5c7e9b1d2468.");
}

/** Kinds are known by their word; whether the rest is right, the daemon says. */
export function parseUnit(text: string): string {
  if (!/^(file|dir|process):/.test(text)) {
    const path = text.includes(":") ? text.slice(text.indexOf(":") + 1) : text;
    throw new Error(
      `a unit is file:PATH, dir:PATH or process:NAME.${path === "" ? "" : ` Did you mean file:${path}?`}`,
    );
  }
  return text;
}

export type NamedProcess = { readonly name: string; readonly argv: string[]; readonly scope: "project" | "agent" };

/** `test=npm test`, or `db@agent=./start-db` for one that each run has to itself. */
export function parseProcess(text: string): NamedProcess {
  const [, name, scope, command] = /^([^=@\s]+)(?:@([a-z]+))?=(.*)$/s.exec(text) ?? [];
  if (name === undefined || command === undefined)
    throw new Error("a process is NAME=COMMAND, such as test='npm test'.");
  if (scope !== undefined && scope !== "agent" && scope !== "project") {
    throw new Error(`a process belongs to the project or to each agent: ${name}@agent=…, not ${name}@${scope}=….`);
  }
  return { name, argv: splitWords(command), scope: scope ?? "project" };
}

export type Variable = { readonly name: string; readonly value: string };

export function parseVariable(text: string): Variable {
  const at = text.indexOf("=");
  if (at < 1) throw new Error("a variable is NAME=VALUE, such as NODE_ENV=test.");
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

export type DerivedRule = { readonly paths: string[]; readonly command: string[] };

/** `package-lock.json=npm install --package-lock-only`, or several globs with commas between them. */
export function parseDerived(text: string): DerivedRule {
  const [, globs, command] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const paths = (globs ?? "").split(",").filter((glob) => glob !== "");
  if (paths.length === 0 || command === undefined)
    throw new Error("what is derived is PATHS=COMMAND, such as package-lock.json='npm install --package-lock-only'.");
  return { paths, command: splitWords(command) };
}

export type WarmPair = { readonly lock: string; readonly folder: string };

export function parseWarm(text: string): WarmPair {
  const [, lock, folder] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (lock !== undefined && folder !== undefined) return { lock, folder };
  throw new Error("a warm folder is LOCKFILE=FOLDER, such as Gemfile.lock=vendor/bundle.");
}

function parseInteger(text: string, min: number, max: number): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new Error(
    max === Number.MAX_SAFE_INTEGER
      ? "it has to be a whole number, 0 or more."
      : `it has to be a whole number from ${min} to ${max}.`,
  );
}

function parseId(text: string, letter: string, what: string, where: string): string {
  if (new RegExp(`^${letter}_[0-9a-z]{1,16}$`).test(text)) return text;
  throw new Error(`the id of a ${what} looks like ${letter}_1a; ${where}.`);
}
