import { expect, test } from "vitest";
import { EventLines } from "./event-lines.ts";

const out = { width: 120, colors: { dim: (text: string) => text, cyan: (text: string) => text } };

const fridayMs = new Date(2026, 10, 6, 18, 30).getTime();
const mondayMs = new Date(2026, 10, 9, 9, 5).getTime();
const openings = [
  { seq: 1, atMs: fridayMs, wallMs: fridayMs, fromMs: fridayMs },
  { seq: 3, atMs: fridayMs, wallMs: mondayMs, fromMs: fridayMs + 1 },
];

function toLines(seqs: readonly number[]): string[] {
  const lines = new EventLines(out as never, openings);
  const envelope = { v: 1, atMs: fridayMs, cause: null, actor: "system" };
  return seqs.map((seq) => lines.toLine({ ...envelope, seq, type: "policy.removed", name: "quiet" }));
}

test("[EN55] events that two daemons wrote at one instant have each the time of day of their own", () => {
  const [friday, monday] = toLines([2, 4]);
  expect(friday).toContain("2  18:30:00  policy.removed");
  expect(monday).toContain("4  09:05:00  policy.removed");
});

test("[EN55] a start that is followed live is what later events go by", () => {
  const lines = new EventLines(out as never, openings);
  const opened = { v: 1, atMs: fridayMs + 1, cause: null, actor: "system", type: "engine.opened", version: "1" };
  lines.toLine({ ...opened, seq: 5, wallMs: mondayMs + 3_600_000 });
  const later = { ...opened, seq: 6, atMs: fridayMs + 1, type: "policy.removed", name: "quiet" };
  expect(lines.toLine(later)).toContain("6  10:05:00");
});
