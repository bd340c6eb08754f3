// What an agent is given anew (AG74): never more memory than its template allows, always more than it had; and whoever gets more
// for itself alone takes nobody along.

import type { Logged } from "../../src/core/events.ts";
import type { ModelAgent } from "../world/agent-model.ts";
import type { Watch } from "../world/watch.ts";

type Reallocated = Extract<Logged, { type: "agent.reallocated" }>;
type Moved = Extract<Logged, { type: "agent.moved" }>;

export function roomIsGivenRightly(): {
  before(agent: ModelAgent, event: Reallocated, watch: Pick<Watch, "report" | "sometimes">): void;
  moved(agent: ModelAgent, event: Moved, watch: Pick<Watch, "report">): void;
} {
  /** The number of the event by which a service got more memory for itself, by agent. */
  const alone = new Map<string, number>();
  return {
    before({ id, name, services }, event, { report, sometimes }) {
      sometimes(`given: ${event.room}`);
      const service = services.get(event.service ?? "");
      if (event.room !== "memory" || service === undefined) return;
      alone.set(id, event.seq);
      const given = event.memoryBytes ?? 0;
      if (given > (service.memoryMost ?? 0))
        report("AG74", `${service.name} of ${name} gets ${given} bytes, of at most ${service.memoryMost}`);
      if (given <= (service.memory ?? Infinity))
        report("AG74", `${service.name} of ${name} gets ${given} bytes, and had ${service.memory}`);
    },
    moved({ id, name }, { to, seq }, { report }) {
      if (to === "stopping" && alone.get(id) === seq - 1)
        report("SV4", `agent ${name} goes down, because one service of it gets more memory`);
    },
  };
}
