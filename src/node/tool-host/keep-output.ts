// What a command said goes with its workspace; what is asked for later is copied to where the record says.

import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { toMarkBytes } from "../../base/time-marks.ts";
import { type KeptPiece, keptPiecesOf, keptTimesOf } from "../../ports/output-store.ts";
import type { OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

const partBytes = 512 * 1024;

/** How many bytes a call has said, and how many of them were not kept. */
export type SaidBytes = { readonly total: number; readonly leftOut: number };

/** Where outputs are being copied to now. */
const spares = new Set<string>();

type KeepOptions = {
  readonly sayGaps?: boolean;
  /** How many bytes it said in all, where that is known: the disk may not have taken the last of them. */
  readonly saidBytes?: number;
};

/**
 * Copies the output of a call that has ended, part by part, and says how much it was. Where a part was not kept, a line says how much is missing; or,
 * for those who go on reading where they were, a file beside it says which part of the whole stands where.
 */
export async function keepOutput(
  keeper: KeeperLine,
  call: string,
  file: string,
  options: KeepOptions = {},
): Promise<SaidBytes> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await removeLeft(file);
  // A driver that was overtaken may still be at it.
  const spare = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  spares.add(spare);
  try {
    const handle = await open(spare, "wx", 0o600);
    let said: SaidBytes;
    try {
      said = await copyTo(handle, { keeper, call, file }, options);
    } finally {
      await handle.close();
    }
    await rename(spare, file);
    return said;
  } catch (error) {
    // The disk may be full, and this be much of it.
    await rm(spare, { force: true });
    throw error;
  } finally {
    spares.delete(spare);
  }
}

async function copyTo(
  handle: FileHandle,
  { keeper, call, file }: { readonly keeper: KeeperLine; readonly call: string; readonly file: string },
  { sayGaps = true, saidBytes = 0 }: KeepOptions,
): Promise<SaidBytes> {
  const pieces: KeptPiece[] = [];
  const times: Uint8Array[] = [];
  let [total, written, timed] = [0, 0, -1];
  const leaveOut = async (bytes: number): Promise<void> => {
    if (bytes > 0 && sayGaps) await handle.write(`\n[… ${bytes} bytes left out …]\n`);
  };
  for (;;) {
    const part = (await keeper.request({ op: "output", call, offset: total, limit: partBytes })) as OutputAnswer;
    const bytes = Buffer.from(part.base64, "base64");
    if (bytes.length === 0) break;
    await leaveOut(part.offset - total);
    if (part.offset > total) pieces.push({ from: part.offset, at: written });
    // The mark before a part is the last one of the part before.
    const fresh = (part.times ?? []).filter(([offset]) => offset > timed);
    timed = fresh.at(-1)?.[0] ?? timed;
    if (fresh.length > 0) times.push(toMarkBytes(fresh));
    await handle.write(bytes);
    written += bytes.length;
    total = part.offset + bytes.length;
  }
  await leaveOut(saidBytes - total);
  total = Math.max(total, saidBytes);
  if (!sayGaps && pieces.length > 0) await writeFile(keptPiecesOf(file), JSON.stringify(pieces), { mode: 0o600 });
  if (!sayGaps && times.length > 0) await writeFile(keptTimesOf(file), Buffer.concat(times), { mode: 0o600 });
  return { total, leftOut: total - written };
}

/** What a daemon that was killed had copied of it so far. */
async function removeLeft(file: string): Promise<void> {
  const [folder, beginning] = [dirname(file), `.${basename(file)}.`];
  const left = (await readdir(folder)).filter((name) => name.startsWith(beginning)).map((name) => join(folder, name));
  for (const path of left) if (!spares.has(path)) await rm(path, { force: true });
}
