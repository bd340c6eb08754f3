// The failure that the end of a service is, with what the service was given: its ports, its memory and its way outside.

import { type Agent, type Failing, portKey, type Service, type ServiceEnd } from "./agent-state.ts";
import { failingOf } from "./failure.ts";
import type { State } from "../state.ts";
import { agentLimitsOf } from "./agent-limits.ts";
import { limitsOf } from "./room.ts";

export function serviceFailing(
  state: Pick<State, "policies">,
  agent: Agent,
  service: Service,
  end: ServiceEnd,
): Failing {
  const failing = failingOf(end, portsOf(agent, service));
  if (failing.cause === "unreachable" && isOutside(end) && hasNoNetwork(agent))
    return { ...failing, what: `${failing.what}, and its agent has no network (its template has no egress)` };
  // Where there are no control groups nobody but the process itself says that it has no more: whether it could have had more is told with it.
  if (failing.cause !== "memory" || end.why !== "ended") return failing;
  const own = limitsOf(agent, service)?.memoryBytes ?? null;
  const all = agentLimitsOf(state, agent).memoryBytes?.value ?? null;
  if (own !== null) return { ...failing, what: `${failing.what}, of which it may have ${inMiB(own)}` };
  return all === null ? failing : { ...failing, what: `${failing.what}, of which its agent may have ${inMiB(all)}` };
}

/** Whether it asked for a name, which those of its own agent are not known by. */
function isOutside({ said }: ServiceEnd): boolean {
  return /EAI_AGAIN|ENOTFOUND|[Nn]ame or service not known|[Nn]ame resolution/.test(said);
}

function hasNoNetwork({ spec, mayBeJoined }: Agent): boolean {
  return (spec.egress?.kind ?? "none") === "none" && !mayBeJoined;
}

function inMiB(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)}MiB`;
}

/** The numbers that it listens on, or that lead to it. */
function portsOf(agent: Agent, { spec, group }: Service): number[] {
  return [spec.name, ...(group === null ? [] : [group])]
    .flatMap((name) => spec.ports.map((port) => agent.ports.get(portKey(name, port))))
    .flatMap((port) => port ?? []);
}
