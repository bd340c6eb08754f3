// Events of the whole log, a line each: number, time of day, type, what it is about, and a sentence.

import { type Opening, toWallMs } from "../../protocol/wall-time.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Output } from "../output.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { cutEnd, padEnd, padStart } from "../text/text-width.ts";
import { describeEvent, subjectOf } from "./describe-event.ts";

const seqWidth = 6;
const typeWidth = 16;
const subjectWidth = 8;

export class EventLines {
  readonly #out: Output;
  readonly #openings: Opening[];

  constructor(out: Output, openings: readonly Opening[]) {
    this.#out = out;
    this.#openings = [...openings];
  }

  toLine(event: LogEvent): string {
    // A start that is followed live says how far engine time is from the time of day from then on.
    const { wallMs, atMs, seq: number } = event;
    if (event.type === "engine.opened" && typeof wallMs === "number" && number > (this.#openings.at(-1)?.seq ?? 0)) {
      this.#openings.push({ seq: number, atMs, wallMs, fromMs: atMs });
    }
    const { dim, cyan } = this.#out.colors;
    const seq = padStart(String(event.seq), seqWidth);
    const time = toTimeOfDay(toWallMs(this.#openings, atMs, number));
    const head = `${seq}  ${time}  ${padEnd(toSafeLine(event.type), typeWidth)}  ${padEnd(subjectOf(event), subjectWidth)}  `;
    const told = describeEvent(event);
    const subject = subjectOf(event);
    const plain = subject !== "" && told.startsWith(`${subject} `) ? told.slice(subject.length + 1) : told;
    const sentence = cutEnd(plain, this.#out.width - head.length);
    const type = padEnd(toSafeLine(event.type), typeWidth);
    return `${dim(`${seq}  ${time}`)}  ${cyan(type)}  ${padEnd(subjectOf(event), subjectWidth)}  ${sentence}`.trimEnd();
  }
}

function toTimeOfDay(wallMs: number): string {
  const date = new Date(wallMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
