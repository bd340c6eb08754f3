// Services that count aloud, and one who follows what all of them say with the command that people use.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Count } from "./flood.ts";

/** Ten lines in a second, without starting anything. It waits for what nobody ever says. */
const script = `exec 3<> <(:); i=0; while :; do i=$((i+1)); echo "line $i"; read -t 0.1 -u 3 nothing; done`;

/** A word that stands in its command line may follow. */
export const counting: readonly string[] = ["/bin/bash", "-c", script];

/** More than they have said when somebody begins to look. */
const saidMax = 1000;

export class Follower {
  readonly #counts = new Map<string, Count>();
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #isOver = false;
  #wake = Promise.withResolvers<void>();

  constructor(home: string, agent: string, services: readonly string[]) {
    for (const name of services) this.#counts.set(name, new Count("at 1"));
    const command = ["agent", "logs", agent, ...services, "-f", "--json", "--tail", String(saidMax)];
    const child = spawn(join(import.meta.dirname, "../../../bin/signalbox"), command, {
      env: { ...process.env, SIGNALBOX_HOME: home },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    this.#ended = once(child, "close").then(() => {
      this.#isOver = true;
      this.#wake.resolve();
    });
    createInterface({ input: child.stdout }).on("line", (line) => this.#hear(line));
  }

  /** The last line that was shown of all of them. */
  get last(): number {
    return Math.min(...[...this.#counts.values()].map(({ last }) => last));
  }

  /** How many lines were shown. */
  get lines(): number {
    return [...this.#counts.values()].reduce((sum, { last }) => sum + last, 0);
  }

  get wrong(): string[] {
    const found = [...this.#counts].flatMap(([name, { wrong }]) => (wrong === null ? [] : [`${name}: ${wrong}`]));
    return this.#isOver ? [...found, "who follows the services was left behind"] : found;
  }

  /** Resolves when of each a line with this number, or a later one, was shown; or nothing comes any more. */
  async sees(number: number): Promise<void> {
    while (this.last < number && !this.#isOver) await this.#wake.promise;
  }

  async close(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #hear(line: string): void {
    const { service, text } = JSON.parse(line) as { service: string; text: string };
    this.#counts.get(service)?.take(`${text}\n`);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
