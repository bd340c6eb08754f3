// What an agent may use as a whole, in few words.

import type { HeldLimits, UseLimits } from "../../protocol/wire/agent.ts";
import { toSafeLine } from "./safe-text.ts";
import { toSize } from "./size.ts";

type Limits = NonNullable<UseLimits>;

const words: { readonly [Name in HeldLimits[number]["limit"]]: (limits: Limits) => string } = {
  memoryBytes: ({ memoryBytes }) => `${toSize(memoryBytes ?? 0)} of memory`,
  cpu: ({ cpu }) => `${Math.round((cpu ?? 0) * 100)} % of a processor`,
  processes: ({ processes }) => `${processes ?? 0} processes`,
  files: ({ files }) => `${files ?? 0} open files of each process`,
  outputBytesPerS: ({ outputBytesPerS }) => `${toSize(outputBytesPerS ?? 0)} of output a second`,
  diskBytes: ({ diskBytes }) => `${toSize(diskBytes ?? 0)} of the disk`,
};
const names = ["memoryBytes", "cpu", "processes", "files", "outputBytesPerS", "diskBytes"] as const;

/** Empty where nobody says anything. */
export function toLimitText(limits: UseLimits): string {
  if (limits === null) return "";
  return names.flatMap((name) => ((limits[name] ?? null) === null ? [] : [words[name](limits)])).join(", ");
}

/** What policies have said of that, policy by policy. */
export function toHeldText(heldBy: HeldLimits, limits: UseLimits): string {
  if (limits === null) return "";
  const policies = [...new Set(heldBy.map(({ policy }) => policy))];
  const texts = policies.map((name) => {
    const own = heldBy.flatMap(({ limit, policy }) => (policy === name ? [words[limit](limits)] : []));
    return `${own.join(", ")} by the policy ${toSafeLine(name)}`;
  });
  return texts.join("; ");
}
