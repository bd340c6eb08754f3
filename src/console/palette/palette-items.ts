// Everything that the palette can lead to or do, as rows: what is selected first, then places, then all that has a name.

import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { LiveState } from "../live/live-state.ts";
import { actsOfAgent, toAgentCommand } from "../model/agent-acts.ts";
import { toCount } from "../model/format.ts";
import { fitOf } from "../model/fuzzy.ts";
import { actsOf, toCommand } from "../model/run-acts.ts";
import { toShell } from "../model/shell-text.ts";
import { byUrgency, signals } from "../model/signals.ts";
import { spansAgo } from "../model/spans-ago.ts";
import type { IconName } from "../parts/icon-shapes.tsx";
import type { Address } from "../shell/address.ts";
import { toAgentPage, toRunPage, toWorldAt } from "../shell/link.tsx";
import { demoCommand } from "../acts/start-demo.ts";
import { typedActItems } from "./act-items.ts";
import { recordingItems, serviceItems } from "./agent-items.ts";
import type { PaletteItem, Scope } from "./palette-item.ts";
import { type Catalogue, makingItems, sectionItems, settingItems } from "./setting-items.ts";
import { freeUnitItems, unitItems } from "./unit-items.ts";

type PlaceItem = {
  readonly to: Partial<Address>;
  readonly label: string;
  readonly icon: IconName;
};

export type PaletteWorld = {
  readonly state: LiveState;
  readonly places: readonly PlaceItem[];
  /** Runs that the daemon found for what was typed, also such as are on no list. */
  readonly found: readonly Run[];
  /** What the page does not keep up to date by itself. */
  readonly catalogue: Catalogue;
  readonly scope: Scope | null;
};

const shownMax = 60;
/** Without anything typed, so many runs are offered. */
const runsAtFirst = 8;

export function toPaletteItems(world: PaletteWorld, typed: string): PaletteItem[] {
  const { state, scope } = world;
  if (scope !== null) return rank(itemsOfScope(world, scope), typed);
  const number = /^#?(\d{1,15})$/.exec(typed.trim())?.[1];
  const all = (): PaletteItem[] => rank([...typedActItems(state, typed), ...allItems(world)], typed);
  if (number !== undefined) return [...eventItems(Number(number), state.seq), ...all()];
  if (typed.trim() !== "") return [...all(), ...freeUnitItems(state, typed)];
  const runs = [...state.runs.values()].toSorted(byUrgency).slice(0, runsAtFirst).map(runItem);
  return [...placeItems(world), ...pageItems(), ...runs];
}

/** What can be done to a thing, and where it leads. */
function itemsOfScope({ state, found }: PaletteWorld, scope: Scope): PaletteItem[] {
  if ("run" in scope) {
    const run = state.runs.get(scope.run) ?? found.find(({ id }) => id === scope.run);
    return run === undefined ? [] : [...runActs(state, run), ...aroundRun(run)];
  }
  const agent = state.agents.get(scope.agent);
  return agent === undefined ? [] : [...agentActs(state, agent), ...aroundAgent(agent)];
}

function allItems(world: PaletteWorld): PaletteItem[] {
  const { state, found, catalogue } = world;
  const runs = new Map([...found, ...state.runs.values()].map((run) => [run.id, run]));
  return [
    ...placeItems(world),
    ...pageItems(),
    ...[...runs.values()].map(runItem),
    ...[...state.agents.values()].map(agentItem),
    ...state.projects.map(({ name }): PaletteItem => ({
      ...{ id: `project ${name}`, kind: "Project", icon: "project", title: name, detail: "" },
      command: `signalbox project show ${toShell(name)}`,
      deed: { is: "go", to: { place: "overview", project: name } },
    })),
    ...sectionItems(),
    ...makingItems(),
    ...settingItems(catalogue),
    ...serviceItems(state.agents.values()),
    ...recordingItems(catalogue),
    ...unitItems(state),
  ];
}

function rank(items: readonly PaletteItem[], typed: string): PaletteItem[] {
  // Nothing typed: in the order in which one would expect them.
  if (typed.trim() === "") return items.slice(0, shownMax);
  const name = typed.trim().toLowerCase();
  return (
    items
      .flatMap((item) => {
        const fit = fitOf(typed, `${item.title} ${item.detail} ${item.kind}`);
        return fit === undefined ? [] : [{ item, fit, isNamed: isNamed(item, name) }];
      })
      // Whoever writes a name whole means it, and no longer one.
      .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.fit - a.fit)
      .slice(0, shownMax)
      .map(({ item }) => item)
  );
}

function isNamed({ title }: PaletteItem, name: string): boolean {
  return title.length === name.length && title.toLowerCase() === name;
}

function placeItems({ places }: PaletteWorld): PaletteItem[] {
  return places.map(({ to, label, icon }) => ({
    ...{ id: `place ${label}`, kind: "Place", icon, title: label, detail: "" },
    command: commandsOfPlaces[to.place ?? ""],
    deed: { is: "go", to },
  }));
}

const commandsOfPlaces: Readonly<Record<string, string>> = {
  overview: "signalbox state",
  inbox: "signalbox inbox",
  runs: "signalbox ps -a",
  agents: "signalbox agent list",
  locks: "signalbox locks",
  landing: "signalbox review",
  events: "signalbox events -n 100",
};

function pageItems(): PaletteItem[] {
  return [
    { ...page("Dark or light", "theme"), key: "D", deed: { is: "theme" } },
    { ...page("All keys", "keys"), key: "?", deed: { is: "keys" } },
    { ...page("Undo the last act", "back"), key: "U", deed: { is: "undo" } },
    { ...page("Start the demo", "running"), command: demoCommand, deed: { is: "demo" } },
    ...spansAgo.map(({ label, ms, at }): PaletteItem => ({
      ...page(`The world ${label}`, "clock"),
      command: `signalbox state --at ${at}`,
      deed: { is: "look-back", agoMs: ms },
    })),
  ];
}

function page(title: string, icon: IconName): Omit<PaletteItem, "deed"> {
  return { id: `page ${title}`, kind: "Page", icon, title, detail: "" };
}

function runItem(run: Run): PaletteItem {
  const { id, title, projectName, tags, state } = run;
  const words = [id, signals[state].word.toLowerCase(), projectName, ...tags];
  return {
    ...{ id: `run ${id}`, kind: "Run", icon: signals[state].icon, title, detail: words.join(" · ") },
    command: `signalbox inspect ${id}`,
    deed: { is: "go", to: toRunPage(id) },
    scope: { run: id },
  };
}

function agentItem({ id, name, state, projectName }: AgentView): PaletteItem {
  return {
    ...{ id: `agent ${id}`, kind: "Agent", icon: "agents", title: name, detail: `${id} · ${state} · ${projectName}` },
    command: `signalbox agent show ${toShell(name)}`,
    deed: { is: "go", to: toAgentPage(id) },
    scope: { agent: id },
  };
}

function eventItems(seq: number, newest: number): PaletteItem[] {
  if (seq < 1 || seq > newest) return [];
  return [
    {
      ...{ id: `event ${seq}`, kind: "Event", icon: "events", title: `Event ${toCount(seq)}`, detail: "in the log" },
      command: `signalbox log export --from ${seq} --to ${seq}`,
      deed: { is: "go", to: { place: "events", event: seq, types: [], of: null, unit: null, find: "" } },
    },
    {
      ...{
        id: `then ${seq}`,
        kind: "Event",
        icon: "clock",
        title: `The world after event ${toCount(seq)}`,
        detail: "",
      },
      command: `signalbox state --at ${seq} --json`,
      deed: { is: "go", to: toWorldAt(seq) },
    },
  ];
}

function runActs({ link }: LiveState, run: Run): PaletteItem[] {
  if (link.is !== "live") return [];
  return actsOf(run).map((act) => ({
    ...{ id: `act ${act.name}`, kind: "Act", icon: "next", title: `${act.label} ${run.id}`, detail: run.title },
    ...{ key: act.key, command: toCommand(act.name, run.id, "") },
    deed: { is: "run-act", act, run },
  }));
}

function aroundRun(run: Run): PaletteItem[] {
  const { id } = run;
  const beside = { place: "runs", run: id } as const;
  const log = { place: "events", of: id, types: [], unit: null, find: "", event: null } as const;
  return [
    { ...runItem(run), scope: undefined, kind: "Page", title: `Page of ${id}`, detail: run.title, key: "O" },
    {
      ...{ id: "beside", kind: "Page", icon: "runs", title: `${id} beside the list`, detail: run.title, key: "Q" },
      ...{ command: `signalbox inspect ${id}`, deed: { is: "go", to: beside } },
    },
    {
      ...{ id: "log", kind: "Page", icon: "events", title: `Events of ${id}`, detail: run.title },
      ...{ command: `signalbox events -n 100 --run ${id}`, deed: { is: "go", to: log } },
    },
  ];
}

function agentActs({ link }: LiveState, agent: AgentView): PaletteItem[] {
  if (link.is !== "live") return [];
  return actsOfAgent(agent).map((act) => ({
    ...{ id: `act ${act.name}`, kind: "Act", icon: "next", title: `${act.label} ${agent.name}`, detail: agent.id },
    ...{ key: act.key, command: toAgentCommand(act.name, agent.name) },
    deed: { is: "agent-act", act, agent },
  }));
}

function aroundAgent(agent: AgentView): PaletteItem[] {
  const log = { place: "events", of: agent.id, types: [], unit: null, find: "", event: null } as const;
  return [
    { ...agentItem(agent), scope: undefined, kind: "Page", title: `Page of ${agent.name}` },
    {
      ...{ id: "log", kind: "Page", icon: "events", title: `Events of ${agent.name}`, detail: agent.id },
      ...{ command: `signalbox events -n 100 --agent ${agent.id}`, deed: { is: "go", to: log } },
    },
  ];
}
