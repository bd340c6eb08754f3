// The terminal that a person sits at, while it shows another one. However we leave, it is given back as it was.

import { spawnSync } from "node:child_process";
import { toSafeLine } from "../text/safe-text.ts";

const esc = "\u001b";

// Modes that programs set for themselves: screens, mice, keys, colours, regions, cursors.
const plain = [
  ...[`${esc}[?1049l`, `${esc}[?1047l`, `${esc}[?47l`],
  ...["9", "1000", "1002", "1003", "1004", "1006", "1016", "2004", "2026", "1", "66"].map((mode) => `${esc}[?${mode}l`),
  ...[
    `${esc}[?7h`,
    `${esc}[?25h`,
    `${esc}[4l`,
    `${esc}[?6l`,
    `${esc}[r`,
    `${esc}>`,
    `${esc}(B`,
    "\u000f",
    `${esc}[0 q`,
    `${esc}[m`,
  ],
].join("");

export class PersonTerminal {
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #onExit = (): void => this.giveBack();
  #modes: string | undefined;
  #isTaken = false;
  #hasShown = false;

  constructor(stdin = process.stdin, stdout = process.stdout) {
    this.#stdin = stdin;
    this.#stdout = stdout;
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#stdout.columns || 80, rows: this.#stdout.rows || 24 };
  }

  /** From now on every key comes as it is. */
  take(onKeys: (bytes: Uint8Array) => void, onResize: () => void): void {
    this.#isTaken = true;
    process.on("exit", this.#onExit);
    if (this.#stdin.isTTY) this.#setRaw();
    this.#stdin.on("data", onKeys);
    this.#stdin.resume();
    this.#stdout.on("resize", onResize);
  }

  /** A whole screen in place of what is there. What the person had before stays above it. */
  showScreen(bytes: Uint8Array): void {
    const above = this.#hasShown ? "" : "\n".repeat(this.size.rows - 1);
    this.#hasShown = true;
    this.#stdout.write(`${above}${plain}${esc}[H${esc}[2J`);
    this.#stdout.write(bytes);
  }

  show(bytes: Uint8Array | string): void {
    this.#stdout.write(bytes);
  }

  /** A line of ours over the last one of the screen; the cursor stays where the program has it. */
  showLine(text: string): void {
    const { cols, rows } = this.size;
    const shown = toSafeLine(text).slice(-(cols - 1));
    this.#stdout.write(`${esc}7${esc}[${rows};1H${esc}[0;7m${shown}${esc}[K${esc}[m${esc}8`);
  }

  /** Takes our line away where nothing was beneath it. */
  clearLine(): void {
    this.#stdout.write(`${esc}7${esc}[${this.size.rows};1H${esc}[m${esc}[K${esc}8`);
  }

  /** A word beside what is shown, where it disturbs nothing. */
  setTitle(text: string): void {
    this.#stdout.write(`${esc}]2;${toSafeLine(text)}\u0007`);
  }

  ring(): void {
    this.#stdout.write("\u0007");
  }

  /** Node's own way leaves line ends to be changed on their way out, which ruins the screens of programs. */
  #setRaw(): void {
    this.#modes = stty("-g")?.trim();
    this.#stdin.setRawMode(true);
    stty("raw", "-echo");
  }

  /** Leaves what was shown, and the terminal plain. */
  end(): void {
    if (this.#hasShown) this.#stdout.write(`${plain}${esc}[${this.size.rows};1H\r\n`);
    this.#hasShown = false;
  }

  giveBack(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    process.off("exit", this.#onExit);
    if (this.#stdin.isTTY) this.#stdin.setRawMode(false);
    if (this.#modes !== undefined) stty(this.#modes);
    this.#stdin.removeAllListeners("data");
    this.#stdin.pause();
    this.#stdout.removeAllListeners("resize");
    this.end();
  }
}

/** What stty says about the terminal at our input; undefined where there is none. */
function stty(...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("stty", words, { stdio: ["inherit", "pipe", "ignore"], encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}
