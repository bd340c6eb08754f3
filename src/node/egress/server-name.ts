// The name that a TLS client says it wants, read from its first message. Nothing else is looked at, and nothing is changed.

export type ServerName =
  /** Not all of the message is there yet. */
  | { readonly is: "unfinished" }
  /** It is no TLS, or it names nobody. */
  | { readonly is: "absent" }
  | { readonly is: "named"; readonly name: string };

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;
const hostName = 0;

/** Larger first messages exist on paper alone, and none comes in more pieces. */
export const helloBytesMax = 32 * 1024;
export const helloPiecesMax = 64;

export function readServerName(bytes: Buffer): ServerName {
  if (bytes.length > 0 && bytes[0] !== handshakeRecord) return { is: "absent" };
  const hello = takeHello(bytes);
  if (hello === "unfinished") return { is: "unfinished" };
  try {
    const name = nameIn(hello);
    return name === undefined ? { is: "absent" } : { is: "named", name };
  } catch (error) {
    // It promises more than it has. Whoever it is meant for will not understand it either.
    if (error instanceof RangeError) return { is: "absent" };
    throw error;
  }
}

/** The first message, put together from as many records as it was cut into. */
function takeHello(bytes: Buffer): Buffer | "unfinished" {
  const parts: Buffer[] = [];
  let at = 0;
  while (at + 5 <= bytes.length && bytes[at] === handshakeRecord) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + 5, end));
    at = end;
  }
  const message = Buffer.concat(parts);
  const isWhole = message.length >= 4 && message.length >= 4 + message.readUIntBE(1, 3);
  const isFollowed = at < bytes.length && bytes[at] !== handshakeRecord;
  return isWhole || isFollowed ? message : "unfinished";
}

function nameIn(hello: Buffer): string | undefined {
  if (hello.readUInt8(0) !== clientHello) return undefined;
  let at = 4 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  if (at >= hello.length) return undefined;
  const end = at + 2 + hello.readUInt16BE(at);
  for (at += 2; at < end;) {
    const [type, size] = [hello.readUInt16BE(at), hello.readUInt16BE(at + 2)];
    if (type === serverNameExtension) return hostIn(hello.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return undefined;
}

function hostIn(list: Buffer): string | undefined {
  for (let at = 2; at < list.length;) {
    const [kind, size] = [list.readUInt8(at), list.readUInt16BE(at + 1)];
    if (kind === hostName) return list.toString("latin1", at + 3, at + 3 + size).toLowerCase();
    at += 3 + size;
  }
  return undefined;
}
