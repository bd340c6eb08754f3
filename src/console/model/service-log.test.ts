import { expect, test } from "vitest";
import { findLines, linesMax, type SaidPart, ServiceLog, withHeads } from "./service-log.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const part = (text: string | Uint8Array, more: Partial<SaidPart> = {}): SaidPart => ({
  bytes: typeof text === "string" ? bytes(text) : text,
  offset: 0,
  times: [],
  ...more,
});
const textsOf = (log: ServiceLog): string[] => log.lines.map(({ service, text }) => `${service}: ${text}`);
const rowsOf = (log: ServiceLog): string[] =>
  withHeads(log.lines).map((row) => ("head" in row ? `-- ${row.head}` : row.text));

test("pieces that end anywhere become whole lines, of each service its own", () => {
  const log = new ServiceLog();
  const euro = bytes("1 €\n");
  log.take("web", 1, part(euro.subarray(0, 3)));
  log.take("db", 1, part("ready\nnext"));
  expect(textsOf(log)).toEqual(["db: ready"]);
  log.take("web", 1, part(euro.subarray(3), { offset: 3 }));
  expect(textsOf(log)).toEqual(["db: ready", "web: 1 €"]);
});

test("a last line without an end is shown when that life is over, and the next life begins anew", () => {
  const log = new ServiceLog();
  log.take("web", 1, part("dying", { isOver: true }));
  log.take("web", 2, part("again\n"));
  expect(log.lines.map(({ life, text }) => [life, text])).toEqual([
    [1, "dying"],
    [2, "again"],
  ]);
});

test("colours go, what would trick a reader is named, and a progress bar is its last state", () => {
  const log = new ServiceLog();
  log.take("web", 1, part("\u001b[32mok\u001b[0m\r\n10%\r100%\n\u001b]0;title\u0007safe\u202egpj.exe\n"));
  expect(log.lines.map(({ text }) => text)).toEqual(["ok", "100%", "safe⟨U+202E⟩gpj.exe"]);
});

test("of very much only the end is kept", () => {
  const log = new ServiceLog();
  log.take("web", 1, part("x\n".repeat(linesMax + 10)));
  expect(log.lines).toHaveLength(linesMax);
  expect(log.lines.at(-1)?.number).toBe(linesMax + 10);
});

test("lines are found by service and text, whichever case", () => {
  const log = new ServiceLog();
  log.take("web", 1, part("GET /\nlistening\n"));
  log.take("db", 1, part("get\n"));
  expect(findLines(log.lines, null, "get")).toHaveLength(2);
  expect(findLines(log.lines, "web", "get")).toHaveLength(1);
  expect(findLines(log.lines, null, "")).toBe(log.lines);
});

test("lines of several services stand in the order in which they were said, in whichever order they were read", () => {
  const log = new ServiceLog();
  const web = part("a\nb\nc\n", {
    times: [
      [0, 10],
      [2, 30],
      [4, 50],
    ],
  });
  log.take("web", 1, web);
  log.take("db", 1, part("x\ny\n", { times: [[0, 20], [2, 40]] })); // prettier-ignore
  expect(log.lines.map(({ text, atMs }) => [text, atMs])).toEqual([
    ["a", 10],
    ["x", 20],
    ["b", 30],
    ["y", 40],
    ["c", 50],
  ]);
  // What its own service said earlier stays before it, though a clock was set back.
  log.take("web", 2, part("d\n", { times: [[0, 15]] }));
  log.take("db", 1, part("z\n", { offset: 4, times: [[4, 60]] }));
  expect(rowsOf(log)).toEqual(["a", "x", "b", "y", "c", "d", "z"]);
});

test("what nobody knows the time of comes first and says so, and the order begins after it", () => {
  const log = new ServiceLog();
  log.take("web", 1, part("new\n", { times: [[0, 10]] }));
  log.take("db", 1, part("old\n"));
  expect(rowsOf(log)).toEqual([
    "-- An earlier release kept this, and not when it was said",
    "old",
    "-- From here on in the order of time",
    "new",
  ]);
  // Of one service alone the order is that in which it spoke.
  const alone = findLines(log.lines, "db", "");
  expect(withHeads(alone)).toBe(alone);
});

test("a service of which only the end was read says from where on it is heard", () => {
  const log = new ServiceLog();
  log.take("db", 1, part("quiet\n", { times: [[0, 10]] }));
  log.take("web", 1, part("busy\n", { offset: 900, times: [[900, 20]], isCut: true }));
  expect(rowsOf(log)).toEqual(["quiet", "-- web from here on; earlier: signalbox agent logs", "busy"]);
});
