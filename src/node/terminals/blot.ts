// Blots secrets out of what was recorded, byte for byte, so that everything else stays where it is.

import { setImmediate as others } from "node:timers/promises";
import { SequenceReader } from "../../base/escape-sequences.ts";
import { findInTurns } from "../relay/redactor.ts";

const star = 0x2a;
/** What is looked at in one breath: a program can put marks without end on one letter of its screen. */
const turnBytes = 65_536;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** In any spelling; short ones where they stand as they are. */
async function blot(bytes: Buffer, secrets: readonly string[]): Promise<Buffer> {
  for (const { from, to } of await findAll(bytes, secrets)) bytes.fill(star, from, to);
  return bytes;
}

/**
 * The same for what was said to a screen, or written down of it row by row: a secret that goes on in the next row, or looks different from some letter
 * on, has the end of a row or a sequence in it there, and nobody who looks at the screen sees that.
 */
export async function blotScreen(bytes: Buffer, secrets: readonly string[]): Promise<Buffer> {
  const { letters, places } = await lettersOf(bytes);
  for (const { from, to } of await findAll(letters, secrets))
    for (const place of places.subarray(from, to)) bytes[place] = star;
  return blot(bytes, secrets);
}

async function findAll(bytes: Buffer, secrets: readonly string[]): ReturnType<typeof findInTurns> {
  const spans = await findInTurns(bytes, secrets);
  for (const secret of secrets) {
    const value = Buffer.from(secret);
    if (value.length === 0) continue;
    for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + value.length))
      spans.push({ from: at, to: at + value.length });
  }
  return spans;
}

/** What is seen of a screen, as one line, and where each byte of that stands. Between parts, others have their turn. */
async function lettersOf(bytes: Buffer): Promise<{ readonly letters: Buffer; readonly places: Uint32Array }> {
  const [letters, places] = [Buffer.alloc(bytes.length), new Uint32Array(bytes.length)];
  const reader = new SequenceReader();
  let [count, at] = [0, 0];
  for (let from = 0; from < bytes.length; from += turnBytes, await others()) {
    for (const { kind, bytes: part } of reader.read(bytes.subarray(from, from + turnBytes))) {
      const textBytes = kind === "text" ? part.length : 0;
      for (let index = 0; index < textBytes; index++) {
        const byte = part[index] as number;
        if (byte === lineFeed || byte === carriageReturn) continue;
        letters[count] = byte;
        places[count++] = at + index;
      }
      at += part.length;
    }
  }
  return { letters: letters.subarray(0, count), places: places.subarray(0, count) };
}
