// What services say, as lines: bytes come in pieces that end anywhere, colours go, and of very much only the end is kept.

import { toPlainLine } from "./plain-output.ts";

export type SaidLine = {
  readonly number: number;
  readonly service: string;
  readonly life: number;
  readonly text: string;
  /** Whether it had been said before anybody listened: nobody knows how such lines stand to those of other services. */
  readonly isEarlier: boolean;
};

/** What stands between lines: how to read those below it. */
export type LogHead = { readonly number: string; readonly head: string };

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
  take(
    service: string,
    life: number,
    bytes: Uint8Array,
    { isOver = false, isEarlier = false }: { readonly isOver?: boolean; readonly isEarlier?: boolean } = {},
  ): boolean {
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
    const own = { service, life, isEarlier };
    const fresh = lines.map((text) => ({ number: this.#nextNumber++, ...own, text: toPlainLine(text) }));
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

/** The times of lines are not read here. Where those of several services stand one after the other, it is said, and from where on they come as they are said. */
export function withHeads(lines: readonly SaidLine[]): readonly (SaidLine | LogHead)[] {
  const earlier = new Set(lines.filter(({ isEarlier }) => isEarlier).map(({ service }) => service));
  if (earlier.size < 2) return lines;
  const rows: (SaidLine | LogHead)[] = [];
  let last: SaidLine | undefined;
  const turn = (number: number): void => {
    if (last?.isEarlier === true)
      rows.push({
        number: `after ${number}`,
        head: "Above not in the order of time; from here on as it is said",
      });
  };
  for (const line of lines) {
    if (!line.isEarlier) turn(line.number);
    else if (last?.isEarlier !== true || last.service !== line.service)
      rows.push({ number: `before ${line.number}`, head: `${line.service}, what it had said before` });
    rows.push(line);
    last = line;
  }
  // Whoever looks at the end, where nothing has come since, has to see it too.
  turn(0);
  return rows;
}
