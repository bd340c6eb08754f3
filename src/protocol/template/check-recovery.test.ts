import { describe, expect, test } from "vitest";
import { readTemplate } from "./read-template.ts";

function read(...lines: readonly string[]): ReturnType<typeof readTemplate> {
  return readTemplate(["template: t", ...lines, "services: { web: { command: x } }", ""].join("\n"), {
    file: "t.yaml",
  });
}

describe("recovery and alerts", () => {
  test("[AG75, AG76] are read with every default, and left out where nothing is said", () => {
    expect(read("recovery: { tries: 3, delay: 10m }", "alerts: { unwell: 5m }")).toMatchObject({
      warnings: [],
      spec: {
        recovery: {
          rungs: ["recreate", "reallocate", "respawn"],
          tries: 3,
          delayMs: 600_000,
          delayMsMax: 600_000,
          resetMs: 600_000,
        },
        alerts: { rung: null, restarts: null, unwellMs: 300_000 },
      },
    });
    const plain = read();
    expect(plain.ok && ("recovery" in plain.spec || "alerts" in plain.spec)).toBe(false);
  });

  test.each([
    [
      "a rung that there is not",
      "recovery: { rungs: [reboot] }",
      "2 recovery.rungs[0]: It is one of recreate, reallocate, respawn",
    ],
    [
      "a rung twice",
      "recovery: { rungs: [respawn, respawn] }",
      "2 recovery.rungs[1]: Respawn is there twice. Say tries: 2",
    ],
    ["no try", "recovery: { tries: 0 }", "2 recovery.tries: Each is tried once at least"],
    ["too many tries", "recovery: { tries: 11 }", "2 recovery.tries: The most is 10; given was 11."],
    ["a bare number for a time", "recovery: { delay: 5 }", "2 recovery.delay: A time is a number with a unit"],
    [
      "delays the wrong way round",
      "recovery: { delay: 10m, max_delay: 1m }",
      "2 recovery.max_delay: The first delay (10m)",
    ],
    ["a reset that is no rest", "recovery: { reset: 1s }", "2 recovery.reset: It is from 1m to 24h"],
    [
      "an unknown key",
      "recovery: { rung: [respawn] }",
      '2 recovery.rung: There is no key "rung" here. Did you mean rungs?',
    ],
    [
      "an alert that nobody would ever get",
      "recovery: { rungs: [recreate] }\nalerts: { rung: respawn }",
      "3 alerts.rung: Nobody is ever told",
    ],
    ["an alert of no restarts", "alerts: { restarts: 0 }", "2 alerts.restarts: The least is 1; given was 0."],
    ["a word for alerts", "alerts: always", "2 alerts: It is an object such as"],
  ])("[AG75, AG76] %s is refused, with its line", (_, said, expected) => {
    const found = read(said);
    const problems = found.ok ? [] : found.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);
    expect(problems).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    [
      "recovery: { rungs: [respawn, recreate] }",
      "They are tried in this order, whatever is written: recreate, respawn.",
    ],
    ["recovery: { rungs: [], tries: 2 }", "A person is asked at once, so tries means nothing. Take it out."],
    ["alerts: {}", "It says nothing."],
  ])("[AG75, AG76] %s is a warning", (said, expected) => {
    const found = read(said);
    expect(found.ok && found.warnings.map(({ message }) => message)).toEqual([expect.stringContaining(expected)]);
  });
});
