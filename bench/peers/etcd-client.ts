// A bare client of etcd: gRPC over HTTP/2, with the few messages we need spelled by hand. The JSON gateway would be
// simpler and slower, and a peer is shown at its best.

import http2 from "node:http2";
import net from "node:net";

/** The fields of a reply by number: whole numbers as bigint, everything else as bytes. */
export type Fields = ReadonlyMap<number, bigint | Buffer>;

export class EtcdClient {
  readonly #session: http2.ClientHttp2Session;

  private constructor(session: http2.ClientHttp2Session) {
    this.#session = session;
  }

  static connect(port: number): Promise<EtcdClient> {
    return new Promise((resolve, reject) => {
      const session = http2.connect(`http://127.0.0.1:${port}`, {
        createConnection: () => net.connect(port, "127.0.0.1").setNoDelay(true),
      });
      session.once("error", reject);
      session.once("connect", () => {
        session.off("error", reject);
        session.on("error", () => session.destroy());
        resolve(new EtcdClient(session));
      });
    });
  }

  /** Calls a method. Rejects when the answer is not there whole. */
  call(method: string, request: Buffer): Promise<Fields> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({
        ":method": "POST",
        ":path": method,
        "content-type": "application/grpc",
        te: "trailers",
      });
      const chunks: Buffer[] = [];
      let status = "";
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("trailers", (trailers: http2.IncomingHttpHeaders) => (status = String(trailers["grpc-status"])));
      stream.on("error", reject);
      stream.on("end", () => {
        const bytes = Buffer.concat(chunks);
        if (bytes.length < 5 || (status !== "" && status !== "0"))
          reject(new Error(`etcd answered with status ${status}`));
        else resolve(parseFields(bytes.subarray(5)));
      });
      const head = Buffer.alloc(5);
      head.writeUInt32BE(request.length, 1);
      stream.end(Buffer.concat([head, request]));
    });
  }

  close(): void {
    this.#session.destroy();
  }
}

/** Puts the key if nobody has it: field 2 of the answer says whether that was so. */
export function putIfAbsent(key: string, value: string, lease: bigint): Buffer {
  // Compare: create_revision (target 1, field 5) equals 0.
  const compare = Buffer.concat([number(2, 1n), bytes(3, key), number(5, 0n, true)]);
  const put = Buffer.concat([bytes(1, key), bytes(2, value), number(3, lease)]);
  return Buffer.concat([bytes(1, compare), bytes(2, bytes(2, put))]);
}

/** A message with one field of bytes and perhaps one number: deletes, locks and unlocks. */
export function keyed(key: string | Buffer, second?: bigint): Buffer {
  return Buffer.concat([bytes(1, key), second === undefined ? Buffer.alloc(0) : number(2, second)]);
}

export function number(field: number, value: bigint, always = false): Buffer {
  if (value === 0n && !always) return Buffer.alloc(0);
  return Buffer.concat([varint(BigInt(field << 3)), varint(value)]);
}

function bytes(field: number, value: string | Buffer): Buffer {
  const content = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(content.length)), content]);
}

function varint(value: bigint): Buffer {
  const out: number[] = [];
  let left = BigInt.asUintN(64, value);
  while (left > 127n) {
    out.push(Number(left & 127n) | 128);
    left >>= 7n;
  }
  out.push(Number(left));
  return Buffer.from(out);
}

export function parseFields(message: Buffer): Fields {
  const fields = new Map<number, bigint | Buffer>();
  let at = 0;
  const read = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(read());
    if ((tag & 7) === 0) fields.set(tag >> 3, read());
    else {
      const length = Number(read());
      fields.set(tag >> 3, message.subarray(at, at + length));
      at += length;
    }
  }
  return fields;
}
