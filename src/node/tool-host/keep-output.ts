// What a command said goes with its workspace; what is asked for later is copied to where the record says.

import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { toMarkBytes } from "../../base/time-marks.ts";
import type { State } from "../../core/state.ts";
import { type KeptPiece, keptPiecesOf, keptTimesOf } from "../../ports/output-store.ts";
import type { OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { type OutputRoom, OutputRooms } from "./output-rooms.ts";

const partBytes = 512 * 1024;

/** How many bytes a call has said, and how many of them were not kept; and whether there is no file, for want of room. */
export type SaidBytes = { readonly total: number; readonly leftOut: number; readonly none?: true };

/** Where outputs are being copied to now. */
const spares = new Set<string>();
/** Of all who have outputs here. */
const usualRooms = new OutputRooms();

/** Of whoever has this folder some went: what is left is counted anew. */
export function countAnew(folder: string): void {
  usualRooms.forget(folder);
}

/** Runs that have folders in this one share what there is room for with all that stem from the same one. */
export function shareRooms(callsFolder: string, state: () => State): void {
  usualRooms.share(callsFolder, {
    treeOf: (run) => state().runs.get(run)?.tree,
    membersOf: (tree) => [...state().runs.values()].flatMap((run) => (run.tree === tree ? run.id : [])),
  });
}

type KeepOptions = {
  readonly sayGaps?: boolean;
  /** How many bytes it said in all, where that is known: the disk may not have taken the last of them. */
  readonly saidBytes?: number;
  readonly rooms?: OutputRooms;
};

type Copied = { readonly keeper: KeeperLine; readonly call: string; readonly file: string; readonly room: OutputRoom };

/**
 * Copies the output of a call that has ended, part by part, and says how much it was. Where a part was not kept, a line says how much is missing; or,
 * for those who go on reading where they were, a file beside it says which part of the whole stands where. Of whoever has much already it
 * copies the end alone, other than of a service, of which a few lives are kept; and nothing in the end.
 */
export async function keepOutput(
  keeper: KeeperLine,
  call: string,
  file: string,
  options: KeepOptions = {},
): Promise<SaidBytes> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await removeLeft(file);
  const room = (options.rooms ?? usualRooms).of(dirname(dirname(file)));
  // A driver that was overtaken may still be at it.
  const spare = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  spares.add(spare);
  try {
    const from = { keeper, call, file, room };
    const said = (await copyTo(spare, from, options)) ?? (await copyEndTo(spare, from, options));
    if (said.none === true) {
      await rm(spare, { force: true });
      return said;
    }
    await room.change(file, () => rename(spare, file));
    return said;
  } catch (error) {
    // The disk may be full, and this be much of it.
    await rm(spare, { force: true });
    throw error;
  } finally {
    spares.delete(spare);
  }
}

/** As much of the end as there is room for. */
async function copyEndTo(spare: string, from: Copied, options: KeepOptions): Promise<SaidBytes> {
  const { endBytes } = await from.room.leaveFor(from.file);
  const { totalBytes } = await partOf(from, 0, 0);
  if (endBytes === 0) return { total: totalBytes, leftOut: totalBytes, none: true };
  const said = await copyTo(spare, from, options, Math.max(0, totalBytes - endBytes));
  return said ?? { total: totalBytes, leftOut: totalBytes };
}

/** Undefined where that is more than there is room for; of a service, a few lives are kept as they are. */
async function copyTo(
  spare: string,
  from: Copied,
  { sayGaps = true, saidBytes = 0 }: KeepOptions,
  beginning?: number,
): Promise<SaidBytes | undefined> {
  const { room, file } = from;
  const isBounded = sayGaps && beginning === undefined;
  const handle = await open(spare, "w", 0o600);
  try {
    const pieces: KeptPiece[] = [];
    const times: Uint8Array[] = [];
    let [total, written, timed] = [0, 0, -1];
    let wholeBytes = 0;
    const leaveOut = async (bytes: number): Promise<void> => {
      if (bytes > 0 && sayGaps) await handle.write(`\n[… ${bytes} bytes left out …]\n`);
    };
    for (;;) {
      const part = await partOf(from, Math.max(total, beginning ?? 0), partBytes);
      const bytes = Buffer.from(part.base64, "base64");
      if (bytes.length === 0) break;
      const size = written + bytes.length;
      if (isBounded && size > wholeBytes) ({ wholeBytes } = await room.leaveFor(file));
      if (isBounded && size > wholeBytes) return undefined;
      await leaveOut(part.offset - total);
      if (part.offset > total) pieces.push({ from: part.offset, at: written });
      // The mark before a part is the last one of the part before.
      const fresh = (part.times ?? []).filter(([offset]) => offset > timed);
      timed = fresh.at(-1)?.[0] ?? timed;
      if (fresh.length > 0) times.push(toMarkBytes(fresh));
      await handle.write(bytes);
      written = size;
      total = part.offset + bytes.length;
    }
    await leaveOut(saidBytes - total);
    total = Math.max(total, saidBytes);
    if (!sayGaps && pieces.length > 0) await writeFile(keptPiecesOf(file), JSON.stringify(pieces), { mode: 0o600 });
    if (!sayGaps && times.length > 0) await writeFile(keptTimesOf(file), Buffer.concat(times), { mode: 0o600 });
    return { total, leftOut: total - written };
  } finally {
    await handle.close();
  }
}

async function partOf({ keeper, call }: Copied, offset: number, limit: number): Promise<OutputAnswer> {
  return (await keeper.request({ op: "output", call, offset, limit })) as OutputAnswer;
}

/** What a daemon that was killed had copied of it so far. */
async function removeLeft(file: string): Promise<void> {
  const [folder, beginning] = [dirname(file), `.${basename(file)}.`];
  const left = (await readdir(folder)).filter((name) => name.startsWith(beginning)).map((name) => join(folder, name));
  for (const path of left) if (!spares.has(path)) await rm(path, { force: true });
}
