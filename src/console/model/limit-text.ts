// What a service may use, in few words.

import type { UseLimits } from "../../protocol/wire/agent.ts";
import { toBytes, toMany } from "./format.ts";

export function toLimitText({ memoryBytes, cpu, processes, files }: NonNullable<UseLimits>): string {
  return [
    ...(memoryBytes === null ? [] : [toBytes(memoryBytes)]),
    ...(cpu === null ? [] : [`${cpu} cpu`]),
    ...(processes === null ? [] : [toMany(processes, "process").replace(/ss$/, "sses")]),
    ...(files === null ? [] : [toMany(files, "file")]),
  ].join(", ");
}
