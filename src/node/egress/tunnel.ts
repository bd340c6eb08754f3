// Two connections as one. The first bytes from inside are held until it is known whom they ask for.

import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { helloBytesMax, helloPiecesMax, readServerName } from "./server-name.ts";

export type Tunnel = {
  readonly inside: Duplex;
  readonly outside: Socket;
  /** Bytes that came along with the request. */
  readonly head: Buffer;
  readonly host: string;
  readonly idleMs: number;
};

/** Resolves when both are closed. False where TLS was to be spoken with somebody else than was asked for. */
export async function passOn({ inside, outside, head, host, idleMs }: Tunnel): Promise<boolean> {
  const closed = Promise.all([closeOf(inside), closeOf(outside)]);
  // Whoever asked may have left while the way was made.
  if (inside.destroyed) outside.destroy();
  inside.once("close", () => outside.destroySoon());
  outside.once("close", () => inside.destroy());
  outside.setTimeout(idleMs, () => outside.destroy());
  outside.pipe(inside);
  const first = await firstBytes(inside, head);
  // An address has been allowed as such, whatever its owner calls it.
  const isSame = first.name === undefined || isIP(host) !== 0 || first.name === host;
  if (isSame && first.isWhole) {
    outside.write(first.bytes);
    inside.pipe(outside);
  } else {
    inside.destroy();
    outside.destroy();
  }
  await closed;
  return isSame;
}

type First = { readonly bytes: Buffer; readonly name: string | undefined; readonly isWhole: boolean };

function firstBytes(inside: Duplex, head: Buffer): Promise<First> {
  return new Promise((resolve) => {
    let bytes = head;
    let pieces = 0;
    const finish = (name: string | undefined, isWhole: boolean): void => {
      inside.off("data", take);
      inside.off("end", end);
      inside.off("close", end);
      inside.pause();
      resolve({ bytes, name, isWhole });
    };
    const look = (): void => {
      if (bytes.length === 0) return;
      const found = readServerName(bytes);
      if (found.is !== "unfinished") finish(found.is === "named" ? found.name : undefined, true);
      else if (bytes.length > helloBytesMax || ++pieces > helloPiecesMax) finish(undefined, false);
    };
    const take = (more: Buffer): void => {
      bytes = Buffer.concat([bytes, more]);
      look();
    };
    const end = (): void => finish(undefined, true);
    if (inside.destroyed) return end();
    inside.on("data", take);
    inside.once("end", end);
    inside.once("close", end);
    return look();
  });
}

function closeOf(stream: Duplex): Promise<void> {
  return new Promise((resolve) => (stream.closed ? resolve() : void stream.once("close", () => resolve())));
}
