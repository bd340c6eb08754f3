// What every machine promises that has terminals on it, whoever executes it: how each ends is told to the log, as it was.

import { describe, expect, test } from "vitest";
import type { Input } from "../../src/core/inputs.ts";

/** A machine with one terminal, which the log says is open, and in which a program waits. */
export type TerminalMachine = {
  /** What the log has taken of what it told. */
  readonly told: readonly ToldOfTerminal[];
  /** Has it see that the terminal is open, and waits until it is. */
  readonly keep: () => Promise<void>;
  /** Has it end the terminal, and waits until that is told. */
  readonly hangUp: () => Promise<void>;
  /** Has the program end by itself, with 0. */
  readonly finish: () => Promise<void>;
  /** Everything on it dies, and it comes back and is asked again. */
  readonly lose: () => Promise<void>;
  /** What it tells from now on is lost, as the daemon dies over it. Resolves when something was. */
  readonly deafen: () => Promise<void>;
  /** Another daemon comes, and asks for what is still open. */
  readonly nextDaemon: () => Promise<void>;
  readonly end: () => Promise<void>;
};

export type ToldOfTerminal = Extract<Input, { type: "terminal.end" }>;

export function describeTerminals(title: string, make: () => Promise<TerminalMachine>): void {
  describe(`terminals on ${title}`, () => {
    const on = async (what: (machine: TerminalMachine) => Promise<void>): Promise<void> => {
      const machine = await make();
      try {
        await what(machine);
      } finally {
        await machine.end();
      }
    };

    test("one that ends by itself is told once, with its code and how much it has said", () =>
      on(async (machine) => {
        await machine.keep();
        await machine.keep();
        expect(machine.told).toEqual([]);
        await machine.finish();
        expect(await ended(machine)).toMatchObject({ exit: 0, why: "ended", bytes: expect.any(Number) as number });
        expect(machine.told[0]?.bytes).toBeGreaterThan(0);
      }));

    test("[TM2] one that was open when a daemon died is open for the next", () =>
      on(async (machine) => {
        await machine.keep();
        await machine.nextDaemon();
        expect(machine.told).toEqual([]);
        await machine.finish();
        expect(await ended(machine)).toMatchObject({ exit: 0, why: "ended" });
      }));

    test("[TM2] an end that nobody heard is told to whoever asks again", () =>
      on(async (machine) => {
        await machine.keep();
        const told = machine.deafen();
        await machine.finish();
        await told;
        await machine.nextDaemon();
        expect(await ended(machine)).toMatchObject({ exit: 0, why: "ended" });
      }));

    test("one that is hung up is told as stopped, with the signal's exit code", () =>
      on(async (machine) => {
        await machine.keep();
        await machine.hangUp();
        expect(await ended(machine)).toMatchObject({ exit: 129, why: "stopped" });
      }));

    test("one that was never opened and is hung up is told as stopped, and has no exit code", () =>
      on(async (machine) => {
        await machine.hangUp();
        expect(await ended(machine)).toMatchObject({ exit: "unknown", why: "stopped", bytes: 0 });
      }));

    test("[TM2] how one ended that was lost with its machine is unknown", () =>
      on(async (machine) => {
        await machine.keep();
        await machine.lose();
        expect(await ended(machine)).toMatchObject({ exit: "unknown", why: "lost" });
      }));
  });
}

/** The only end that the log has taken. */
async function ended({ told }: TerminalMachine): Promise<ToldOfTerminal | undefined> {
  await expect.poll(() => told.length).toBe(1);
  return told[0];
}
