// Where answers go: standard output for what was asked, standard error for everything else. Colours and cuts only where
// a person looks.

import pc from "picocolors";
import type { Env } from "./home.ts";
import { toSafeJson, toSafeOutput } from "./text/safe-text.ts";
import { type Cell, type Column, toTable } from "./text/table.ts";

export type Stream = {
  readonly write: (text: string | Uint8Array) => unknown;
  /** Told when a stream that was full has room again. */
  readonly once?: (event: "drain", listener: () => void) => unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

export type Colors = ReturnType<typeof pc.createColors>;

export class Output {
  readonly #stdout: Stream;
  readonly #stderr: Stream;
  readonly #env: Env;
  /** For standard output. */
  readonly colors: Colors;
  /** For standard error. */
  readonly noteColors: Colors;

  constructor(stdout: Stream, stderr: Stream, env: Env) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#env = env;
    this.colors = pc.createColors(mayColor(stdout, env));
    this.noteColors = pc.createColors(mayColor(stderr, env));
  }

  /** Whether a person looks at the answers. */
  get isScreen(): boolean {
    return this.#stdout.isTTY === true;
  }

  get notesAreOnScreen(): boolean {
    return this.#stderr.isTTY === true;
  }

  /** In cells. Without a screen nothing is cut, unless COLUMNS says so. */
  get width(): number {
    if (this.isScreen) return this.#stdout.columns ?? 80;
    const columns = Number(this.#env["COLUMNS"]);
    return Number.isInteger(columns) && columns > 0 ? columns : Number.POSITIVE_INFINITY;
  }

  /** In lines; for pictures that are drawn over each other. */
  get height(): number {
    return this.#stdout.rows ?? Number.POSITIVE_INFINITY;
  }

  print(...lines: readonly string[]): void {
    if (lines.length > 0) this.#stdout.write(`${toSafeOutput(lines.join("\n"))}\n`);
  }

  /** Something beside the answer: progress, hints, reasons. */
  note(...lines: readonly string[]): void {
    if (lines.length > 0) this.#stderr.write(`${toSafeOutput(lines.join("\n"))}\n`);
  }

  /** Without a line break, for a progress line that is drawn over. */
  draw(text: string): void {
    this.#stderr.write(text);
  }

  /** Exactly what was asked for, byte by byte. */
  raw(content: string | Uint8Array): void {
    this.#stdout.write(content);
  }

  /** As much as there is, no faster than it is read. */
  async stream(chunks: Iterable<string | Uint8Array>): Promise<void> {
    for (const chunk of chunks) {
      const isFull = this.#stdout.write(chunk) === false;
      if (isFull) await new Promise<void>((resolve) => void (this.#stdout.once?.("drain", resolve) ?? resolve()));
    }
  }

  /** One document. A person sees it laid out, a program gets it in one line. */
  json(value: unknown): void {
    this.#stdout.write(`${toSafeJson(JSON.stringify(value, null, this.isScreen ? 2 : undefined))}\n`);
  }

  /** One of many documents, each in its own line. */
  jsonLine(value: unknown): void {
    this.#stdout.write(`${toSafeJson(JSON.stringify(value))}\n`);
  }

  table(columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
    this.print(...this.tableLines(columns, rows));
  }

  tableLines(columns: readonly Column[], rows: readonly (readonly Cell[])[]): string[] {
    return toTable(columns, rows, { width: this.width, paintTitle: this.colors.dim });
  }
}

function mayColor(stream: Stream, env: Env): boolean {
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return false;
  return stream.isTTY === true && env["TERM"] !== "dumb";
}
