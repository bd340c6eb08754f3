import { expect, test } from "vitest";
import { toRefusal } from "./refusal-text.ts";

const whose = { kind: "run", name: "r_1", project: () => "shop" } as const;
const target = { host: "registry.npmjs.org", port: 443 };
const egress = { kind: "list", allow: [], policy: null, isOwn: false } as unknown as Parameters<typeof toRefusal>[1];

test.each([
  ["not-listed", "403 Forbidden: registry.npmjs.org:443 is not on the allow-list"],
  ["private-address", "403 Forbidden: registry.npmjs.org:443 leads to an address that is not public"],
  ["no-network", "403 Forbidden: registry.npmjs.org:443 is out of reach, there is no network"],
  ["other-name", "403 Forbidden: registry.npmjs.org:443 was asked for, and another name inside TLS"],
  ["unknown-host", "502 Bad Gateway"],
  ["unreachable", "502 Bad Gateway"],
  ["too-many", "503 Service Unavailable"],
] as const)("[EG8] the first line of an answer says why, for %s", (why, line) => {
  const { status, phrase } = toRefusal(whose, egress, target, why);
  expect(`${status} ${phrase}`).toBe(line);
});
