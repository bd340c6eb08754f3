// Tells a story of leases: lines that start with `>` are commands, what follows them is what they answer and what
// happened because of them. Names are holders; times are written as `20s` or `10min`.

import { FenceGuard } from "../../src/core/lease/fence-guard.ts";
import type { Logged } from "../../src/core/events.ts";
import { parseUnit, type Unit } from "../../src/core/lease/unit.ts";
import { CoreWorld } from "./core-world.ts";

/** The story with the answers that are given now. */
export function tellStory(written: string): string {
  const teller = new Teller();
  const told = written.split("\n").flatMap((line) => {
    if (line.startsWith(">")) return [line, ...teller.tell(line.slice(1).trim()).map((answer) => `  ${answer}`)];
    return line.startsWith("  ") ? [] : [line];
  });
  return told.join("\n");
}

class Teller {
  readonly #world = new CoreWorld();
  readonly #guard = new FenceGuard();
  /** The newest claim and the family of each holder, as the holder itself remembers them. */
  readonly #claims = new Map<string, string>();
  readonly #families = new Map<string, string>();

  constructor() {
    this.#world.project({ processes: { test: { argv: ["test"], scope: "project" } } });
  }

  tell(command: string): string[] {
    const [who = "", verb = "", ...rest] = command.split(/\s+/);
    if (who === "wait") {
      this.#world.pass(msOf(verb));
      return this.#happened("");
    }
    switch (verb) {
      case "claims":
      case "tries":
        return this.#claim(who, rest, verb === "tries" ? "try" : "wait");
      case "releases":
        return this.#give(who, {
          type: "lease.release",
          claim: this.#claimOf(who, rest),
          units: rest[0] === "all" ? null : rest,
        });
      case "cancels":
        return this.#give(who, { type: "claim.cancel", claim: this.#claims.get(who) ?? "" });
      case "renews":
        return this.#give(who, { type: "lease.renew", claim: this.#claims.get(who) ?? "", ttlMs: null });
      case "writes":
        return this.#write(who, rest[0] ?? "", Number(rest[1]?.replace("#", "")));
      default:
        throw new Error(`no such command: ${command}`);
    }
  }

  #claim(who: string, words: readonly string[], mode: "wait" | "try"): string[] {
    const option = (name: string): string | undefined =>
      words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
    const units = words.filter((word) => !word.includes("="));
    const ttlMs = msOf(option("ttl") ?? "600s");
    const waitMs = option("wait") === undefined ? null : msOf(option("wait") ?? "");
    const answer = this.#world.claim(who, units, { mode, priority: Number(option("priority") ?? 0), ttlMs, waitMs });
    this.#claims.set(who, answer.claim);
    this.#families.set(who, answer.family);
    const others = this.#happened(answer.claim);
    if (answer.state === "granted") return [`granted ${spell(answer.fences)}`, ...others];
    if (answer.state === "refused")
      return [
        `deadlock ${answer.cycle?.map((edge) => `${this.#name(edge.from)} waits for ${this.#name(edge.to)} (${edge.unit})`).join(", ")}`,
      ];
    const behind = answer.behind.map((each) => `${each.holder} (${each.by} ${each.unit})`);
    return [answer.state === "queued" ? `queued behind ${behind.join(", ")}` : answer.state, ...others];
  }

  #give(who: string, input: Parameters<CoreWorld["give"]>[0]): string[] {
    const result = this.#world.give(input, `person:${who}`);
    return [result.ok ? "ok" : result.refusal.code, ...this.#happened("")];
  }

  #write(who: string, unit: string, fence: number): string[] {
    return [this.#guard.check({ family: this.#families.get(who) ?? "", fence, unit: read(unit) })];
  }

  /** The claim of the holder that brought these units: the newest by default. */
  #claimOf(who: string, units: readonly string[]): string {
    const family = this.#world.state.table.families.get(this.#families.get(who) ?? "");
    const lease = [...(family?.leases.values() ?? [])].find((each) => each.unit.text === units[0]);
    return lease?.claim ?? this.#claims.get(who) ?? "";
  }

  #happened(own: string): string[] {
    return this.#world.last.flatMap((event) => {
      const line = this.#describe(event);
      return line === undefined || ("claim" in event && event.claim === own) ? [] : [line];
    });
  }

  #describe(event: Logged): string | undefined {
    switch (event.type) {
      case "lease.granted": {
        const fences = Object.fromEntries(event.units.map((unit, at) => [unit, event.fences[at] ?? 0]));
        for (const [unit, fence] of Object.entries(fences))
          this.#guard.granted({ family: event.family, fence, unit: read(unit) });
        return event.arrival === null ? `${this.#name(event.family)} is granted ${spell(fences)}` : undefined;
      }
      case "claim.ended":
        return event.arrival === null ? `${this.#name(event.family)}'s claim ends: ${event.how}` : undefined;
      case "family.ended":
        return `${this.#name(event.family)} is over (${event.why})`;
      default:
        return undefined;
    }
  }

  #name(family: string): string {
    const opened = this.#world.log.find((event) => event.type === "family.opened" && event.family === family);
    return opened?.type === "family.opened" ? opened.holder : family;
  }
}

function read(text: string): Unit {
  const unit = parseUnit(text, { foldCase: false, ownProcesses: new Set() }, "");
  if (!unit.ok) throw new Error(unit.refusal.why);
  return unit.value;
}

function spell(fences: Readonly<Record<string, number>>): string {
  return Object.entries(fences)
    .map(([unit, fence]) => `${unit} #${fence}`)
    .join(", ");
}

function msOf(text: string): number {
  const [, count = "0", unit = "s"] = /^(\d+)(ms|s|min)$/.exec(text) ?? [];
  return Number(count) * (unit === "ms" ? 1 : unit === "s" ? 1000 : 60_000);
}
