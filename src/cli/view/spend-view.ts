import { showDollars } from "../../protocol/dollars.ts";
import type { Spend } from "../../protocol/wire/model.ts";

/** `$1.25 in 12 requests, 3 of them without a price`. */
export function toSpendLine({ requests, partial, unpriced, costMicros }: Spend): string {
  if (requests === 0) return "nothing";
  const unknown = unpriced === 0 ? "" : `, and unknown for ${unpriced} without a price`;
  const estimated = partial === 0 ? "" : `, ${partial} of them estimated`;
  return `${showDollars(costMicros)} in ${requests} ${requests === 1 ? "request" : "requests"}${estimated}${unknown}`;
}
