// What a service may use, or an agent as a whole, in few words.

import type { HeldLimits, UseLimits } from "../../protocol/wire/agent.ts";
import { toBytes, toMany } from "./format.ts";

export function toLimitText({
  memoryBytes,
  cpu,
  processes,
  files,
  diskBytes,
  outputBytesPerS,
}: NonNullable<UseLimits>): string {
  return [
    ...(memoryBytes === null ? [] : [toBytes(memoryBytes)]),
    ...(cpu === null ? [] : [`${cpu} cpu`]),
    ...(processes === null ? [] : [processes === 1 ? "1 process" : `${processes} processes`]),
    ...(files === null ? [] : [toMany(files, "file")]),
    ...(diskBytes === undefined ? [] : [`${toBytes(diskBytes)} of the disk`]),
    ...(outputBytesPerS === undefined ? [] : [`${toBytes(outputBytesPerS)} of output a second`]),
  ].join(", ");
}

/** Who says so, where policies do: each once. */
export function toHeldText(held: HeldLimits): string {
  const names = [...new Set(held.map(({ policy }) => policy))];
  if (names.length === 0) return "";
  return ` (${names.length === 1 ? "policy" : "policies"} ${names.join(", ")})`;
}
