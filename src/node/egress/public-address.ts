// Which addresses are somebody's out there. Everything else leads back: to this machine, to the network that it stands in,
// to a cloud's own services, or nowhere.

import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

const notPublic4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

// Of version 6 only one part is given out at all; in it, these carry or stand for other addresses.
const given6 = ["2000::", 3] as const;
const notPublic6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const blocked4 = toList("ipv4", notPublic4);
const blocked6 = toList("ipv6", notPublic6);
const allowed6 = toList("ipv6", [given6]);

/** False also for what is no address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0 || isOwn(address)) return false;
  if (version === 4) return !blocked4.check(address, "ipv4");
  return allowed6.check(address, "ipv6") && !blocked6.check(address, "ipv6");
}

/** The one spelling of an address that the system itself uses. */
export function plainAddress(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** A machine may have a public address: what listens there was not meant for its agents. */
function isOwn(address: string): boolean {
  const plain = plainAddress(address.replace(/%.*$/, ""));
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return own.some((each) => plainAddress(each.address.replace(/%.*$/, "")) === plain);
}

function toList(version: "ipv4" | "ipv6", nets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, version);
  return list;
}
