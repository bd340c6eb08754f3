import { describe, expect, test } from "vitest";
import { parseDuration, showDuration, showExactDuration, spellDuration } from "./duration.ts";

describe("durations as typed", () => {
  test.each([
    ["500ms", 500],
    ["10s", 10_000],
    ["1.5s", 1500],
    ["5m", 300_000],
    ["1h", 3_600_000],
    ["1m30s", 90_000],
    ["2d", 172_800_000],
    ["0s", 0],
  ])("%s is %i ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(["", "s", "10 s", "-5s", "ten", "5x", "1e3s", "10s ", "Infinitys", "5m!"])("%j is refused", (text) => {
    expect(() => parseDuration(text)).toThrow(/500ms, 10s, 5m or 1h/);
  });

  test("a bare number is asked back", () => {
    expect(() => parseDuration("10")).toThrow("Did you mean 10s?");
  });

  test("more than can be counted is refused", () => {
    expect(() => parseDuration("99999999999999999999d")).toThrow("too long");
  });
});

describe("durations as shown", () => {
  test.each([
    [0, "0s"],
    [-5, "0s"],
    [999, "0s"],
    [12_400, "12s"],
    [60_000, "1m"],
    [200_000, "3m20s"],
    [8_100_000, "2h15m"],
    [86_400_000, "1d"],
    [356_400_000, "4d3h"],
  ])("%i ms is %s", (ms, text) => {
    expect(showDuration(ms)).toBe(text);
  });

  test("exact ones keep fractions while they matter", () => {
    expect([0, 420, 9_999, 12_345, 61_000].map(showExactDuration)).toEqual([
      "0.00s",
      "0.42s",
      "10.00s",
      "12.3s",
      "1m1s",
    ]);
  });

  test("settings come back as they were typed", () => {
    expect(["500ms", "10s", "1.5s", "1m30s", "5m", "1h"].map((text) => spellDuration(parseDuration(text)))).toEqual([
      "500ms",
      "10s",
      "1.5s",
      "1m30s",
      "5m",
      "1h",
    ]);
  });
});
