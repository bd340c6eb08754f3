// What kind of world a seed makes: how much is going on in it, and how much it is hurt. Many worlds have few kinds of
// faults, so that one kind cannot hide what another would have shown.

import type { Prng } from "../../src/base/prng.ts";

export type WorldOptions = {
  readonly seed: number;
  readonly steps: number;
  readonly nodes: number;
  readonly projects: number;
  readonly agents: number;
  readonly clients: number;
  readonly crashes: number;
  readonly batchMax: number;
  readonly inboxMax: number;
  readonly snapshotEvery: number;
  readonly lossChance: number;
  readonly doubleChance: number;
  readonly lateMsMax: number;
  readonly appendMsMax: number;
  readonly refuseChance: number;
  readonly ackLostChance: number;
  readonly readFailChance: number;
  readonly fullDisks: number;
  readonly slowDisks: number;
  readonly damages: number;
  readonly clockJumps: number;
  readonly timerLateMsMax: number;
  readonly nodePauses: number;
  readonly nodeCrashes: number;
  /** Stretches in which all nodes are down and nobody is about, long enough for any patience. */
  readonly nights: number;
  /** Mean time between two doings of one actor. */
  readonly paceMs: number;
  readonly fewUnits: boolean;
  /** Places that act know of grants and of families that are over, and of nothing else. */
  readonly farPlaces: boolean;
  /** A policy asks for approval from the start, so that many runs end as holds. */
  readonly reviewed: boolean;
  /** Somebody commits past the daemon. */
  readonly worksByHand: boolean;
  /** Whether people go back to earlier steps. */
  readonly stepsBack: boolean;
  /** How many living agents there may be at once. */
  readonly livingAgents: number;
  /** How often something goes wrong between two steps of a landing. */
  readonly troubleChance: number;
};

export const defaultSteps = 1600;

export function makeOptions(seed: number, prng: Prng, steps = defaultSteps): WorldOptions {
  const calm = prng.chance(0.1);
  const some = (chance: number): boolean => !calm && prng.chance(chance);
  return {
    seed,
    steps,
    nodes: prng.between(1, 3),
    projects: prng.between(1, 2),
    agents: prng.between(3, 9),
    clients: prng.between(1, 4),
    crashes: some(0.7) ? prng.between(1, 7) : 0,
    batchMax: prng.pick([1, 1, 2, 8, 64]),
    inboxMax: prng.pick([3, 12, 1000, 1000]),
    snapshotEvery: prng.pick([15, 60, 200, 1_000_000]),
    lossChance: some(0.5) ? prng.pick([0.02, 0.1, 0.25]) : 0,
    doubleChance: some(0.5) ? prng.pick([0.05, 0.2]) : 0,
    lateMsMax: some(0.5) ? prng.pick([500, 5000, 60_000]) : 0,
    appendMsMax: prng.pick([1, 5, 40, 400]),
    refuseChance: some(0.3) ? prng.pick([0.01, 0.05]) : 0,
    ackLostChance: some(0.3) ? prng.pick([0.01, 0.05]) : 0,
    readFailChance: some(0.2) ? 0.2 : 0,
    fullDisks: some(0.25) ? prng.between(1, 2) : 0,
    slowDisks: some(0.25) ? prng.between(1, 2) : 0,
    damages: some(0.25) ? prng.between(1, 2) : 0,
    clockJumps: some(0.5) ? prng.between(1, 6) : 0,
    timerLateMsMax: some(0.4) ? prng.pick([50, 800, 4000]) : 0,
    nodePauses: some(0.6) ? prng.between(1, 6) : 0,
    nodeCrashes: some(0.4) ? prng.between(1, 3) : 0,
    nights: some(0.3) ? prng.between(1, 2) : 0,
    paceMs: prng.pick([700, 1500, 4000]),
    fewUnits: prng.chance(0.5),
    farPlaces: prng.chance(0.4),
    reviewed: prng.chance(0.4),
    worksByHand: some(0.7),
    troubleChance: some(0.7) ? prng.pick([0.2, 0.6]) : 0,
    stepsBack: some(0.7),
    livingAgents: prng.chance(0.35) ? prng.between(1, 3) : 0,
  };
}

/** The world in a sentence. */
export function describeOptions(options: WorldOptions): string {
  const parts = [count(options.agents, "agent"), count(options.nodes, "node"), count(options.clients, "client")];
  const hurts: readonly (readonly [number, string])[] = [
    [options.crashes, count(options.crashes, "daemon crash", "daemon crashes")],
    [options.nodePauses, count(options.nodePauses, "paused node")],
    [options.nodeCrashes, count(options.nodeCrashes, "node crash", "node crashes")],
    [options.nights, count(options.nights, "long night")],
    [options.clockJumps, count(options.clockJumps, "clock jump")],
    [options.timerLateMsMax, `timers up to ${options.timerLateMsMax} ms late`],
    [options.lossChance, `${Math.round(options.lossChance * 100)}% of messages lost`],
    [options.doubleChance, `${Math.round(options.doubleChance * 100)}% doubled`],
    [options.lateMsMax, `messages up to ${options.lateMsMax} ms late`],
    [options.refuseChance + options.ackLostChance, "a failing disk"],
    [options.fullDisks, count(options.fullDisks, "full disk")],
    [options.slowDisks, count(options.slowDisks, "slow disk")],
    [options.damages, count(options.damages, "damaged record")],
    [options.troubleChance, "landings interrupted"],
  ];
  for (const [amount, text] of hurts) if (amount > 0) parts.push(text);
  return `seed ${options.seed}: ${parts.join(", ")}`;
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
