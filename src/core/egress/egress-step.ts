// Writes down the connections of runs and agents, and remembers how many there were.

import { refuse, type Result } from "../../base/result.ts";
import { agentOf } from "../agent/agent-state.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { runOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Target } from "./egress.ts";
import { otherHosts, type EgressEvent, type EgressInput, type Reached } from "./egress-events.ts";

/** How many hosts of a run are told apart. */
export const hostsMax = 128;

export function noteEgress(step: Step, input: EgressInput): Result<Later, Refusal> {
  const { runs, agents } = step.state;
  if ("run" in input && !runs.has(input.run)) return refuse({ code: "not-found", kind: "run", id: input.run });
  if ("agent" in input && !agents.has(input.agent))
    return refuse({ code: "not-found", kind: "agent", id: input.agent });
  if (input.type === "egress.try") step.emit({ ...input, type: "egress.tried", v: 1 });
  else step.emit({ ...input, type: "egress.summed", v: 1 });
  return done();
}

export function evolveEgress(state: State, event: EgressEvent, atMs: number): void {
  const owner = "run" in event ? runOf(state, event.run) : agentOf(state, event.agent);
  const reached = reachedBy(owner.reached, event);
  reached.lastAtMs = atMs;
  if (event.type === "egress.summed") {
    reached.connections += event.connections;
    reached.refusals += event.refusals;
    reached.bytesOut += event.bytesOut;
    reached.bytesIn += event.bytesIn;
    return;
  }
  // Also of one that was refused: whether that address was meant, a person has to see it to say.
  reached.address = event.address ?? reached.address;
  if (event.refused === null) {
    reached.connections++;
  } else {
    reached.refusals++;
    reached.refused = event.refused;
  }
}

export function reachedKey({ host, port }: Target): string {
  return `${host}:${port}`;
}

function reachedBy(known: Map<string, Reached>, event: EgressEvent): Reached {
  const isKnown = known.has(reachedKey(event)) || known.size < hostsMax;
  const { host, port } = isKnown ? event : otherHosts;
  const key = reachedKey({ host, port });
  const found = known.get(key);
  if (found !== undefined) return found;
  const counts = { connections: 0, refusals: 0, bytesOut: 0, bytesIn: 0 };
  const fresh: Reached = { host, port, ...counts, address: null, refused: null, lastAtMs: 0 };
  known.set(key, fresh);
  return fresh;
}
