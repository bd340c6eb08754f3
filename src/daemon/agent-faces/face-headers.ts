// Which headers pass between a browser and a service, each way. Lists are flat, as they came: a name, its value, and so on.

export type HeaderList = readonly string[];

/** Of one connection, and not of what is carried over it. */
const hopByHop: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer"],
  ...["transfer-encoding", "upgrade"],
]);
/** What proxies say of whom they speak for: a page could say it too, so no service may hear it. And what is said to us. */
const spokenFor =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-original-.*|x-rewrite-url|signalbox-.*)$/;
const ownCookie = "signalbox_";

export type ToService = {
  /** What the service is to be called by. */
  readonly host: string;
  /** Whether it may know of the page that asks. */
  readonly origin: boolean;
  /** Whether a token is one that opens something of ours. */
  readonly isOurs: (token: string) => boolean;
};

/** What a service hears of a request, without what says how long its body is. */
export function toServiceHeaders(raw: HeaderList, { host, origin, isOurs }: ToService): string[] {
  const named = namedByConnection(raw);
  const kept = ["host", host];
  for (const [name, value] of pairs(raw)) {
    // Many servers take an underscore for a dash.
    const plain = name.toLowerCase().replaceAll("_", "-");
    if (plain === "host" || plain === "content-length" || plain === "expect") continue;
    if (hopByHop.has(plain) || named.has(plain) || spokenFor.test(plain)) continue;
    if (plain === "origin" && !origin) continue;
    const left = withoutOurs(plain, value, isOurs);
    if (left !== undefined) kept.push(name, left);
  }
  return kept;
}

/** What a browser hears of an answer. Cookies stay at the host that the browser asked. */
export function toPersonHeaders(raw: HeaderList): string[] {
  const named = namedByConnection(raw);
  const kept: string[] = [];
  for (const [name, value] of pairs(raw)) {
    const plain = name.toLowerCase();
    // Another address for the same origin would be one that nobody guards.
    if (hopByHop.has(plain) || named.has(plain) || plain === "alt-svc") continue;
    const left = plain === "set-cookie" ? toHostCookie(value) : value;
    if (left !== undefined) kept.push(name, left);
  }
  return kept;
}

/** Undefined where nothing is left of it. */
function withoutOurs(plain: string, value: string, isOurs: (token: string) => boolean): string | undefined {
  if (plain === "cookie") return joined(value, "; ", (each) => !each.startsWith(ownCookie));
  if (plain === "authorization") {
    const [, token] = /^bearer +(.*)$/i.exec(value.trim()) ?? [];
    return token !== undefined && isOurs(token.trim()) ? undefined : value;
  }
  if (plain !== "sec-websocket-protocol") return value;
  return joined(value, ", ", (each) => !(each.startsWith("bearer.") && isOurs(each.slice("bearer.".length))));
}

function joined(value: string, by: "; " | ", ", isKept: (each: string) => boolean): string | undefined {
  const all = value.split(by.trim()).map((each) => each.trim());
  const kept = all.filter(isKept);
  if (kept.length === all.length) return value;
  return kept.length === 0 ? undefined : kept.join(by);
}

/** Without a domain it is for this host alone. Undefined for a name of ours. */
function toHostCookie(value: string): string | undefined {
  const [pair = "", ...attributes] = value.split(";");
  // Of a cookie without a name, browsers send the value alone: it would look like one of ours.
  if (pair.replace(/^[\s=]+/, "").startsWith(ownCookie)) return undefined;
  const kept = attributes.filter((each) => !/^\s*domain\s*(?:=|$)/i.test(each));
  return kept.length === attributes.length ? value : [pair, ...kept].join(";");
}

/** Headers that are for one connection because `Connection` says so. */
function namedByConnection(raw: HeaderList): Set<string> {
  const values = pairs(raw).filter(([name]) => name.toLowerCase() === "connection");
  return new Set(values.flatMap(([, value]) => value.split(",").map((each) => each.trim().toLowerCase())));
}

function pairs(raw: HeaderList): [string, string][] {
  return Array.from({ length: raw.length >> 1 }, (_, at) => [raw[at * 2] ?? "", raw[at * 2 + 1] ?? ""]);
}
