// A person at a terminal of their own, in which they type commands.

import { spawn, type IPty } from "@lydell/node-pty";
import { onTestFinished } from "vitest";
import { Screen } from "../../src/keeper/terminals/screen.ts";

export class PersonRig {
  readonly #pty: IPty;
  readonly #screen: Screen;
  said = "";
  #wake = Promise.withResolvers<void>();
  readonly exited: Promise<number>;

  constructor(line: string, env: Readonly<Record<string, string>>, { cols = 100, rows = 30 } = {}) {
    this.#screen = new Screen({ cols, rows, onAnswer: (text) => this.#pty.write(text) });
    const words = { ...process.env, ...env, TERM: "xterm-256color" } as Record<string, string>;
    this.#pty = spawn("/bin/sh", ["-c", line], { cols, rows, env: words, cwd: "/" });
    this.#pty.onData((text) => {
      this.said += text;
      this.#screen.write(Buffer.from(text), () => {
        this.#wake.resolve();
        this.#wake = Promise.withResolvers();
      });
    });
    this.exited = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
    onTestFinished(({ task }) => {
      // A screen says more than a time-out.
      if (task.result?.state === "fail") console.error(this.lines.join("\n"));
      if (this.#isThere) this.#pty.kill("SIGKILL");
    });
    void this.exited.then(() => (this.#isThere = false));
  }

  #isThere = true;

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(cols: number, rows: number): void {
    this.#pty.resize(cols, rows);
    this.#screen.resize(cols, rows);
  }

  get lines(): readonly string[] {
    return this.#screen.lines();
  }

  /** Resolves when the screen shows this. */
  async sees(text: string | RegExp): Promise<void> {
    for (;;) {
      const changed = this.#wake.promise;
      const all = this.lines.join("\n");
      if (typeof text === "string" ? all.includes(text) : text.test(all)) return;
      await changed;
    }
  }
}
