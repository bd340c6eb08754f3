// A record as somebody would make it who edits the log by hand and knows how it is written (LG2).

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

export function forgedRecord(
  seq: number,
  hashBefore: string,
): { seq: number; body: string; checksum: number; hash: string } {
  const body = JSON.stringify({ seq, type: "run.said", text: "forged" });
  return { seq, body, checksum: crc32(body), hash: createHash("sha256").update(hashBefore).update(body).digest("hex") };
}
