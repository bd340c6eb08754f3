// Ctrl-C and its relatives. What the daemon does goes on; only the watching ends, and the command says so.

/** The reason with which a command's signal aborts. Its message says what goes on, and how to come back to it. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly signalName: NodeJS.Signals;

  constructor(signalName: NodeJS.Signals, message: string) {
    super(message);
    this.signalName = signalName;
  }
}

const signalNames = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export class Interrupt {
  readonly #abort = new AbortController();
  readonly #listener = (name: NodeJS.Signals): void => this.#fire(name);
  #watching = false;
  #goesOn = "Left.";

  /** Aborts when the person wants out. Asking for it is what makes the process listen. */
  get signal(): AbortSignal {
    if (!this.#watching) {
      this.#watching = true;
      for (const name of signalNames) process.on(name, this.#listener);
    }
    return this.#abort.signal;
  }

  /** What to say when the person leaves now. */
  sayOnLeaving(text: string): void {
    this.#goesOn = text;
  }

  /** The interruption behind an error, if that is what it comes from. */
  reasonOf(thrown: unknown): unknown {
    return this.#abort.signal.aborted ? this.#abort.signal.reason : thrown;
  }

  /** Leaves as if the person wanted out. */
  leave(): void {
    this.close();
    this.#abort.abort(new Interrupted("SIGINT", this.#goesOn));
  }

  close(): void {
    if (!this.#watching) return;
    this.#watching = false;
    for (const name of signalNames) process.off(name, this.#listener);
  }

  /** The first asks politely; from the second on the process ends as if nobody listened. */
  #fire(name: NodeJS.Signals): void {
    if (this.#abort.signal.aborted) {
      this.close();
      process.kill(process.pid, name);
      return;
    }
    this.#abort.abort(new Interrupted(name, this.#goesOn));
  }
}
