// What services say, as lines in the order of time: bytes come in pieces that end anywhere, colours go, and of very much only the end is
// kept.

import { type TimedLine, TimedLines } from "../../client/timed-lines.ts";
import { toPlainLine } from "./plain-output.ts";

export type SaidLine = {
  readonly number: number;
  readonly service: string;
  readonly life: number;
  readonly text: string;
  /** When it was said, by the clock of the agent's machine; null where nobody knows. */
  readonly atMs: number | null;
  /** Where it stands among all: never before what its own service said earlier, whatever the clock did. */
  readonly placeMs: number;
  /** Whether its service had said more before, which is not here. */
  readonly isCut: boolean;
};

/** What stands between lines: how to read those below it. */
export type LogHead = { readonly number: string; readonly head: string };

/** The next bytes of one life of a service, from a place in all that it says, and when they were said. */
export type SaidPart = {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly times: readonly (readonly [offset: number, atMs: number])[];
  /** No more comes of this life. */
  readonly isOver?: boolean;
  /** What stands before them was left out. */
  readonly isCut?: boolean;
};

type Voice = { readonly life: number; readonly lines: TimedLines };

/** So many lines are on the page; what is older is in `agent logs`. */
export const linesMax = 5000;

export class ServiceLog {
  #lines: readonly SaidLine[] = [];
  #nextNumber = 1;
  readonly #voices = new Map<string, Voice>();
  readonly #places = new Map<string, number>();

  get lines(): readonly SaidLine[] {
    return this.#lines;
  }

  take(service: string, life: number, { bytes, offset, times, isOver = false, isCut = false }: SaidPart): void {
    const known = this.#voices.get(service);
    const voice = known?.life === life ? known : { life, lines: new TimedLines() };
    this.#voices.set(service, voice);
    const said = voice.lines.take(bytes, offset, times);
    // A last line without an end is shown when no more comes.
    if (isOver) said.push(...voice.lines.end());
    if (said.length === 0) return;
    const fresh = said.map((line, at) => this.#toLine(service, life, line, isCut && at === 0));
    this.#lines = merge(this.#lines, fresh).slice(-linesMax);
  }

  #toLine(service: string, life: number, { atMs, text }: TimedLine, isCut: boolean): SaidLine {
    const placeMs = Math.max(this.#places.get(service) ?? -Infinity, atMs ?? -Infinity);
    this.#places.set(service, placeMs);
    return { number: this.#nextNumber++, service, life, text: toPlainLine(text), atMs, placeMs, isCut };
  }
}

/** Mostly what is new comes last: only what was said after its first line is put in order anew. */
function merge(known: readonly SaidLine[], fresh: readonly SaidLine[]): readonly SaidLine[] {
  const firstMs = fresh[0]?.placeMs ?? Infinity;
  const from = known.findLastIndex(({ placeMs }) => placeMs <= firstMs) + 1;
  const later = [...known.slice(from), ...fresh];
  return [...known.slice(0, from), ...later.toSorted((a, b) => compare(a.placeMs, b.placeMs))];
}

/** Places may be infinite, so that they cannot be subtracted. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Lines that have the text in them, whichever case. */
export function findLines(lines: readonly SaidLine[], service: string | null, text: string): readonly SaidLine[] {
  const wanted = text.toLowerCase();
  if (service === null && wanted === "") return lines;
  return lines.filter(
    (line) => (service === null || line.service === service) && line.text.toLowerCase().includes(wanted),
  );
}

/** Says where the order is none, and from where on a service is heard at all: above that its silence means nothing. Of one alone neither matters. */
export function withHeads(lines: readonly SaidLine[]): readonly (SaidLine | LogHead)[] {
  const services = new Set(lines.map(({ service }) => service));
  if (services.size < 2) return lines;
  const rows: (SaidLine | LogHead)[] = [];
  let wasUntimed = false;
  for (const [at, line] of lines.entries()) {
    const isUntimed = line.placeMs === -Infinity;
    if (isUntimed && at === 0)
      rows.push({ number: "untimed", head: "An earlier release kept this, and not when it was said" });
    if (wasUntimed && !isUntimed) rows.push({ number: "timed", head: "From here on in the order of time" });
    wasUntimed = isUntimed;
    if (line.isCut && at > 0)
      rows.push({ number: `cut ${line.number}`, head: `${line.service} from here on; earlier: signalbox agent logs` });
    rows.push(line);
  }
  return rows;
}
