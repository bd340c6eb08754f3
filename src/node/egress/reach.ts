// From a name to a connection: the name is looked up once, every address that it has is judged, and what is connected to
// is one of those very addresses.

import { Resolver } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { mayTry, placesOf, type Egress, type Target } from "../../core/egress/egress.ts";
import type { EgressRefusal } from "../../core/egress/egress-events.ts";
import { isPublicAddress, plainAddress } from "./public-address.ts";

/** The addresses of a name; none where it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export type Reaching =
  | { readonly ok: true; readonly socket: Socket; readonly address: string }
  | { readonly ok: false; readonly refused: EgressRefusal; readonly address: string | null };

const addressesMax = 4;
const connectMsMax = 8000;

export async function reach(egress: Egress, target: Target, resolve: Resolve): Promise<Reaching> {
  const refuse = (refused: EgressRefusal, address: string | null = null): Reaching => ({ ok: false, refused, address });
  if (egress.kind === "none") return refuse("no-network");
  if (!mayTry(egress, target) && !isListed(egress, target.host, target.port)) return refuse("not-listed");
  const addresses = isIP(target.host) === 0 ? await resolve(target.host) : [target.host];
  // One that leads back spoils the name: whoever answers for it could choose which one is used.
  const inner = addresses.find((each) => !isPublicAddress(each) && !isListed(egress, each, target.port));
  if (inner !== undefined) return refuse("private-address", inner);
  for (const address of addresses.slice(0, addressesMax)) {
    const socket = await connectTo(address, target.port);
    if (socket !== undefined) return { ok: true, socket, address };
  }
  return refuse(addresses.length === 0 ? "unknown-host" : "unreachable", addresses[0] ?? null);
}

/** Whether a person has listed this very address, with this port. */
function isListed(egress: Egress, address: string, port: number): boolean {
  if (isIP(address) === 0) return false;
  const plain = plainAddress(address);
  return placesOf(egress).some(
    ({ host, ports }) => isIP(host) !== 0 && plainAddress(host) === plain && ports.includes(port),
  );
}

function connectTo(host: string, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    const giveUp = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    socket.setTimeout(connectMsMax, giveUp);
    socket.once("error", giveUp);
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", giveUp);
      resolve(socket);
    });
  });
}

/**
 * Asks the name servers of this machine. Not the system's own way of looking up: that blocks one of few threads, and a run
 * that asks for slow names would stop everybody's file work.
 */
export function systemResolve(): Resolve {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  };
}
