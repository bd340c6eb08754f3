// The calls of runs, counted by their tools, read off the log: those at the door, and those that only their assistants tell of.

import { heardIn } from "../../protocol/heard.ts";
import type { Tallies } from "./tally.ts";

type AnyEvent = Readonly<Record<string, unknown>>;
type Begun = { readonly tool: string; readonly atMs: number };

type Own = { readonly life: number; readonly calls: Map<string, Begun> };

/** A look at the workspace is ours: no run has asked for it. */
const internal = "sweep";

export class ToolCounts {
  readonly #tallies: Tallies;
  /** The call that each run has begun at the door: it has one at a time. */
  readonly #begun = new Map<string, Begun>();
  /** Calls that only its program tells of: any number at a time. */
  readonly #own = new Map<string, Own>();

  constructor(tallies: Tallies) {
    this.#tallies = tallies;
  }

  /** Takes in what happened to a run, in order. */
  take(run: string, event: AnyEvent): void {
    if (event["type"] === "run.heard") return this.#hear(run, event);
    const tool = String(event["tool"]);
    const atMs = Number(event["atMs"]);
    if (event["type"] === "call.started") this.#begun.set(run, { tool, atMs });
    if (event["type"] !== "call.finished" && event["type"] !== "call.refused") return;
    const startedAtMs = this.#begun.get(run)?.atMs ?? null;
    this.#begun.delete(run);
    const ok = event["type"] === "call.finished" && event["ok"] === true;
    const status = event["type"] === "call.refused" ? "refused" : ok ? "ok" : "failed";
    this.#add(tool, status, ok, startedAtMs === null ? null : atMs - startedAtMs);
  }

  /** Counts what has no end: it goes on, or has ended with its run. */
  finish(isOver: (run: string) => boolean): void {
    for (const [run, { tool }] of this.#begun) this.#add(tool, isOver(run) ? "cut off" : "open", null, null);
    for (const [run, { calls }] of this.#own)
      for (const { tool } of calls.values()) this.#add(tool, isOver(run) ? "cut off" : "open", null, null);
    this.#begun.clear();
    this.#own.clear();
  }

  #hear(run: string, event: AnyEvent): void {
    const { calls } = this.#ownOf(run, Number(event["life"]));
    const atMs = Number(event["atMs"]);
    for (const item of heardIn(event)) {
      if (item.is === "tool" && item.input !== null) calls.set(item.call, { tool: item.tool, atMs });
      if (item.is !== "result") continue;
      const begun = calls.get(item.call);
      calls.delete(item.call);
      this.#add(item.tool, item.ok ? "ok" : "failed", item.ok, begun === undefined ? null : atMs - begun.atMs);
    }
  }

  /** What a program has begun ends with it. */
  #ownOf(run: string, life: number): Own {
    const known = this.#own.get(run);
    if (known?.life === life) return known;
    for (const { tool } of known?.calls.values() ?? []) this.#add(tool, "cut off", null, null);
    const own = { life, calls: new Map<string, Begun>() };
    this.#own.set(run, own);
    return own;
  }

  #add(tool: string, status: string, ok: boolean | null, durationMs: number | null): void {
    if (tool !== internal) this.#tallies.add(tool, { status, ok, durationMs, costMicros: null });
  }
}
