// What a command said goes with its workspace; what is asked for later is copied to where the record says.

import { randomUUID } from "node:crypto";
import { mkdir, open, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { toMarkBytes } from "../../base/time-marks.ts";
import { type KeptPiece, keptPiecesOf, keptTimesOf } from "../../ports/output-store.ts";
import type { OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

const partBytes = 512 * 1024;

/** How many bytes a call has said, and how many of them were not kept. */
export type SaidBytes = { readonly total: number; readonly leftOut: number };

/**
 * Copies the output of a call that has ended, and says how much it was. Where a part was not kept, a line says how much is missing; or, for those who
 * go on reading where they were, a file beside it says which part of the whole stands where.
 */
export async function keepOutput(
  keeper: KeeperLine,
  call: string,
  file: string,
  { sayGaps = true }: { readonly sayGaps?: boolean } = {},
): Promise<SaidBytes> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A driver that was overtaken may still be at it.
  const spare = `${file}.${randomUUID()}`;
  const handle = await open(spare, "w", 0o600);
  let [total, written] = [0, 0];
  try {
    const pieces: KeptPiece[] = [];
    const times: Uint8Array[] = [];
    let timed = -1;
    for (;;) {
      const part = (await keeper.request({ op: "output", call, offset: total, limit: partBytes })) as OutputAnswer;
      const bytes = Buffer.from(part.base64, "base64");
      if (bytes.length === 0) break;
      if (part.offset > total && sayGaps) await handle.write(`\n[… ${part.offset - total} bytes left out …]\n`);
      if (part.offset > total) pieces.push({ from: part.offset, at: written });
      // The mark before a part is the last one of the part before.
      const fresh = (part.times ?? []).filter(([offset]) => offset > timed);
      timed = fresh.at(-1)?.[0] ?? timed;
      if (fresh.length > 0) times.push(toMarkBytes(fresh));
      await handle.write(bytes);
      written += bytes.length;
      total = part.offset + bytes.length;
    }
    if (!sayGaps && pieces.length > 0) await writeFile(keptPiecesOf(file), JSON.stringify(pieces), { mode: 0o600 });
    if (!sayGaps && times.length > 0) await writeFile(keptTimesOf(file), Buffer.concat(times), { mode: 0o600 });
  } finally {
    await handle.close();
  }
  await rename(spare, file);
  return { total, leftOut: total - written };
}
