import type { IncomingMessage } from "node:http";
import { protocolError } from "../../protocol/errors.ts";
import type { Full, Room } from "./held-bytes.ts";

export type BodyLimits = {
  readonly bytesMax: number;
  /** From when there is room for it. A cage sends from the same machine; one that takes its time keeps room from others. */
  readonly msMax?: number;
  /** Makes room for so many bytes. */
  readonly room: (bytes: number, left: AbortSignal) => Promise<Room | Full>;
};

export type Body = { readonly bytes: Buffer; readonly room: Room };

const msMaxDefault = 60_000;

/**
 * The whole body, once there is room for as much as it says that it has, or may have; what was not there for too long otherwise. One that
 * is too large is refused as soon as that shows; the connection stays for the answer.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Body | Full> {
  const { bytesMax, msMax = msMaxDefault } = limits;
  const announced = announcedBytes(request);
  if (announced > bytesMax) throw tooLarge(bytesMax);
  const left = new AbortController();
  const leave = (): void => left.abort();
  request.once("close", leave);
  const room = await limits.room(Number.isFinite(announced) ? announced : bytesMax, left.signal);
  request.off("close", leave);
  if (typeof room === "string") return room;
  try {
    const bytes = await readWhole(request, bytesMax, msMax);
    room.shrinkTo(bytes.length);
    return { bytes, room };
  } catch (error) {
    room.release();
    throw error;
  }
}

/** NaN where it comes in pieces and its length is not known. */
function announcedBytes({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.NaN;
  return Number(headers["content-length"] ?? 0);
}

function readWhole(request: IncomingMessage, bytesMax: number, msMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const lost = (): void => reject(protocolError("connection-lost"));
    if (request.destroyed) return lost();
    const timer = setTimeout(lost, msMax);
    request.once("close", () => clearTimeout(timer));
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) chunks.length = 0;
      else chunks.push(chunk);
      if (bytes > bytesMax) reject(tooLarge(bytesMax));
    });
    request.once("end", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
    request.once("close", lost);
  });
}

function tooLarge(bytesMax: number): Error {
  return protocolError("too-large", { why: `it has more than ${bytesMax} bytes` });
}
