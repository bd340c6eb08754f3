import type { Agent, Service } from "../../core/agent/agent-state.ts";
import { membersOf } from "../../core/agent/instances.ts";
import { protocolError } from "../../protocol/errors.ts";

/** A service by its name, or its instances. */
export function mustHaveService(agent: Agent, name: string): readonly Service[] {
  const found = membersOf(agent, name);
  if (found.length === 0) throw protocolError("not-found", { kind: "service", id: `${agent.name}/${name}` });
  return found;
}
