import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { markBytes, marksFor, type TimeMark, toMark } from "../../base/time-marks.ts";
import {
  type KeptOutput,
  type KeptPiece,
  keptPiecesOf,
  keptTimesOf,
  type OutputStore,
} from "../../ports/output-store.ts";

/** RUN/CALL/output or AGENT/SERVICE-LIFE/output, and nothing that leads elsewhere. */
const outputName = /^[ra]_[0-9a-z]+\/[0-9a-z][0-9a-z-]*(?:\.\d+-\d+)?\/output$/;

/** Reads outputs where the node has put them: a folder for each run, in it one for each call. */
export class FileOutputStore implements OutputStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(name: string, { offset, limit }: { offset: number; limit: number }): Promise<KeptOutput | null> {
    if (!outputName.test(name)) return null;
    const handle = await open(join(this.#folder, name), "r").catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    });
    if (handle === null) return null;
    try {
      const { size: fileSize } = await handle.stat();
      const pieces = await piecesOf(join(this.#folder, name), fileSize);
      const size = pieces.at(-1)?.end ?? 0;
      const wanted = Math.min(size, Math.max(0, offset < 0 ? size + offset : offset));
      const piece = pieces.find(({ end }) => end > wanted);
      if (piece === undefined) return { bytes: new Uint8Array(), offset: wanted, size };
      const from = Math.max(wanted, piece.from);
      const bytes = Buffer.alloc(Math.min(limit, piece.end - from));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, piece.at + from - piece.from);
      const times = await timesOf(join(this.#folder, name), from, from + bytesRead);
      return { bytes: bytes.subarray(0, bytesRead), offset: from, size, ...(times === null ? {} : { times }) };
    } finally {
      await handle.close();
    }
  }
}

/** When what stands there was said. */
async function timesOf(file: string, from: number, to: number): Promise<TimeMark[] | null> {
  const bytes = await readFile(keptTimesOf(file)).catch(() => null);
  if (bytes === null) return null;
  return marksFor(Math.floor(bytes.length / markBytes), (index) => toMark(bytes, index * markBytes), from, to);
}

/** Which parts of the whole are there, each with where it stands in the file. */
async function piecesOf(file: string, fileSize: number): Promise<(KeptPiece & { readonly end: number })[]> {
  const text = await readFile(keptPiecesOf(file), "utf8").catch(() => "[]");
  const later = JSON.parse(text) as KeptPiece[];
  const pieces = later[0]?.at === 0 ? later : [{ from: 0, at: 0 }, ...later];
  return pieces.map((piece, index) => {
    const until = pieces[index + 1]?.at ?? fileSize;
    return { ...piece, end: piece.from + until - piece.at };
  });
}
