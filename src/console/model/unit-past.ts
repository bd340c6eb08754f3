// Who held each unit and who waited for it, folded from the log as far as it was read.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { numbersIn, textIn, textsIn } from "../live/event-fields.ts";

/** Types that the fold understands; the log is asked for these alone. */
export const unitPastTypes = [
  "family.opened",
  "family.ended",
  "claim.queued",
  "claim.ended",
  "lease.granted",
  "lease.released",
  "lease.shrunk",
  "lease.yielded",
];

/** A stretch in which somebody held a unit, or waited for it. */
export type Stay = {
  readonly is: "held" | "waited";
  readonly project: string;
  readonly unit: string;
  readonly holder: string;
  readonly claim: string;
  readonly fence: number | null;
  readonly fromMs: number;
  readonly toMs: number | null;
  /** How it ended; null while it lasts. */
  readonly end: string | null;
};

/** A claim that ended without a grant, and why. */
export type LostClaim = {
  readonly seq: number;
  readonly atMs: number;
  readonly holder: string;
  readonly units: readonly string[];
  readonly how: string;
  readonly cycle: readonly string[];
};

export type UnitPast = {
  /** By project and unit, the oldest first. */
  readonly stays: ReadonlyMap<string, readonly Stay[]>;
  /** The newest first. */
  readonly lost: readonly LostClaim[];
  /** When the oldest event that was read happened; null where there is none. */
  readonly fromMs: number | null;
};

export const nothingPast: UnitPast = { stays: new Map(), lost: [], fromMs: null };

const staysMax = 40;
const unitsMax = 4000;
const lostMax = 50;
const ends: Readonly<Record<string, string>> = {
  "lease.released": "given back",
  "lease.shrunk": "given back unchanged",
  "lease.yielded": "yielded to the next",
};
const familyEnds: Readonly<Record<string, string>> = {
  expired: "ended by itself",
  finished: "its run was over",
  idle: "given back",
  released: "given back",
};

export function keyOfUnit({ project, unit }: { readonly project: string; readonly unit: string }): string {
  return `${project} ${unit}`;
}

/** Takes events in order and can be looked at in between. What is long past is let go, so that it does not grow. */
export class UnitPastFold {
  readonly #stays = new Map<string, Stay[]>();
  readonly #families = new Map<string, { readonly project: string; readonly holder: string }>();
  /** Keys of what a family holds, and of what a claim waits for. */
  readonly #held = new Map<string, Set<string>>();
  readonly #claims = new Map<string, { readonly project: string; readonly family: string; units: readonly string[] }>();
  #lost: readonly LostClaim[] = [];
  #fromMs: number | null = null;

  takeAll(events: readonly LogEvent[]): UnitPast {
    for (const event of events) this.#take(event);
    while (this.#stays.size > unitsMax) this.#dropOldest();
    return { stays: new Map(this.#stays), lost: this.#lost, fromMs: this.#fromMs };
  }

  #take(event: LogEvent): void {
    this.#fromMs ??= event.atMs;
    const family = textIn(event, "family") ?? "";
    const field = { "lease.released": "units", "lease.yielded": "units", "lease.shrunk": "gone" }[event.type];
    if (field !== undefined) {
      this.#keep(event, family);
      this.#free(family, textsIn(event, field), event.atMs, ends[event.type] ?? "");
    } else if (event.type === "family.opened")
      this.#families.set(family, {
        project: textIn(event, "project") ?? "",
        holder: textIn(event, "holder") ?? family,
      });
    else if (event.type === "family.ended") this.#endFamily(event, family);
    else if (event.type === "claim.queued") this.#queue(event, family);
    else if (event.type === "claim.ended") this.#endClaim(event, family);
    else if (event.type === "lease.granted") this.#grant(event, family);
  }

  #queue(event: LogEvent, family: string): void {
    const [claim, project, units] = [
      textIn(event, "claim") ?? "",
      textIn(event, "project") ?? "",
      textsIn(event, "units"),
    ];
    this.#claims.set(claim, { project, family, units });
    for (const unit of units) this.#add({ is: "waited", project, unit, claim, fence: null }, family, event.atMs);
  }

  #grant(event: LogEvent, family: string): void {
    const [claim, project, units] = [
      textIn(event, "claim") ?? "",
      textIn(event, "project") ?? "",
      textsIn(event, "units"),
    ];
    this.#endWait(claim, event.atMs, "granted");
    const fences = numbersIn(event, "fences");
    const held = this.#held.get(family) ?? new Set();
    this.#held.set(family, held);
    for (const [at, unit] of units.entries()) {
      held.add(keyOfUnit({ project, unit }));
      this.#add({ is: "held", project, unit, claim, fence: fences[at] ?? null }, family, event.atMs);
    }
  }

  /** Of a folder that was given back, what is kept are the files in it that were changed. */
  #keep(event: LogEvent, family: string): void {
    const held = this.#held.get(family);
    const [known] = held ?? [];
    if (held === undefined || known === undefined) return;
    const project = known.slice(0, known.indexOf(" "));
    const fences = numbersIn(event, "fences");
    for (const [at, unit] of textsIn(event, "kept").entries()) {
      if (held.has(keyOfUnit({ project, unit }))) continue;
      held.add(keyOfUnit({ project, unit }));
      this.#add({ is: "held", project, unit, claim: "", fence: fences[at] ?? null }, family, event.atMs);
    }
  }

  #endClaim(event: LogEvent, family: string): void {
    const how = (textIn(event, "how") ?? "ended").replaceAll("-", " ");
    const claim = textIn(event, "claim") ?? "";
    const arrival = event["arrival"];
    const units = this.#claims.get(claim)?.units ?? (isObject(arrival) ? textsOf(arrival["units"]) : []);
    this.#endWait(claim, event.atMs, how);
    const cycle = Array.isArray(event["cycle"]) ? event["cycle"] : [];
    const entry: LostClaim = {
      seq: event.seq,
      atMs: event.atMs,
      holder: this.#holderOf(family),
      units,
      how,
      cycle: cycle.filter(isObject).map((edge) => this.#holderOf(typeof edge["from"] === "string" ? edge["from"] : "")),
    };
    this.#lost = [entry, ...this.#lost].slice(0, lostMax);
  }

  #endFamily(event: LogEvent, family: string): void {
    const why = textIn(event, "why") ?? "over";
    const keys = this.#held.get(family) ?? new Set();
    for (const key of keys)
      this.#close(key, "held", (stay) => stay.holder === this.#holderOf(family), event.atMs, familyEnds[why] ?? why);
    this.#held.delete(family);
    this.#families.delete(family);
  }

  #free(family: string, units: readonly string[], atMs: number, end: string): void {
    const holder = this.#holderOf(family);
    const keys = [...(this.#held.get(family) ?? [])].filter((key) => units.includes(key.slice(key.indexOf(" ") + 1)));
    for (const key of keys) {
      this.#close(key, "held", (stay) => stay.holder === holder, atMs, end);
      this.#held.get(family)?.delete(key);
    }
  }

  #endWait(claim: string, atMs: number, end: string): void {
    const known = this.#claims.get(claim);
    if (known === undefined) return;
    for (const unit of known.units)
      this.#close(keyOfUnit({ project: known.project, unit }), "waited", (stay) => stay.claim === claim, atMs, end);
    this.#claims.delete(claim);
  }

  #add(stay: Pick<Stay, "is" | "project" | "unit" | "claim" | "fence">, family: string, fromMs: number): void {
    const key = keyOfUnit(stay);
    const known = this.#stays.get(key) ?? [];
    // Put at the end again: the first keys are those that nothing has happened to for longest.
    this.#stays.delete(key);
    this.#stays.set(key, [
      ...known.slice(-staysMax),
      { ...stay, holder: this.#holderOf(family), fromMs, toMs: null, end: null },
    ]);
  }

  #close(key: string, is: Stay["is"], isMeant: (stay: Stay) => boolean, toMs: number, end: string): void {
    const known = this.#stays.get(key);
    if (known === undefined) return;
    this.#stays.set(
      key,
      known.map((stay) => (stay.is === is && stay.toMs === null && isMeant(stay) ? { ...stay, toMs, end } : stay)),
    );
  }

  /** A family of a run is called after it; of one from outside, what it said when it came. */
  #holderOf(family: string): string {
    return this.#families.get(family)?.holder ?? /^(r_[0-9a-z]+)\./.exec(family)?.[1] ?? family;
  }

  #dropOldest(): void {
    const [oldest] = this.#stays.keys();
    if (oldest !== undefined) this.#stays.delete(oldest);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
