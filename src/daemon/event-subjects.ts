// Which projects and runs an event is about. Many events name only a family or a claim; the state knows most of them, and
// for those long forgotten the log itself does: an id is the number of the event that made it.

import type { State } from "../core/state.ts";
import { numberOfId } from "./number-of-id.ts";
import type { DaemonParts } from "./parts.ts";

export type Subject = { readonly project: string | null; readonly run: string | null };

type AnyEvent = Readonly<Record<string, unknown>> & { readonly seq: number };

/** How many are remembered at least. */
const rememberedMin = 25_000;

export class EventSubjects {
  readonly #engine: DaemonParts["engine"];
  readonly #store: DaemonParts["store"];
  /**
   * Families, claims, runs and tasks, by id, in two generations: when the newer one is full, the older one goes. Taking out
   * the oldest alone would have to step over everything that was taken out before it.
   */
  #known = new Map<string, Subject>();
  #older = new Map<string, Subject>();

  constructor(parts: Pick<DaemonParts, "engine" | "store">) {
    this.#engine = parts.engine;
    this.#store = parts.store;
    // A holder's last event comes when the state has forgotten it already.
    for (const family of this.#engine.state.table.families.values()) {
      this.#remember(family.id, { project: family.project, run: runOfFamily(family.id) });
    }
    for (const run of this.#engine.state.runs.values()) this.#remember(run.id, { project: run.project, run: run.id });
  }

  /** What a new event is about. Called for every event in order, so that it learns. */
  learn(event: AnyEvent): void {
    const { project } = event;
    if (typeof project !== "string") return;
    const run = typeof event["run"] === "string" ? event["run"] : null;
    if (run !== null) this.#remember(run, { project, run });
    if (typeof event["family"] === "string")
      this.#remember(event["family"], { project, run: runOfFamily(event["family"]) });
    if (typeof event["task"] === "string") this.#remember(event["task"], { project, run: null });
    if (typeof event["agent"] === "string") this.#remember(event["agent"], { project, run: null });
  }

  /** What an event is about, from memory; undefined when something in it is long forgotten. */
  of(event: AnyEvent): readonly Subject[] | undefined {
    const subjects = [ownSubject(event)];
    for (const id of idsOf(event)) {
      const known = this.#recall(id);
      if (known === undefined) return undefined;
      subjects.push(known);
    }
    return subjects;
  }

  /** What an event of any age is about; asks the log for what nobody remembers. */
  async ofOld(event: AnyEvent): Promise<readonly Subject[]> {
    for (const id of idsOf(event)) {
      if (this.#recall(id) !== undefined) continue;
      const seq = numberOfId(id);
      const [origin] = seq === undefined ? [] : await this.#store.read(seq - 1, 1);
      const project = typeof origin?.["project"] === "string" ? origin["project"] : null;
      this.#remember(id, { project, run: runOfFamily(id) ?? (id.startsWith("r_") ? id : null) });
    }
    return this.of(event) ?? [];
  }

  #recall(id: string): Subject | undefined {
    return subjectFrom(this.#engine.state, id) ?? this.#known.get(id) ?? this.#older.get(id);
  }

  #remember(id: string, subject: Subject): void {
    const known = this.#known.get(id);
    // Holders come up again and again; what is kept anew each time is what the garbage collector has to carry about.
    if (known !== undefined && known.project === subject.project && known.run === subject.run) return;
    this.#known.set(id, subject);
    if (this.#known.size < rememberedMin) return;
    this.#older = this.#known;
    this.#known = new Map();
  }
}

function idsOf(event: AnyEvent): string[] {
  const ids: string[] = [];
  for (const field of ["run", "family", "task", "agent"]) {
    const id = event[field];
    if (typeof id === "string") ids.push(id);
  }
  if (Array.isArray(event["families"])) ids.push(...(event["families"] as string[]));
  return ids;
}

function ownSubject(event: AnyEvent): Subject {
  return { project: typeof event["project"] === "string" ? event["project"] : null, run: null };
}

function subjectFrom(state: State, id: string): Subject | undefined {
  const run = state.runs.get(id);
  if (run !== undefined) return { project: run.project, run: id };
  const family = state.table.families.get(id);
  if (family !== undefined) return { project: family.project, run: runOfFamily(id) };
  const agent = state.agents.get(id);
  if (agent !== undefined) return { project: agent.project, run: null };
  const task = state.tasks.get(id);
  return task === undefined ? undefined : { project: task.project, run: null };
}

/** A run's families are called after it: r_1a.1, r_1a.2. */
function runOfFamily(family: string): string | null {
  const dot = family.indexOf(".");
  return family.startsWith("r_") && dot > 0 ? family.slice(0, dot) : null;
}
