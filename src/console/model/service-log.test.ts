import { expect, test } from "vitest";
import { findLines, linesMax, ServiceLog } from "./service-log.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textsOf = (log: ServiceLog): string[] => log.lines.map(({ service, text }) => `${service}: ${text}`);

test("pieces that end anywhere become whole lines, of each service its own", () => {
  const log = new ServiceLog();
  const euro = bytes("1 €\n");
  log.take("web", 1, euro.subarray(0, 3), false);
  expect(log.take("db", 1, bytes("ready\nnext"), false)).toBe(true);
  log.take("web", 1, euro.subarray(3), false);
  expect(textsOf(log)).toEqual(["db: ready", "web: 1 €"]);
});

test("a last line without an end is shown when that life is over, and the next life begins anew", () => {
  const log = new ServiceLog();
  log.take("web", 1, bytes("dying"), true);
  log.take("web", 2, bytes("again\n"), false);
  expect(log.lines.map(({ life, text }) => [life, text])).toEqual([
    [1, "dying"],
    [2, "again"],
  ]);
});

test("colours go, what would trick a reader is named, and a progress bar is its last state", () => {
  const log = new ServiceLog();
  log.take("web", 1, bytes("\u001b[32mok\u001b[0m\r\n10%\r100%\n\u001b]0;title\u0007safe\u202egpj.exe\n"), false);
  expect(log.lines.map(({ text }) => text)).toEqual(["ok", "100%", "safe⟨U+202E⟩gpj.exe"]);
});

test("of very much only the end is kept", () => {
  const log = new ServiceLog();
  log.take("web", 1, bytes("x\n".repeat(linesMax + 10)), false);
  expect(log.lines).toHaveLength(linesMax);
  expect(log.lines.at(-1)?.number).toBe(linesMax + 10);
});

test("lines are found by service and text, whichever case", () => {
  const log = new ServiceLog();
  log.take("web", 1, bytes("GET /\nlistening\n"), false);
  log.take("db", 1, bytes("get\n"), false);
  expect(findLines(log.lines, null, "get")).toHaveLength(2);
  expect(findLines(log.lines, "web", "get")).toHaveLength(1);
  expect(findLines(log.lines, null, "")).toBe(log.lines);
});
