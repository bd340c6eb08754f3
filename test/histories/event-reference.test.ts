// Compares docs/reference/events.md with the catalogue and with events that were really written: the document is what
// other programs are built on.

import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventVersions, type Logged } from "../../src/core/events.ts";
import { root } from "../support/source-files.ts";

const document = fs.readFileSync(path.join(root, "docs/reference/events.md"), "utf8");
const history = fs.readFileSync(path.join(import.meta.dirname, "0.1.0/events.jsonl"), "utf8");
const events = history
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Logged);
const envelope = ["seq", "atMs", "cause", "actor", "type", "v"];

/** Rows of the tables in a part of the document, as cells. */
function rowsOf(heading: string): string[][] {
  const part = document.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const rows = part.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  );
}

const namesIn = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? "");
const documented = rowsOf("Types").map(([type, v, , fields]) => ({
  type: namesIn(type)[0] ?? "",
  v: Number(v),
  fields: namesIn(fields),
}));

describe("the event reference", () => {
  test("[LG17] names every type with its newest version, and no other", () => {
    expect(Object.fromEntries(documented.map(({ type, v }) => [type, v]))).toEqual(eventVersions);
    expect(documented).toHaveLength(Object.keys(eventVersions).length);
  });

  test.each(documented)("[LG17] lists the fields of $type", ({ type, fields }) => {
    const written = events.filter((event) => event.type === type).flatMap((event) => Object.keys(event));
    const own = [...new Set(written)].filter((name) => !envelope.includes(name));
    expect(fields.toSorted()).toEqual(own.toSorted());
  });

  test("[LG17] explains every field once", () => {
    const explained = rowsOf("Fields").map(([field]) => namesIn(field)[0] ?? "");
    const used = new Set(documented.flatMap(({ fields }) => fields));
    expect(explained).toEqual([...used].toSorted());
    expect(rowsOf("The envelope").map(([field]) => namesIn(field)[0])).toEqual(envelope);
  });

  test("[LG17] a field is null only where the reference says so", () => {
    const types = new Map(rowsOf("Fields").map(([field, type]) => [namesIn(field)[0] ?? "", type ?? ""]));
    const isNull = (event: Logged): string[] => Object.keys(event).filter((name) => Reflect.get(event, name) === null);
    const nulls = new Set(events.flatMap(isNull));
    expect([...nulls].filter((name) => name !== "cause" && !types.get(name)?.includes("null"))).toEqual([]);
  });
});

/** The events that break a promise, by number. The promise may remember what it saw. */
function breaches(isKept: (event: Logged) => boolean): number[] {
  return events.filter((event) => !isKept(event)).map(({ seq }) => seq);
}

describe("the promised order", () => {
  test("[LG17] a run goes on from the state in which it was, and nothing follows its removal", () => {
    const states = new Map<string, string>();
    const isKept = (event: Logged): boolean => {
      if (!("run" in event)) return true;
      const before = states.get(event.run);
      if (event.type === "run.submitted") states.set(event.run, "queued");
      if (event.type === "run.moved") states.set(event.run, event.to);
      if (event.type === "run.removed") states.delete(event.run);
      return event.type === "run.moved"
        ? before === event.from
        : (before === undefined) === (event.type === "run.submitted");
    };
    expect(breaches(isKept)).toEqual([]);
  });

  test("[LG17] a claim ends once, and only in a family that is not over", () => {
    const ended = new Set<string>();
    const open = new Set<string>();
    const isKept = (event: Logged): boolean => {
      if (event.type === "family.opened") open.add(event.family);
      if (event.type === "family.ended") return open.delete(event.family);
      if (event.type !== "lease.granted" && event.type !== "claim.ended" && event.type !== "claim.queued") return true;
      const isFirst = !ended.has(event.claim);
      if (event.type !== "claim.queued") ended.add(event.claim);
      return isFirst && open.has(event.family);
    };
    expect(breaches(isKept)).toEqual([]);
    expect(ended.size).toBeGreaterThan(10);
  });

  test("[LG17] a call is queued, then started, then finished", () => {
    const calls = new Map<string, string>();
    const before = { "call.started": "call.queued", "call.finished": "call.started" };
    const isKept = (event: Logged): boolean => {
      if (!("call" in event)) return true;
      const name = `${event.run} ${event.call}`;
      const last = calls.get(name);
      calls.set(name, event.type);
      return !(event.type in before) || last === before[event.type as keyof typeof before];
    };
    expect(breaches(isKept)).toEqual([]);
    expect(calls.size).toBeGreaterThan(10);
  });

  test("[LG17] granted fences rise through the whole log", () => {
    const fences = events.flatMap((event) => (event.type === "lease.granted" ? event.fences : []));
    expect(fences.length).toBeGreaterThan(10);
    expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b));
  });
});
