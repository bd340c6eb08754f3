// AG90: for a service that was never well in its place, and always fails in the same way, no healthy sibling is begun anew.

import type { Checker } from "../world/watch.ts";

/** Whoever lasted so long without a check may count as having been well. */
const lastedMs = 60_000;

export function siblingsAreSpared(): Checker {
  const wasWell = new Set<string>();
  const ends = new Map<string, Set<string>>();
  const upSince = new Map<string, number>();
  const forget = (agent: string): void => {
    for (const known of [wasWell, ends, upSince])
      for (const key of known.keys()) if (key.startsWith(`${agent}/`)) known.delete(key);
  };
  return {
    name: "AG90 siblings are spared",
    before: (event, { model, report, sometimes }) => {
      if (!("agent" in event) || typeof event.agent !== "string") return;
      if (event.type === "agent.ended" && event.session !== true) return forget(event.agent);
      if (event.type === "agent.removed") return forget(event.agent);
      if (event.type === "service.judged" && event.healthy) wasWell.add(`${event.agent}/${event.service}`);
      if (event.type === "service.failed") {
        const key = `${event.agent}/${event.service}`;
        const how = `${event.found} ${event.end?.exit ?? ""} ${event.end?.signal ?? ""}`;
        ends.set(key, (ends.get(key) ?? new Set()).add(how));
      }
      if (event.type === "service.moved") {
        const key = `${event.agent}/${event.service}`;
        if (event.to === "completed" || event.atMs - (upSince.get(key) ?? event.atMs) >= lastedMs) wasWell.add(key);
        if (event.to === "up") upSince.set(key, event.atMs);
        else upSince.delete(key);
      }
      if (event.type !== "agent.climbed" || event.failure !== "service" || event.service === null) return;
      const agent = model.agents.get(event.agent);
      const key = `${event.agent}/${event.service}`;
      if (agent === undefined || wasWell.has(key) || (ends.get(key)?.size ?? 0) > 1) return;
      const others = [...agent.services.values()].filter(({ name, wanted }) => name !== event.service && wanted);
      // Where another one is unwell the place may be at fault.
      if (others.some(({ state, healthy }) => ["delayed", "failed", "stopping"].includes(state) || healthy === false))
        return;
      const spared = others.find(({ state, hasCheck, healthy }) => state === "up" && (healthy === true || !hasCheck));
      if (spared === undefined) return;
      if (event.rung === "ask") sometimes("sibling spared");
      else report("AG90", `${event.rung} for ${event.service} of ${agent.name}, which hurts ${spared.name}`);
    },
  };
}
