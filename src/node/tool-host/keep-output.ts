// What a command said goes with its workspace; what is asked for later is copied to where the record says.

import { randomUUID } from "node:crypto";
import { mkdir, open, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type KeptPiece, keptPiecesOf } from "../../ports/output-store.ts";
import type { OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

const partBytes = 512 * 1024;

/**
 * Copies the output of a call that has ended. Where a part was not kept, a line says how much is missing; or, for those who
 * go on reading where they were, a file beside it says which part of the whole stands where.
 */
export async function keepOutput(
  keeper: KeeperLine,
  call: string,
  file: string,
  { sayGaps = true }: { readonly sayGaps?: boolean } = {},
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A driver that was overtaken may still be at it.
  const spare = `${file}.${randomUUID()}`;
  const handle = await open(spare, "w", 0o600);
  try {
    const pieces: KeptPiece[] = [];
    let written = 0;
    for (let at = 0; ;) {
      const part = (await keeper.request({ op: "output", call, offset: at, limit: partBytes })) as OutputAnswer;
      const bytes = Buffer.from(part.base64, "base64");
      if (bytes.length === 0) break;
      if (part.offset > at && sayGaps) await handle.write(`\n[… ${part.offset - at} bytes left out …]\n`);
      if (part.offset > at) pieces.push({ from: part.offset, at: written });
      await handle.write(bytes);
      written += bytes.length;
      at = part.offset + bytes.length;
    }
    if (!sayGaps && pieces.length > 0) await writeFile(keptPiecesOf(file), JSON.stringify(pieces), { mode: 0o600 });
  } finally {
    await handle.close();
  }
  await rename(spare, file);
}
