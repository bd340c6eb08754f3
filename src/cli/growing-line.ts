// The line at the end of a story that somebody follows on a screen: what the assistant is just saying. It is drawn over as that grows,
// and makes way for whatever has happened.

import type { Saying } from "../protocol/stream.ts";
import type { Output } from "./output.ts";
import { toSafeLine } from "./text/safe-text.ts";
import { widthOf } from "./text/text-width.ts";

const clearLine = "\r\u001b[2K";

export class GrowingLine {
  readonly #out: Output;
  readonly #indent: string;
  #text = "";

  constructor(out: Output, indent: string) {
    this.#out = out;
    this.#indent = indent;
  }

  /** What is said now; nothing where nobody says anything. */
  show({ words }: Pick<Saying, "words">): void {
    const [last] = words.slice(-1);
    const speaker = last?.parent === null || last === undefined ? "" : "subagent ";
    const how = last?.of === "thinking" ? "thinks" : "says";
    this.#erase();
    this.#text = last === undefined ? "" : this.#fit(`${this.#indent}${speaker}${how}: `, last.text);
    this.#draw();
  }

  /** Prints lines above it. */
  print(...lines: readonly string[]): void {
    this.#erase();
    this.#out.print(...lines);
    this.#draw();
  }

  /** Nobody will say anything more. */
  end(): void {
    this.#erase();
    this.#text = "";
  }

  /** The end of its last line, as much as there is room for. */
  #fit(head: string, text: string): string {
    const line = toSafeLine(text.trimEnd().split("\n").at(-1) ?? "");
    const room = Math.max(10, this.#out.width - 1 - widthOf(head));
    const signs = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
    if (widthOf(line) <= room) return `${head}${line}`;
    // Signs that are two cells wide may leave a cell free.
    let tail = signs.slice(-(room - 1));
    while (widthOf(tail.join("")) > room - 1) tail = tail.slice(1);
    return `${head}…${tail.join("")}`;
  }

  #erase(): void {
    if (this.#text !== "") this.#out.raw(clearLine);
  }

  #draw(): void {
    if (this.#text !== "") this.#out.raw(this.#out.colors.dim(this.#text));
  }
}
