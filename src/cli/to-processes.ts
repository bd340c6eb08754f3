import type { NamedProcess } from "./parse-args.ts";
import { UsageError } from "./usage-error.ts";

type Processes = Record<string, { argv: string[]; scope: "project" | "agent" }>;

/** Named processes as the contract wants them. Two of one name cannot both be meant. */
export function toProcesses(named: readonly NamedProcess[]): Processes {
  const processes: Processes = {};
  for (const { name, argv, scope } of named) {
    if (Object.hasOwn(processes, name))
      throw new UsageError(`--process ${name} is there twice; name each process once.`);
    processes[name] = { argv, scope };
  }
  return processes;
}
