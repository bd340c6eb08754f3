// What a command said goes with its workspace; what is asked for later is copied to where the record says.

import { randomUUID } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

const partBytes = 512 * 1024;

/** Copies the output of a call that has ended. Where its middle was not kept, a line says how much is missing. */
export async function keepOutput(keeper: KeeperLine, call: string, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A driver that was overtaken may still be at it.
  const spare = `${file}.${randomUUID()}`;
  const handle = await open(spare, "w", 0o600);
  try {
    for (let at = 0; ;) {
      const part = (await keeper.request({ op: "output", call, offset: at, limit: partBytes })) as OutputAnswer;
      const bytes = Buffer.from(part.base64, "base64");
      if (bytes.length === 0) break;
      if (part.offset > at) await handle.write(`\n[… ${part.offset - at} bytes left out …]\n`);
      await handle.write(bytes);
      at = part.offset + bytes.length;
    }
  } finally {
    await handle.close();
  }
  await rename(spare, file);
}
