// Reads whom somebody inside wants to reach. A name is read once, here, and nothing later reads it differently: what is not
// plainly a name or an address is no target at all.

import { isIPv4, isIPv6 } from "node:net";
import type { Target } from "../../core/egress/egress.ts";
import { plainAddress } from "./public-address.ts";

const nameCharsMax = 253;
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** From `host:port`, as a CONNECT has it. */
export function readAuthority(text: string): Target | undefined {
  const [, host = "", port = ""] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  return toTarget(host, Number(port));
}

/** From `http://host/path`, as a plain request to a forwarder has it; with the path. */
export function readAddress(
  text: string,
): (Target & { readonly path: string; readonly authority: string }) | undefined {
  const [, authority = "", path = ""] = /^http:\/\/([^/?#@]+)((?:[/?].*)?)$/i.exec(text) ?? [];
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const target = toTarget(host, port === undefined ? 80 : Number(port));
  return target === undefined ? undefined : { ...target, authority, path: path.startsWith("/") ? path : `/${path}` };
}

function toTarget(written: string, port: number): Target | undefined {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const host = toHost(written.toLowerCase());
  return host === undefined ? undefined : { host, port };
}

function toHost(written: string): string | undefined {
  if (written.startsWith("[")) {
    const address = written.slice(1, -1);
    return isIPv6(address) && !address.includes("%") ? plainAddress(address) : undefined;
  }
  if (isIPv4(written)) return written;
  const name = written.endsWith(".") ? written.slice(0, -1) : written;
  const labels = name.split(".");
  // Systems take `127.1`, `0x7f.1` and `2130706433` for addresses; no name ends in a number.
  const isName = name.length <= nameCharsMax && labels.every((each) => label.test(each));
  return isName && !/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? name : undefined;
}
