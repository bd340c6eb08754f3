// What services say, as lines: bytes come in pieces that end anywhere, colours go, and of very much only the end is kept.

import { toPlainLine } from "./plain-output.ts";

export type SaidLine = {
  readonly number: number;
  readonly service: string;
  readonly life: number;
  readonly text: string;
};

/** So many lines are on the page; what is older is in `agent logs`. */
export const linesMax = 5000;

export class ServiceLog {
  #lines: readonly SaidLine[] = [];
  #nextNumber = 1;
  readonly #rests = new Map<string, { decoder: TextDecoder; rest: string; life: number }>();

  get lines(): readonly SaidLine[] {
    return this.#lines;
  }

  /** Takes the next bytes of one life of a service. Answers whether there is a new line. */
  take(service: string, life: number, bytes: Uint8Array, isOver: boolean): boolean {
    const known = this.#rests.get(service);
    const state = known?.life === life ? known : { decoder: new TextDecoder(), rest: "", life };
    this.#rests.set(service, state);
    const lines = (state.rest + state.decoder.decode(bytes, { stream: !isOver })).split("\n");
    state.rest = lines.pop() ?? "";
    // A last line without an end is shown when no more comes.
    if (isOver && state.rest !== "") {
      lines.push(state.rest);
      state.rest = "";
    }
    if (lines.length === 0) return false;
    const fresh = lines.map((text) => ({ number: this.#nextNumber++, service, life, text: toPlainLine(text) }));
    this.#lines = [...this.#lines, ...fresh].slice(-linesMax);
    return true;
  }
}

/** Lines that have the text in them, whichever case. */
export function findLines(lines: readonly SaidLine[], service: string | null, text: string): readonly SaidLine[] {
  const wanted = text.toLowerCase();
  if (service === null && wanted === "") return lines;
  return lines.filter(
    (line) => (service === null || line.service === service) && line.text.toLowerCase().includes(wanted),
  );
}
