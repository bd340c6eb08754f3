// One contract: whichever face one asks through, the same question gets the same answer.

import { beforeAll, describe, expect, test } from "vitest";
import { operationNames, operations } from "../../src/protocol/operations.ts";
import { inFaceWorld } from "../support/faces/face-world.ts";
import { type Line, playScenario, withoutChance } from "../support/faces/scenario.ts";

type Played = {
  readonly lines: readonly Line[];
  readonly plain: unknown;
  readonly state: string;
  readonly defects: unknown[];
};

function play(face: "http" | "lines"): Promise<Played> {
  return inFaceWorld(async (world) => {
    const lines = await playScenario(world, world[face]);
    const state = world.engine.state;
    const runs = JSON.stringify([...state.runs.values()].map((run) => [run.id, run.state]));
    return { lines, plain: withoutChance(lines, world), state: runs, defects: world.defects };
  });
}

describe("the faces", () => {
  let http: Played;
  let lines: Played;

  beforeAll(async () => {
    http = await play("http");
    lines = await play("lines");
  });

  test("answer alike over HTTP and over the socket", () => {
    expect(lines.plain).toEqual(http.plain);
    expect(lines.state).toBe(http.state);
    expect([...http.defects, ...lines.defects]).toEqual([]);
  });

  test("every operation has been asked for, and answered with yes at least once", () => {
    const succeeded = new Set(http.lines.filter((line) => line.ok).map((line) => line.op));
    // Nobody died in this story, so there was no closed unit to clear; and there is no cage that anything could run in.
    const isInside = (name: string): boolean => /^(?:agent\.exec$|service\.exec$|exec\.|terminal\.)/.test(name);
    const missing = operationNames.filter((name) => !succeeded.has(name) && !isInside(name));
    expect(missing).toEqual(["unit.clear"]);
  });

  test("answers are exactly what the contract says, no field more", () => {
    for (const { op, answer } of http.lines.filter((line) => line.ok)) {
      expect({ op, answer: operations[op].output.parse(answer) }).toEqual({ op, answer });
    }
  });

  test("a no has a code, a sentence and data", () => {
    const refused = http.lines.filter((line) => !line.ok);
    expect(refused.length).toBeGreaterThan(15);
    for (const { answer } of refused) {
      expect(answer).toMatchObject({
        code: expect.stringMatching(/^[a-z-]+$/) as string,
        data: expect.anything() as object,
      });
      expect((answer as { message: string }).message).toMatch(/^[A-Z"].{15,}[.?]$/s);
    }
  });
});
