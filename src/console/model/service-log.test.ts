import { expect, test } from "vitest";
import { findLines, linesMax, type SaidLine, ServiceLog, withHeads } from "./service-log.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textsOf = (log: ServiceLog): string[] => log.lines.map(({ service, text }) => `${service}: ${text}`);

test("pieces that end anywhere become whole lines, of each service its own", () => {
  const log = new ServiceLog();
  const euro = bytes("1 €\n");
  log.take("web", 1, euro.subarray(0, 3));
  expect(log.take("db", 1, bytes("ready\nnext"))).toBe(true);
  log.take("web", 1, euro.subarray(3));
  expect(textsOf(log)).toEqual(["db: ready", "web: 1 €"]);
});

test("a last line without an end is shown when that life is over, and the next life begins anew", () => {
  const log = new ServiceLog();
  log.take("web", 1, bytes("dying"), { isOver: true });
  log.take("web", 2, bytes("again\n"));
  expect(log.lines.map(({ life, text }) => [life, text])).toEqual([
    [1, "dying"],
    [2, "again"],
  ]);
});

test("colours go, what would trick a reader is named, and a progress bar is its last state", () => {
  const log = new ServiceLog();
  log.take("web", 1, bytes("\u001b[32mok\u001b[0m\r\n10%\r100%\n\u001b]0;title\u0007safe\u202egpj.exe\n"));
  expect(log.lines.map(({ text }) => text)).toEqual(["ok", "100%", "safe⟨U+202E⟩gpj.exe"]);
});

test("of very much only the end is kept", () => {
  const log = new ServiceLog();
  log.take("web", 1, bytes("x\n".repeat(linesMax + 10)));
  expect(log.lines).toHaveLength(linesMax);
  expect(log.lines.at(-1)?.number).toBe(linesMax + 10);
});

test("lines are found by service and text, whichever case", () => {
  const log = new ServiceLog();
  log.take("web", 1, bytes("GET /\nlistening\n"));
  log.take("db", 1, bytes("get\n"));
  expect(findLines(log.lines, null, "get")).toHaveLength(2);
  expect(findLines(log.lines, "web", "get")).toHaveLength(1);
  expect(findLines(log.lines, null, "")).toBe(log.lines);
});

test("what several services had said before stands under a head that says so, and what comes then under another", () => {
  const log = new ServiceLog();
  log.take("web", 1, bytes("GET /\nGET /cart\n"), { isEarlier: true });
  log.take("db", 1, bytes("slow query\n"), { isEarlier: true });
  const shown = (lines: readonly SaidLine[]): string[] =>
    withHeads(lines).map((line) => ("head" in line ? `-- ${line.head}` : line.text));
  const turn = "-- Above not in the order of time; from here on as it is said";
  const [web, db] = ["-- web, what it had said before", "-- db, what it had said before"];
  expect(shown(log.lines)).toEqual([web, "GET /", "GET /cart", db, "slow query", turn]);
  log.take("web", 1, bytes("500\n"));
  log.take("db", 1, bytes("down\n"));
  expect(shown(log.lines).slice(-3)).toEqual([turn, "500", "down"]);
  // After a silence of the daemon there is such a stretch again.
  log.take("db", 1, bytes("back\n"), { isEarlier: true });
  log.take("web", 1, bytes("200\n"));
  expect(shown(log.lines).slice(-4)).toEqual([db, "back", turn, "200"]);
  // Of one service alone the order is that in which it spoke.
  const alone = findLines(log.lines, "web", "");
  expect(withHeads(alone)).toBe(alone);
});
