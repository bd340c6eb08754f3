/** Bytes that come in pieces, as whole lines of text. */
export class LineText {
  readonly #onLines: (lines: readonly string[]) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";

  constructor(onLines: (lines: readonly string[]) => void) {
    this.#onLines = onLines;
  }

  take(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    if (lines.length > 0) this.#onLines(lines);
  }

  /** There is no more for now: what is no whole line counts as one. */
  end(): void {
    if (this.#rest !== "") this.#onLines([this.#rest]);
    this.#rest = "";
  }
}
