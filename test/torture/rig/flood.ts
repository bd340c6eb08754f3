// A program in a terminal that counts aloud without end, and one who looks and misses nothing.

import { readFileSync } from "node:fs";
import { TerminalLine } from "../../../src/client/terminal-line.ts";
import { homePaths, type DaemonInfo } from "../../../src/protocol/home.ts";
import type { TerminalNews } from "../../../src/protocol/terminal-stream.ts";
import type { TortureRig } from "./torture-rig.ts";

/** Counts in bursts until there is a line for it; then it says how far it came. It waits for what nobody ever says. */
const script = `stty -opost -echo; exec 3<> <(:); i=0
while :; do
  for n in 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0; do i=$((i+1)); echo "line $i"; done
  if read -t 0; then echo "over $i"; exit; fi
  read -t 0.02 -u 3 nothing
done`;

/** A word that stands in its command line may follow. */
export const flood: readonly string[] = ["/bin/bash", "-c", script];

/** Reads numbered lines; says what is wrong with their order. */
export class Count {
  last = 0;
  over = -1;
  wrong: string | null = null;
  readonly #begins: "anywhere" | "at 1";
  #rest = "";

  constructor(begins: "anywhere" | "at 1") {
    this.#begins = begins;
  }

  take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#hear(line);
  }

  #hear(line: string): void {
    if (line.startsWith("over ")) this.over = Number(line.slice(5));
    const [, number] = /^line (\d+)$/.exec(line) ?? [];
    if (number === undefined) return;
    const isFirst = this.last === 0 && this.#begins === "anywhere";
    if (Number(number) !== this.last + 1 && !isFirst) this.wrong ??= `after line ${this.last} came ${line}`;
    this.last = Number(number);
  }
}

export class FloodViewer {
  readonly terminal: string;
  readonly #viewer: string;
  readonly #line: TerminalLine;
  readonly #count = new Count("anywhere");
  readonly #decoder = new TextDecoder();
  readonly #keyboard = Promise.withResolvers<void>();
  #screens = 0;
  #wake = Promise.withResolvers<void>();

  constructor(home: string, terminal: string) {
    this.terminal = terminal;
    this.#viewer = `viewer-${terminal}-${process.pid}`;
    this.#line = new TerminalLine({
      open: (path) => openSocket(home, path),
      wish: { terminal, viewer: this.#viewer, name: this.#viewer, size: { cols: 80, rows: 24 }, whole: true },
      onShow: (bytes, screen) => this.#show(bytes, screen !== undefined),
      onNews: (news) => this.#hear(news),
    });
  }

  /** The last line that was shown. */
  get last(): number {
    return this.#count.last;
  }

  get wrong(): string[] {
    return [
      ...(this.#count.wrong === null ? [] : [`${this.terminal}: ${this.#count.wrong}`]),
      ...(this.#screens === 1
        ? []
        : [`${this.terminal}: ${this.#screens} screens were shown in place of what was said`]),
      ...(this.#count.over === this.last
        ? []
        : [`${this.terminal}: it said ${this.#count.over} lines, ${this.last} were shown`]),
    ];
  }

  /** Resolves when a line with this number, or a later one, was shown. */
  async sees(number: number): Promise<void> {
    while (this.last < number) await this.#wake.promise;
  }

  /** Ends the program, and waits until everything was shown. */
  async finish(): Promise<void> {
    await this.#keyboard.promise;
    this.#line.type(Buffer.from("\r"));
    await this.#line.done;
  }

  #show(bytes: Uint8Array, isScreen: boolean): void {
    // Whoever comes is shown the screen first; only what follows are the program's own bytes.
    if (isScreen) this.#screens++;
    else this.#count.take(this.#decoder.decode(bytes, { stream: true }));
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  #hear(news: TerminalNews): void {
    if ("viewers" in news && news.viewers.some((each) => each.keyboard && each.viewer === this.#viewer))
      this.#keyboard.resolve();
  }
}

/** What a recording has of the count. */
export async function recordedLines(rig: TortureRig, terminal: string): Promise<Pick<Count, "last" | "wrong">> {
  const count = new Count("at 1");
  for (let from: number | null = 0; from !== null;) {
    const page: Awaited<ReturnType<typeof rig.ask<"terminal.recording">>> = await rig.ask("terminal.recording", {
      ...{ terminal, from },
    });
    for (const event of page.events)
      if ("base64" in event) count.take(Buffer.from(event.base64, "base64").toString("latin1"));
    from = page.next;
  }
  return count;
}

function openSocket(home: string, path: string): WebSocket {
  const paths = homePaths(home);
  const { url } = JSON.parse(readFileSync(paths.daemon, "utf8")) as DaemonInfo;
  const token = readFileSync(paths.token, "utf8").trim();
  return new WebSocket(`${url.replace(/^http/, "ws")}${path}`, ["signalbox", `bearer.${token}`]);
}
