// Whether a failure is the service's own, so that beginning others anew for it would only hurt them.

import { membersOf } from "./instances.ts";
import { type Agent, type Failing, isWell, type Service } from "./agent-state.ts";

/**
 * One that was never well in this place, ended alike each time, and for nothing that the place may be at fault for: its siblings are
 * well in the same place, and none that was is unwell now. In another place it would end in the same way (AG90).
 */
export function isOwnFault(agent: Agent, service: Service | null, { class: failure }: Failing): boolean {
  if (service === null || failure !== "service" || service.wasWell || service.endsAlike?.always !== true) return false;
  const others = [...agent.services.values()].filter((each) => each !== service && each.wanted);
  if (!others.some((each) => each.state === "up" && isWell(each))) return false;
  return !others.some((each) => each.wasWell && isUnwell(each) && !standsOn(agent, each, service));
}

/** Whoever is on its way up is not unwell yet. */
function isUnwell({ state, healthy, failing }: Service): boolean {
  return state === "delayed" || state === "failed" || failing !== null || (state === "up" && healthy === false);
}

/** Whether one is unwell perhaps because of another that it needs, itself or through others. */
function standsOn(agent: Agent, service: Service, on: Service, seen: ReadonlySet<Service> = new Set()): boolean {
  if (seen.has(service)) return false;
  const needed = service.spec.needs.flatMap((need) => membersOf(agent, need.service));
  const all = new Set([...seen, service]);
  return needed.some((each) => each === on || standsOn(agent, each, on, all));
}
