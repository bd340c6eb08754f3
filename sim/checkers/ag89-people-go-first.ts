// AG89: of an agent that goes down, terminals of people end before any service is asked to.

import type { Checker } from "../world/watch.ts";

export function peopleGoFirst(): Checker {
  const open = new Map<string, string>();
  return {
    name: "AG89 people go first",
    before: (event, { model, report, sometimes }) => {
      if (event.type === "terminal.opened" && "agent" in event) open.set(event.terminal, event.agent);
      if (event.type === "terminal.ended") {
        const agent = model.agents.get(open.get(event.terminal) ?? "");
        open.delete(event.terminal);
        if (agent?.state === "stopping" && event.why === "stopped") sometimes("terminal hung up");
      }
      if (event.type !== "service.moved" || event.to !== "stopping") return;
      const agent = model.agents.get(event.agent);
      // One that is begun anew may keep its place, and with it its terminals.
      if (agent?.state !== "stopping" || agent.force || agent.wish === "run") return;
      const terminal = [...open].find(([, owner]) => owner === agent.id)?.[0];
      if (terminal !== undefined)
        report("AG89", `${event.service} of ${agent.name} is asked to go, and ${terminal} is open`);
    },
  };
}
