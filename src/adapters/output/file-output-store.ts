import { open } from "node:fs/promises";
import { join } from "node:path";
import type { KeptOutput, OutputStore } from "../../ports/output-store.ts";

/** RUN/CALL/output or AGENT/SERVICE-LIFE/output, and nothing that leads elsewhere. */
const outputName = /^[ra]_[0-9a-z]+\/[0-9a-z][0-9a-z-]*\/output$/;

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
      const { size } = await handle.stat();
      const from = Math.min(size, Math.max(0, offset < 0 ? size + offset : offset));
      const bytes = Buffer.alloc(Math.min(limit, size - from));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      return { bytes: bytes.subarray(0, bytesRead), offset: from, size };
    } finally {
      await handle.close();
    }
  }
}
