// What the log says, worked out a second time: slowly, with lists instead of indexes, and without a line of the core.
// Checkers look at this, so that a mistake of the core cannot hide behind its own helpers.

import type { Logged } from "../../src/core/events.ts";
import type { Policy } from "../../src/core/policy/policy.ts";
import type { Work } from "../../src/core/workspace/workspace-state.ts";
import { newWaiters } from "../checkers/reference-place.ts";
import { waitersFor, waitGraph, type Wanted } from "../checkers/reference.ts";
import type { ClaimHistory, ModelClaim, ModelFamily, ModelLease, ModelProject } from "./model-types.ts";
import { allows, conflict, unitFrom, type ModelUnit } from "./model-unit.ts";
import { evolveModelAgents, type ModelAgent } from "./agent-model.ts";
import { evolveModelRun, type ModelRun } from "./run-model.ts";

export class LogModel {
  seq = 0;
  atMs = 0;
  fenceMax = 0;
  readonly projects = new Map<string, ModelProject>();
  readonly families = new Map<string, ModelFamily>();
  readonly claims = new Map<string, ClaimHistory>();
  readonly policies = new Map<string, Policy>();
  readonly runs = new Map<string, ModelRun>();
  readonly agents = new Map<string, ModelAgent>();
  readonly acceptances = new Map<string, readonly string[] | null>();
  /** What was set aside, by id, and what somebody has given up since. */
  readonly trash = new Map<string, Work>();
  readonly purged: Work[] = [];

  evolve(event: Logged): void {
    this.seq = event.seq;
    this.atMs = event.atMs;
    this.#evolveTable(event);
    evolveModelRun(this, event);
    evolveModelAgents(this.agents, event);
    this.#settleContests();
  }

  unit(family: string, text: string): ModelUnit {
    const project = this.projectOf(family);
    return unitFrom(text, project, family);
  }

  projectOf(family: string): ModelProject {
    const id = this.families.get(family)?.project ?? "";
    const project = this.projects.get(id);
    if (project === undefined) throw new Error(`the log speaks of family ${family} before it was opened`);
    return project;
  }

  family(id: string): ModelFamily {
    const family = this.families.get(id);
    if (family === undefined) throw new Error(`the log speaks of family ${id} before it was opened`);
    return family;
  }

  /** The paths that a family has changed, as units. */
  changedBy(family: string): ModelUnit[] {
    const run = this.runs.get(this.family(family).holder);
    return run?.family === family ? [...run.dirty.keys()].map((path) => this.unit(family, `file:${path}`)) : [];
  }

  /** Whether a ready lease of the family covers a path. */
  holds(family: string, path: string): boolean {
    const unit = this.unit(family, `file:${path}`);
    return this.leasesOf(family).some((lease) => lease.ready && !lease.quarantined && allows(lease.unit, unit));
  }

  leasesOf(family: string): ModelLease[] {
    return this.projectOf(family).leases.filter((lease) => lease.family === family);
  }

  queuedOf(family: string): ModelClaim[] {
    return this.projectOf(family).queue.filter((claim) => claim.family === family);
  }

  #evolveTable(event: Logged): void {
    switch (event.type) {
      case "engine.opened":
        for (const family of this.families.values()) {
          if (family.life === "live") family.expiresAtMs = event.atMs + family.ttlMs;
        }
        return;
      case "project.added":
      case "project.changed": {
        const own = new Set(Object.keys(event.processes).filter((name) => event.processes[name]?.scope === "agent"));
        const known = this.projects.get(event.project);
        if (known === undefined) {
          if (event.type !== "project.added") throw new Error(`project ${event.project} changed before it was added`);
          const { project: id, foldCase, commit } = event;
          const history = { start: commit, mainline: commit, landingBranch: null };
          this.projects.set(id, { id, foldCase, own, removed: false, leases: [], queue: [], ...history });
        } else {
          known.foldCase = event.foldCase;
          known.own = own;
          if (event.type === "project.changed" && event.landingBranch !== undefined)
            known.landingBranch = event.landingBranch;
        }
        return;
      }
      case "project.removed": {
        const project = this.projects.get(event.project);
        if (project !== undefined) project.removed = true;
        return;
      }
      case "policy.set":
        this.policies.set(event.policy.name, event.policy);
        return;
      case "policy.removed":
        this.policies.delete(event.name);
        return;
      case "family.opened": {
        const { family: id, project, holder, kind, ttlMs, expiresAtMs, patienceMs } = event;
        const life = kind === "run" ? "new" : "live";
        const contestedSinceMs = null;
        this.families.set(id, {
          id,
          project,
          holder,
          kind,
          life,
          ttlMs,
          expiresAtMs,
          patienceMs,
          contestedSinceMs,
          awaits: new Set(),
        });
        return;
      }
      case "family.moved": {
        const family = this.family(event.family);
        family.life = event.to;
        family.patienceMs = event.patienceMs;
        family.expiresAtMs = event.expiresAtMs;
        family.contestedSinceMs = null;
        return;
      }
      case "family.ended": {
        const family = this.family(event.family);
        family.life = "over";
        for (const text of event.freed) this.#dropLease(event.family, text);
        for (const text of event.quarantined) {
          const key = this.unit(event.family, text).id;
          for (const lease of this.leasesOf(event.family)) if (lease.unit.id === key) lease.quarantined = true;
        }
        family.awaits.clear();
        for (const other of this.families.values()) other.awaits.delete(event.family);
        return;
      }
      case "family.awaited":
        this.family(event.family).awaits.add(event.other);
        return;
      case "family.await-ended":
        this.family(event.family).awaits.delete(event.other);
        return;
      case "claim.queued":
        return this.#queue(event);
      case "claim.ended":
        if (event.arrival === null) this.#leaveQueue(event.family, event.claim);
        this.#note(event.claim, event.family, event.how, event.seq);
        return;
      case "lease.granted":
        return this.#grant(event);
      case "lease.ready":
        for (const lease of this.leasesOf(event.family)) if (lease.claim === event.claim) lease.ready = true;
        return;
      case "lease.renewed":
        for (const id of event.families) {
          const family = this.family(id);
          if (event.ttlMs !== null) family.ttlMs = event.ttlMs;
          family.expiresAtMs = event.atMs + family.ttlMs;
        }
        return;
      case "lease.released":
      case "lease.yielded":
        for (const text of event.units) this.#dropLease(event.family, text);
        return;
      case "mainline.moved":
      case "run.landed": {
        const project = this.projects.get(event.project);
        if (event.type === "run.landed" && event.branch !== undefined) return;
        if (project !== undefined) project.mainline = event.type === "run.landed" ? event.commit : event.to;
        return;
      }
      case "trash.purged":
        for (const id of event.ids) {
          const item = this.trash.get(id);
          if (item !== undefined) this.purged.push(item);
          this.trash.delete(id);
        }
        return;
      case "lease.shrunk": {
        const project = this.projectOf(event.family);
        for (const text of event.gone) this.#dropLease(event.family, text);
        event.kept.forEach((text, at) => {
          const unit = this.unit(event.family, text);
          if (this.leasesOf(event.family).some((lease) => lease.unit.id === unit.id)) return;
          const fence = event.fences[at] ?? 0;
          project.leases.push({ unit, family: event.family, fence, claim: "", ready: true, quarantined: false });
        });
        return;
      }
      case "unit.cleared":
        this.#dropLease(event.family, event.unit);
        return;
      default:
        return;
    }
  }

  #queue(event: Logged & { type: "claim.queued" }): void {
    const project = this.projectOf(event.family);
    const { claim: id, family, priority, key, deadlineAtMs, slot } = event;
    const units = event.units.map((text) => this.unit(family, text));
    const claim: ModelClaim = {
      id,
      family,
      project: project.id,
      units,
      priority,
      key,
      deadlineAtMs,
      slot,
      passes: 0,
      queuedSeq: event.seq,
    };
    if (event.passed > 0) this.#countPasses(claim, event.after);
    if (event.moved > 0) {
      const waiters = waitersFor(waitGraph(this), family);
      const behind = project.queue.filter((other) => waiters.has(other.family));
      project.queue = [...project.queue.filter((other) => !waiters.has(other.family)), ...behind];
    }
    const at = event.after === null ? 0 : project.queue.findIndex((other) => other.id === event.after) + 1;
    project.queue.splice(at, 0, claim);
    this.#note(id, family, "queued", event.seq);
  }

  #grant(event: Logged & { type: "lease.granted" }): void {
    const project = this.projectOf(event.family);
    const family = this.family(event.family);
    if (event.arrival === null) this.#leaveQueue(event.family, event.claim);
    else if (event.arrival.passed > 0) {
      const units = event.units.map((text) => this.unit(event.family, text));
      this.#countPasses({ id: event.claim, family: event.family, units }, null);
    }
    event.units.forEach((text, at) => {
      const unit = this.unit(event.family, text);
      const before = project.leases.find((lease) => lease.family === event.family && lease.unit.id === unit.id);
      // What the same run left behind when it was lost goes over to it.
      project.leases = project.leases.filter(
        (lease) => lease !== before && !(lease.quarantined && lease.unit.id === unit.id),
      );
      const fence = event.fences[at] ?? 0;
      const ready = event.ready || unit.kind === "process" || before?.ready === true;
      project.leases.push({ unit, family: event.family, fence, claim: event.claim, ready, quarantined: false });
      this.fenceMax = Math.max(this.fenceMax, fence);
    });
    if (family.life === "new") family.life = "live";
    family.expiresAtMs = event.expiresAtMs;
    this.#note(event.claim, event.family, "granted", event.seq);
  }

  /** The log says how many were passed; who they are follows from where the claim was put (LS15). */
  #countPasses(wanted: Wanted, after: string | null): void {
    const project = this.projectOf(wanted.family);
    const graph = waitGraph(this);
    const waiters = waitersFor(graph, wanted.family);
    const rest = project.queue.filter((claim) => !waiters.has(claim.family));
    const behind = rest.slice(rest.findIndex((claim) => claim.id === after) + 1);
    for (const claim of newWaiters(this, project, graph, waiters, wanted, behind)) claim.passes++;
  }

  #leaveQueue(family: string, claim: string): void {
    const project = this.projectOf(family);
    project.queue = project.queue.filter((queued) => queued.id !== claim);
  }

  #dropLease(family: string, text: string): void {
    const project = this.projectOf(family);
    const { id } = this.unit(family, text);
    project.leases = project.leases.filter((lease) => lease.family !== family || lease.unit.id !== id);
  }

  #note(claim: string, family: string, state: string, seq: number): void {
    const known = this.claims.get(claim);
    if (known === undefined) this.claims.set(claim, { family, states: [{ seq, state }] });
    else known.states.push({ seq, state });
  }

  /** Patience runs while somebody waits for a path of the hold, and starts anew when nobody does. */
  #settleContests(): void {
    for (const family of this.families.values()) {
      if (family.life !== "hold" && family.life !== "paused") {
        family.contestedSinceMs = null;
        continue;
      }
      const { leases, queue } = this.projectOf(family.id);
      const contested = leases.some(
        (lease) =>
          lease.family === family.id &&
          lease.unit.kind !== "process" &&
          queue.some((claim) => claim.family !== family.id && claim.units.some((unit) => conflict(unit, lease.unit))),
      );
      if (!contested) family.contestedSinceMs = null;
      else family.contestedSinceMs ??= this.atMs;
    }
  }
}
