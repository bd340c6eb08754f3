// Acts that nobody has selected anything for: whoever types what is to be done is offered to what it can be done.

import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { LiveState } from "../live/live-state.ts";
import { actsOfAgent, actsOfService, toAgentCommand } from "../model/agent-acts.ts";
import { actsOf, toCommand } from "../model/run-acts.ts";
import { toShell } from "../model/shell-text.ts";
import { byUrgency, isOver } from "../model/signals.ts";
import type { PaletteItem } from "./palette-item.ts";

/** So many letters of what is to be done tell it from a name. */
const lettersMin = 3;
const terminalVerb = "terminal";

/** Only for what is typed first: the acts of all runs and agents together are many. */
export function typedActItems({ link, runs, agents }: LiveState, typed: string): PaletteItem[] {
  const [first = ""] = typed.trim().toLowerCase().split(/\s+/);
  if (link.is !== "live" || first.length < lettersMin) return [];
  const isMeant = (label: string): boolean => label.toLowerCase().startsWith(first);
  const urgent = [...runs.values()].toSorted(byUrgency);
  const all = [...agents.values()];
  return [
    ...urgent.flatMap((run) => ofRun(run, isMeant)),
    ...all.flatMap((agent) => ofAgent(agent, isMeant)),
    ...(isMeant(terminalVerb) ? [...urgent.flatMap(terminalOfRun), ...all.flatMap(terminalOfAgent)] : []),
  ];
}

type IsMeant = (label: string) => boolean;

function ofRun(run: Run, isMeant: IsMeant): PaletteItem[] {
  const acts = actsOf(run).filter(({ label }) => isMeant(label));
  return acts.map((act) => ({
    ...{ id: `act ${act.name} ${run.id}`, kind: "Act", icon: "next", title: `${act.label} ${run.id}` },
    ...{ detail: run.title, command: toCommand(act.name, run.id, ""), deed: { is: "run-act", act, run } },
  }));
}

function ofAgent(agent: AgentView, isMeant: IsMeant): PaletteItem[] {
  const { id, name, services } = agent;
  const own = actsOfAgent(agent).map((act) => ({ act, service: undefined, what: name }));
  const theirs = services.flatMap((service) =>
    actsOfService(agent, service).map((act) => ({ act, service: service.name, what: `${service.name} of ${name}` })),
  );
  return [...own, ...theirs]
    .filter(({ act }) => isMeant(act.label))
    .map(({ act, service, what }) => ({
      ...{ id: `act ${act.name} ${id} ${service ?? ""}`, kind: "Act", icon: "next", title: `${act.label} ${what}` },
      ...{ detail: id, command: toAgentCommand(act.name, name, service) },
      deed: { is: "agent-act", act, agent, ...(service === undefined ? {} : { service }) },
    }));
}

/** A run that has not begun, or is over, has no cage to open one in. */
function terminalOfRun({ id, title, startedAtMs, state }: Run): PaletteItem[] {
  return startedAtMs === null || isOver(state) ? [] : [toTerminal({ run: id }, id, title)];
}

function terminalOfAgent({ id, name, state }: AgentView): PaletteItem[] {
  return state === "stopped" || state === "stopping" ? [] : [toTerminal({ agent: id }, name, id)];
}

function toTerminal(
  of: { readonly run: string } | { readonly agent: string },
  name: string,
  detail: string,
): PaletteItem {
  return {
    ...{ id: `terminal ${name}`, kind: "Act", icon: "process", title: `Terminal in ${name}`, detail },
    ...{ command: `signalbox attach ${toShell(name)}`, deed: { is: "terminal", of } },
  };
}
