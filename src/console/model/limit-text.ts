// What a service may use, in few words.

import type { UseLimits } from "../../protocol/wire/agent.ts";
import { toBytes, toMany } from "./format.ts";

export function toLimitText({ memoryBytes, cpu, processes, files, diskBytes }: NonNullable<UseLimits>): string {
  return [
    ...(memoryBytes === null ? [] : [toBytes(memoryBytes)]),
    ...(cpu === null ? [] : [`${cpu} cpu`]),
    ...(processes === null ? [] : [processes === 1 ? "1 process" : `${processes} processes`]),
    ...(files === null ? [] : [toMany(files, "file")]),
    ...(diskBytes === undefined ? [] : [`${toBytes(diskBytes)} of the disk`]),
  ].join(", ");
}
