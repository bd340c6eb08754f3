import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { nextCron, parseCron, type Shift } from "./cron.ts";

function next(text: string, after: string, shifts: readonly Shift[] = []): string {
  const cron = parseCron(text);
  if (!cron.ok) throw new Error(cron.refusal);
  return new Date(nextCron(cron.value, Date.parse(after), shifts)).toISOString().slice(0, 16);
}

describe("cron", () => {
  test.each([
    ["*/5 * * * *", "2026-11-16T18:33:00Z", "2026-11-16T18:35"],
    ["*/5 * * * *", "2026-11-16T18:35:00Z", "2026-11-16T18:40"],
    ["0 9 * * mon-fri", "2026-11-20T09:00:00Z", "2026-11-23T09:00"],
    ["30 2 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T02:30"],
    ["0 0 1,15 * 5", "2026-11-16T00:00:00Z", "2026-11-20T00:00"],
    ["15 10-12/2 * jan *", "2026-01-31T10:15:00Z", "2026-01-31T12:15"],
    ["5/20 * * * *", "2026-11-16T18:26:00Z", "2026-11-16T18:45"],
    ["0 0 * * 7", "2026-11-16T00:00:00Z", "2026-11-22T00:00"],
    ["@daily", "2026-12-31T23:59:59Z", "2027-01-01T00:00"],
  ])("[SV30] %s after %s is %s", (text, after, expected) => {
    expect(next(text, after)).toBe(expected);
  });

  test.each([
    ["* * * *", "a schedule has five fields"],
    ["* * * * * *", "and this has 6"],
    ["60 * * * *", 'the minute is from 0 to 59, and "60" is none'],
    ["* 5-3 * * *", 'the hour is from 0 to 23, and "5-3" is none'],
    ["* * * * someday", "the day of the week is from 0 to 7"],
    ["*/0 * * * *", 'and "*/0" is none'],
    ["0 0 31 2 *", "no day of any year is meant by this"],
  ])("[SV30] %s is refused", (text, message) => {
    const cron = parseCron(text);
    expect(cron.ok ? "" : cron.refusal).toContain(message);
  });

  const berlin: Shift[] = [
    { fromMs: 0, offsetMs: 3_600_000 },
    { fromMs: Date.parse("2026-03-29T01:00:00Z"), offsetMs: 7_200_000 },
    { fromMs: Date.parse("2026-10-25T01:00:00Z"), offsetMs: 3_600_000 },
  ];

  test.each([
    ["0 9 * * *", "2026-01-10T07:00:00Z", "2026-01-10T08:00"],
    ["0 9 * * *", "2026-07-10T07:30:00Z", "2026-07-11T07:00"],
    // 02:30 is left out on that day, and comes when clocks go on.
    ["30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-29T01:30"],
    // 02:30 comes twice on that day, and counts once.
    ["30 2 * * *", "2026-10-24T12:00:00Z", "2026-10-25T00:30"],
    ["30 2 * * *", "2026-10-25T00:30:00Z", "2026-10-26T01:30"],
  ])("[SV30] in Berlin, %s after %s is %s", (text, after, expected) => {
    expect(next(text, after, berlin)).toBe(expected);
  });

  test("[SV30] it always comes later, at a full minute that is meant", () => {
    const part = (max: number): fc.Arbitrary<string> =>
      fc.oneof(fc.constant("*"), fc.integer({ min: 0, max }).map(String), fc.constant("*/7"));
    const texts = fc.tuple(part(59), part(23), fc.constant("*"), fc.constant("*"), part(6)).map((all) => all.join(" "));
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 4e12 }), (text, afterMs) => {
        const cron = parseCron(text);
        if (!cron.ok) throw new Error(cron.refusal);
        const atMs = nextCron(cron.value, afterMs, []);
        const date = new Date(atMs);
        expect(atMs).toBeGreaterThan(afterMs);
        expect(atMs % 60_000).toBe(0);
        expect(cron.value.minutes.has(date.getUTCMinutes()) && cron.value.hours.has(date.getUTCHours())).toBe(true);
        expect(cron.value.weekdays.has(date.getUTCDay())).toBe(true);
      }),
      search(100),
    );
  });
});
