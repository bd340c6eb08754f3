import type { IncomingMessage } from "node:http";
import { protocolError } from "../../protocol/errors.ts";

/** The whole body. One that is too large is refused as soon as that shows; the connection stays for the answer. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else reject(protocolError("too-large", { why: `it has more than ${bytesMax} bytes` }));
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("close", () => reject(protocolError("connection-lost")));
  });
}
