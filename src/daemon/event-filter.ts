import { conflicts, parseUnit, type Unit, type UnitRule } from "../core/lease/unit.ts";
import type { State } from "../core/state.ts";
import { protocolError } from "../protocol/errors.ts";
import type { ParsedSubscribe } from "../protocol/stream.ts";
import type { Subject } from "./event-subjects.ts";
import { findAgent } from "./views/agent-view.ts";
import { findProject } from "./views/project-view.ts";

/** Which events somebody wants; what is left out means any. */
export type EventFilter = {
  readonly types?: readonly string[] | undefined;
  /** How types begin that are left out. */
  readonly except?: readonly string[] | undefined;
  /** By id. */
  readonly project?: string | undefined;
  readonly run?: string | undefined;
  readonly agent?: string | undefined;
  readonly unit?: Unit | undefined;
  /** In small letters. */
  readonly find?: string | undefined;
};

type AnyEvent = Readonly<Record<string, unknown>>;

/** Names compare as they are written: which project a unit is of, and how that compares them, is another question. */
const plainRule: UnitRule = { foldCase: false, ownProcesses: new Set() };
/** Fields that name units, and those that list what has a path. */
const unitFields = ["unit", "units", "gone", "freed", "plan"];
const pathFields = ["works", "entries", "approved", "conflicts"];

/** What was asked for, with names turned into ids. Throws for what does not exist. */
export function toEventFilter(state: State, wanted: Omit<ParsedSubscribe, "after">): EventFilter {
  const { types, except, run, project, agent, unit, find } = wanted;
  return {
    types,
    except,
    run,
    project: project === undefined ? undefined : findProject(state, project).id,
    agent: agent === undefined ? undefined : agentIdOf(state, agent),
    unit: unit === undefined ? undefined : mustParse(unit),
    find: find?.toLowerCase(),
  };
}

/** Whether subjects have to be known to decide. */
export function needsSubjects(filter: EventFilter): boolean {
  return filter.project !== undefined || filter.run !== undefined;
}

/** Whether what the event itself says is wanted: its type, its agent, its units and its words. */
export function matchesItself({ types, except = [], agent, unit, find }: EventFilter, event: AnyEvent): boolean {
  const type = String(event["type"]);
  if (types !== undefined && types.length > 0 && !types.some((prefix) => type.startsWith(prefix))) return false;
  if (except.some((prefix) => type.startsWith(prefix))) return false;
  if (agent !== undefined && event["agent"] !== agent) return false;
  if (unit !== undefined && !unitsOf(event).some((each) => conflicts(unit, each))) return false;
  return find === undefined || mentions(event, find);
}

export function matchesSubjects(filter: EventFilter, subjects: readonly Subject[]): boolean {
  const { project, run } = filter;
  if (project !== undefined && !subjects.some((subject) => subject.project === project)) return false;
  return run === undefined || subjects.some((subject) => subject.run === run);
}

/** Equal filters have equal names, so that their readers share frames. */
export function filterName({ types, except, project, run, agent, unit, find }: EventFilter): string {
  const rest = [project, run, agent, unit?.id, find].map((each) => each ?? null);
  return JSON.stringify([[...(types ?? [])].toSorted(), [...(except ?? [])].toSorted(), ...rest]);
}

/** One that is gone is only in the log, by its id. */
function agentIdOf(state: State, ref: string): string {
  return /^a_[0-9a-z]+$/.test(ref) ? ref : findAgent(state, ref).id;
}

function mustParse(text: string): Unit {
  const parsed = parseUnit(text, plainRule, "");
  if (!parsed.ok) throw protocolError("bad-unit", { unit: parsed.refusal.unit, why: parsed.refusal.why });
  return parsed.value;
}

function unitsOf(event: AnyEvent): Unit[] {
  const names = unitFields.flatMap((field) => (event[field] ?? []) as string | readonly string[]);
  const paths = pathFields.flatMap((field) => (event[field] ?? []) as readonly { readonly path?: unknown }[]);
  const texts = [...names, ...paths.map(({ path }) => `file:${String(path)}`)];
  return texts.flatMap((text) => {
    const parsed = parseUnit(text, plainRule, "");
    return parsed.ok ? [parsed.value] : [];
  });
}

/** Whether a text stands in what an event says: in its values, not in the names of its fields. */
function mentions(value: unknown, find: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(find);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((each) => mentions(each, find));
}
