import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readSources } from "../../test/support/source-files.ts";
import { type ErrorCode, errorCatalogue, exitCodes, ProtocolError, protocolError, toWireError } from "./errors.ts";

const page = readFileSync(path.join(import.meta.dirname, "../../docs/reference/errors.md"), "utf8");
const codes = Object.keys(errorCatalogue) as ErrorCode[];
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => [/^`([^`]+)`/.exec(section)?.[1] ?? "", section.replaceAll(/\s+/g, " ")]),
);

describe("the catalogue of errors", () => {
  test("has each code once, over all of its parts", async () => {
    const folder = path.join(import.meta.dirname, "errors");
    const names = readdirSync(folder).filter((name) => name.endsWith("-errors.ts"));
    const parts = await Promise.all(names.map((name) => import(path.join(folder, name))));
    const all = parts.flatMap((part: object) => Object.values(part).flatMap((errors: object) => Object.keys(errors)));
    expect(all.toSorted()).toEqual(codes.toSorted());
  });

  test("has the same codes as its page", () => {
    expect([...sections.keys()].toSorted()).toEqual(codes.toSorted());
  });

  test.each(codes)("%s: the page says what it means, what to do, and its numbers", (code) => {
    const entry = errorCatalogue[code];
    const section = sections.get(code) ?? "";
    expect(section).toContain(entry.means);
    expect(section).toContain(entry.todo);
    expect(section).toContain(`HTTP ${entry.status} · exit ${entry.exit} `);
  });

  test("the page lists the exit codes", () => {
    const listed = [...page.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]));
    expect(listed).toEqual(Object.values(exitCodes));
  });

  test.each(codes)("%s: is kebab-case and speaks in sentences, whatever data it gets", (code) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    for (const data of [{}, { unit: "file:a", cycle: "nonsense", paths: [1, null], message: 7, retryAfterMs: 5 }]) {
      const { message } = toWireError(code, data);
      expect(message).toMatch(/^[A-Z"][\s\S]{15,}[.?]$/);
      expect(message).not.toMatch(/undefined|\[object/);
    }
  });

  test("every fault that an adapter throws has a code of the catalogue", () => {
    // A keeper answers to its node alone, in words of their own (src/protocol/keeper).
    const isOurs = (path: string): boolean => !path.endsWith(".test.ts") && !path.startsWith("src/keeper/");
    const shipped = readSources(["src"]).filter((file) => isOurs(file.path));
    const thrown = shipped.flatMap(({ text }) =>
      [...text.matchAll(/new Fault\(\s*"([^"]+)"/g)].map((match) => match[1] ?? ""),
    );
    expect(thrown.length).toBeGreaterThan(5);
    expect(thrown.filter((code) => !codes.includes(code as ErrorCode))).toEqual([]);
  });

  test("a deadlock names the circle, and which unit to give back", () => {
    const cycle = [
      { from: "h_2", fromHolder: "bob", to: "h_1", toHolder: "ann", claim: "c_9", unit: "file:x" },
      { from: "h_1", fromHolder: "ann", to: "h_2", toHolder: "bob", claim: "c_8", unit: "file:y" },
    ];
    const { message, ways } = toWireError("deadlock", { cycle });
    expect(message).toContain("bob waits for file:x on ann, and ann waits for file:y on bob");
    expect(ways).toEqual([
      "Land what is done, then claim.",
      "Give back file:y; its changes are set aside.",
      "Split the work: claim only what is free now, and the rest in another run.",
    ]);
  });

  test("a scope that is the whole project is shown with a dot", () => {
    const { message } = toWireError("outside-scope", { path: "", scope: ["src", ""] });
    expect(message).toContain("The path . is outside the scope of the task (src, .).");
  });

  test("an error keeps its words across a socket", () => {
    const error = protocolError("overloaded", { retryAfterMs: 250 });
    const again = new ProtocolError(JSON.parse(JSON.stringify(error.toWire())) as ReturnType<ProtocolError["toWire"]>);
    expect(again.toWire()).toEqual(error.toWire());
    expect([again.exitCode, again.retryAfterMs, again instanceof Error]).toEqual([5, 250, true]);
  });
});
