// Terminals on a simulated machine: each is a program that ends by itself, is hung up or dies with its machine. How it ended is in
// the machine's journal, and is told as often as somebody asks.

import type { Input } from "../../src/core/inputs.ts";
import type { NodeWorld } from "./sim-node.ts";

/** What a machine lends to the terminals on it. */
export type TerminalMachine = {
  readonly world: Pick<NodeWorld, "prng" | "ills">;
  after(delayMs: number, run: () => void): void;
};

type Told = Extract<Input, { type: "terminal.end" }>;
type End = Omit<Told, "type" | "terminal">;

const ended: End = { exit: 0, why: "ended", bytes: 10, message: null };
const hungUp: End = { exit: 129, why: "stopped", bytes: 10, message: null };
const neverOpened: End = { exit: "unknown", why: "stopped", bytes: 0, message: null };
const lost: End = { exit: "unknown", why: "lost", bytes: 0, message: null };

export class SimTerminals {
  readonly #machine: TerminalMachine;
  /** How each ended that was ever opened; null of one that is open. */
  readonly #journal = new Map<string, End | null>();

  constructor(machine: TerminalMachine) {
    this.#machine = machine;
  }

  /** Opens one, or finds it open, and tells how it ends. */
  keep(terminal: string, tell: (input: Told) => void): void {
    if (!this.#journal.has(terminal)) this.#journal.set(terminal, null);
    const { prng } = this.#machine.world;
    this.#machine.after(prng.between(10, 20_000), () => tell(this.#end(terminal, ended)));
  }

  hangUp(terminal: string, tell: (input: Told) => void): void {
    const { ills } = this.#machine.world;
    this.#machine.after(ills.between(10, 1500), () =>
      tell(this.#journal.has(terminal) ? this.#end(terminal, hungUp) : toTold(terminal, neverOpened)),
    );
  }

  /** The machine dies, and every program with it. */
  crash(): void {
    for (const terminal of this.#journal.keys()) this.#end(terminal, lost);
  }

  /** How it ended before, or else ends now. */
  #end(terminal: string, now: End): Told {
    const end = this.#journal.get(terminal) ?? now;
    this.#journal.set(terminal, end);
    return toTold(terminal, end);
  }
}

function toTold(terminal: string, end: End): Told {
  return { type: "terminal.end", terminal, ...end };
}
