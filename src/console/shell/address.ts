// What the address says: the place, and what is seen of it. A view can be shared, and back goes back.

import { useSyncExternalStore } from "react";
import type { RunState } from "../../protocol/wire/run.ts";
import { type AgentState, isAgentState } from "../model/agent-signals.ts";
import { type InboxKind, isInboxKind } from "../model/inbox-kinds.ts";
import { parsePanes, toPanesText } from "../model/panes.ts";
import { isRunState, isTone, type Tone } from "../model/signals.ts";
import type { EventKind } from "../model/story-kinds.ts";
import { sections } from "../settings/sections.ts";

export const places = [
  "overview",
  "inbox",
  "runs",
  "run",
  "new-run",
  "agents",
  "agent",
  "locks",
  "landing",
  "events",
  "settings",
  "section",
] as const;
export type Place = (typeof places)[number];

export type Address = {
  readonly place: Place;
  /** Whose page it is: the id of a run, the id or name of an agent. */
  readonly id: string | null;
  /** Name of the only project that is shown. */
  readonly project: string | null;
  readonly tone: Tone | null;
  readonly find: string;
  /** Id of the run whose sheet is open. */
  readonly run: string | null;
  readonly states: readonly RunState[];
  readonly runner: string | null;
  readonly tag: string | null;
  /** The file that is looked at: of a change set, or for where its lines come from. */
  readonly file: string | null;
  /** The call whose doing is shown. */
  readonly step: number | null;
  readonly kind: EventKind | null;
  readonly agentState: AgentState | null;
  /** The only service whose words are shown. */
  readonly service: string | null;
  /** What is looked for in what services said. */
  readonly said: string;
  /** The only kind of thing in the inbox that is shown. */
  readonly need: InboxKind | null;
  /** The terminal that is open. */
  readonly terminal: string | null;
  /** Whether one only looks at it. */
  readonly look: "only" | null;
  /** Beginnings of the types of events that are shown; all where there is none. */
  readonly types: readonly string[];
  /** The only run or agent whose events are shown, or the run whose conflict is. */
  readonly of: string | null;
  /** The unit that is looked at, with its project (`shop:file:src/app.ts`), or whose events alone are shown. */
  readonly unit: string | null;
  /** Number of the event that is looked at. */
  readonly event: number | null;
  /** Number of the event after which the world is shown, or was before a place that has no past; null is now. */
  readonly at: number | null;
  /** Name of what is looked at among the settings; `newItem` for one that is to be made. */
  readonly item: string | null;
  /** The windows of an agent that are shown, and how: see `panes.ts`. */
  readonly panes: string | null;
  /** The terminal whose recording is played. */
  readonly recording: string | null;
  /** Which units are shown; null is all. */
  readonly units: (typeof unitChoices)[number] | null;
  /** How those who wait are shown; null is what there is room for. */
  readonly waits: (typeof waitViews)[number] | null;
  /** How far back is looked, where that is not the usual. */
  readonly span: (typeof spans)[number] | null;
  /** How agents are shown; null is as this person likes it. */
  readonly list: (typeof listLooks)[number] | null;
  /** Folders that are folded up, each with its project; a project by itself, too. */
  readonly folded: readonly string[];
};

const unitChoices = ["held", "contended"] as const;
const waitViews = ["graph", "tree", "order"] as const;
const spans = ["12h", "day"] as const;
const listLooks = ["table", "cards"] as const;
const foldedMax = 200;

/** No name of anything looks like this. */
export const newItem = "+";

type Field = Exclude<keyof Address, "place" | "id">;

/** How each field is called in the query, and which a place has; the others stay behind when one goes elsewhere. */
const names: Readonly<Record<Field, string>> = {
  project: "project",
  tone: "signal",
  find: "find",
  run: "run",
  states: "state",
  runner: "runner",
  tag: "tag",
  file: "file",
  step: "step",
  kind: "show",
  agentState: "state",
  service: "service",
  said: "said",
  need: "kind",
  terminal: "terminal",
  look: "look",
  types: "type",
  of: "of",
  unit: "unit",
  event: "event",
  at: "at",
  item: "name",
  recording: "recording",
  panes: "windows",
  units: "units",
  waits: "waits",
  span: "span",
  list: "as",
  folded: "folded",
};
const board: readonly Field[] = ["project", "tone", "find", "run", "at"];
const fieldsOf: Readonly<Record<Place, readonly Field[]>> = {
  overview: [...board, "units", "waits"],
  locks: ["project", "find", "unit", "run", "units", "waits", "span", "folded", "at"],
  events: ["project", "types", "of", "unit", "find", "event", "run", "at"],
  runs: ["project", "states", "runner", "tag", "find", "run", "at"],
  run: ["project", "step", "file", "kind", "terminal", "look", "recording", "at"],
  inbox: ["project", "need", "run", "at"],
  agents: ["project", "agentState", "find", "list", "at"],
  agent: ["project", "service", "said", "recording", "panes", "span", "at"],
  landing: ["project", "file", "of", "run", "at"],
  "new-run": ["project", "at"],
  settings: ["at"],
  section: ["item", "at"],
};
/** Pages of single things, each below the place that lists them. */
const pages: readonly { readonly place: Place; readonly of: Place; readonly ids: RegExp }[] = [
  { place: "new-run", of: "runs", ids: /^new$/ },
  { place: "run", of: "runs", ids: /^r_[0-9a-z]+$/ },
  { place: "agent", of: "agents", ids: /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/ },
  { place: "section", of: "settings", ids: new RegExp(`^(?:${sections.map(({ id }) => id).join("|")})$`) },
];
const terminalIds = /^te_[0-9a-z]{1,16}$/;
const eventKinds: readonly EventKind[] = ["message", "call", "lease", "state", "change"];

/** The log is one for all moments, and what is set has no past but the log. */
const alwaysNow: readonly Place[] = ["new-run", "events", "settings", "section"];

/** Said to the window when somebody goes elsewhere, other than back or forward. */
export const changed = "signalbox:address";
let isBack = false;
let last: { readonly href: string; readonly address: Address } | undefined;

export function readAddress(): Address {
  const { href } = location;
  if (last?.href !== href) last = { href, address: parseAddress(new URL(href)) };
  return last.address;
}

export function useAddress(): Address {
  return useSyncExternalStore(subscribe, readAddress);
}

/** Goes there. A filter replaces the entry of the history, because nobody wants to go back letter by letter. */
export function goTo(change: Partial<Address>, how: "push" | "replace" = "push"): void {
  const href = toHref({ ...readAddress(), ...change });
  if (href === `${location.pathname}${location.search}`) return;
  go(href, how);
}

/** The same place with another query, such as one that somebody has kept. */
export function goToQuery(query: string): void {
  go(toHref(parseAddress(new URL(`${pathOf(readAddress())}?${query}`, location.href))), "push");
}

/** Whether the page that is shown was come to by going back or forward. */
export function cameBack(): boolean {
  return isBack;
}

function go(href: string, how: "push" | "replace"): void {
  if (how === "push") {
    history.pushState(null, "", href);
    isBack = false;
  } else history.replaceState(null, "", href);
  dispatchEvent(new Event(changed));
}

export function toHref(address: Address): string {
  const query: [string, string][] = [];
  for (const field of fieldsOf[address.place]) {
    const value = address[field];
    // A path may have a comma in it.
    if (field === "folded") {
      for (const folder of address.folded) query.push([names.folded, folder]);
      continue;
    }
    const text = Array.isArray(value) ? value.join(",") : String(value ?? "");
    if (text !== "") query.push([names[field], text]);
  }
  return query.length === 0 ? pathOf(address) : `${pathOf(address)}?${new URLSearchParams(query).toString()}`;
}

export function parseAddress(url: URL): Address {
  const [, first = "", id] = url.pathname.split("/");
  const page = pages.find(({ of, ids }) => of === first && id !== undefined && ids.test(id));
  const place = page?.place ?? places.find((each) => each === first && !isPage(each)) ?? "overview";
  const read = (field: Field): string | null =>
    fieldsOf[place].includes(field) ? url.searchParams.get(names[field]) : null;
  const tone = read("tone");
  const step = read("step") ?? "";
  const agentState = read("agentState");
  const need = read("need");
  const terminal = read("terminal") ?? "";
  const recording = read("recording") ?? "";
  return {
    place,
    id: page === undefined ? null : (id ?? null),
    project: read("project"),
    tone: isTone(tone) ? tone : null,
    find: read("find") ?? "",
    run: read("run"),
    states: (read("states") ?? "").split(",").filter(isRunState),
    runner: read("runner"),
    tag: read("tag"),
    file: read("file"),
    step: /^\d{1,9}$/.test(step) ? Number(step) : null,
    kind: oneOf(eventKinds, read("kind")),
    agentState: isAgentState(agentState) ? agentState : null,
    service: read("service"),
    said: read("said") ?? "",
    need: isInboxKind(need) ? need : null,
    terminal: terminalIds.test(terminal) ? terminal : null,
    recording: terminalIds.test(recording) ? recording : null,
    look: read("look") === "only" ? "only" : null,
    panes: toPanesText(parsePanes(read("panes"))),
    types: (read("types") ?? "").split(",").filter((each) => /^[a-z.-]{1,64}$/.test(each)),
    of: isName(read("of")) ? read("of") : null,
    unit: read("unit"),
    event: toNumber(read("event")),
    at: toNumber(read("at")),
    item: read("item"),
    units: oneOf(unitChoices, read("units")),
    waits: oneOf(waitViews, read("waits")),
    span: oneOf(spans, read("span")),
    list: oneOf(listLooks, read("list")),
    folded: fieldsOf[place].includes("folded") ? url.searchParams.getAll(names.folded).slice(-foldedMax) : [],
  };
}

function oneOf<T extends string>(choices: readonly T[], text: string | null): T | null {
  return choices.find((each) => each === text) ?? null;
}

/** Whether a place can be seen as it was. The others keep the moment, to go back to, and show now. */
export function hasPast(place: Place): boolean {
  return !alwaysNow.includes(place);
}

/** The moment that is shown, null for now. */
export function momentOf({ place, at }: Pick<Address, "place" | "at">): number | null {
  return hasPast(place) ? at : null;
}

/** Whether a run can be opened beside a place. */
export function hasSheet(place: Place): boolean {
  return fieldsOf[place].includes("run");
}

function isName(text: string | null): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/.test(text ?? "");
}

/** Numbers of events: as many digits as a browser counts exactly. */
function toNumber(text: string | null): number | null {
  return /^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : null;
}

/** Whether a path leads to no place of the console. */
export function isNowhere(pathname: string): boolean {
  const [, first = "", ...rest] = pathname.split("/");
  const isPlace = first === "" || places.some((each) => each === first && !isPage(each));
  const [id = ""] = rest;
  const leadsToPage = rest.length === 1 && pages.some(({ of, ids }) => of === first && (id === "" || ids.test(id)));
  return !isPlace || (rest.length > 0 && !leadsToPage);
}

function noteBack(): void {
  isBack = true;
}

function isPage(place: Place): boolean {
  return pages.some((each) => each.place === place);
}

function pathOf({ place, id }: Address): string {
  if (place === "overview") return "/";
  const page = pages.find((each) => each.place === place);
  return page === undefined ? `/${place}` : `/${page.of}/${id ?? ""}`;
}

/** Every link on the page listens. The window would look through all of them for each one that goes. */
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener("popstate", noteBack);
    addEventListener("popstate", tell);
    addEventListener(changed, tell);
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
