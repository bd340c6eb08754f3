// What lives in agents, in the palette: their services, and what was recorded in their terminals and in those of runs.

import type { AgentView } from "../../protocol/wire/agent.ts";
import { toLogsCommand } from "../model/agent-acts.ts";
import { toAgentPage, toRunPage } from "../shell/link.tsx";
import type { PaletteItem } from "./palette-item.ts";
import type { Catalogue } from "./setting-items.ts";

export function serviceItems(agents: Iterable<AgentView>): PaletteItem[] {
  return [...agents].flatMap(({ id, name, services, projectName }) =>
    services.map((service): PaletteItem => ({
      ...{ id: `service ${id} ${service.name}`, kind: "Service", icon: "process", title: `${service.name} of ${name}` },
      ...{ detail: `${service.state} · ${projectName}`, command: toLogsCommand(name, service.name, "") },
      deed: { is: "go", to: { ...toAgentPage(id), service: service.name } },
    })),
  );
}

/** Each is played on the page of its run or agent, also when that is no more. */
export function recordingItems({ terminals }: Catalogue): PaletteItem[] {
  return terminals.map(({ id, window, run, agent, agentName, argv, ended }): PaletteItem => {
    const whose = run ?? agentName ?? agent ?? "";
    const what = argv.length === 0 ? "a shell" : argv.join(" ");
    const page = run === null ? toAgentPage(agent ?? "") : toRunPage(run);
    return {
      ...{ id: `recording ${id}`, kind: "Recording", icon: "running", title: `${window} in ${whose}` },
      ...{ detail: `${id} · ${what}${ended === null ? " · open" : ""}`, command: `signalbox recording play ${id}` },
      deed: { is: "go", to: { ...page, recording: id, terminal: null } },
    };
  });
}
