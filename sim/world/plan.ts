// When the world is hurt. Everything is laid out at the start, spread over the time that the hurting lasts.

import type { Prng } from "../../src/base/prng.ts";
import type { Daemon } from "./daemon.ts";
import type { Faults } from "./faults.ts";
import { crashPoints } from "./life.ts";
import type { WorldOptions } from "./options.ts";
import type { Scheduler } from "./scheduler.ts";
import type { WallClock } from "./sim-clock.ts";
import type { SimDisk } from "./sim-disk.ts";
import type { SimNode } from "./sim-node.ts";

export type PlanWorld = {
  readonly options: WorldOptions;
  readonly prng: Prng;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly disk: SimDisk;
  readonly wall: WallClock;
  readonly nodes: readonly SimNode[];
  readonly daemon: Daemon;
  readonly sometimes: (name: string) => void;
  /** Everybody goes home, or comes back. */
  readonly sleep: (asleep: boolean) => void;
};

const nightMs = 45 * 60_000;

const yearMs = 31_556_952_000;

export function planFaults(world: PlanWorld): void {
  const { options, prng, scheduler, faults, disk, wall, nodes, daemon } = world;
  const spanMs = options.steps * options.paceMs * 0.06;
  const plan = (count: number, hurt: () => void): void => {
    for (let left = count; left > 0; left--) {
      scheduler.after(prng.below(spanMs), () => {
        if (!faults.on) return;
        faults.count++;
        hurt();
      });
    }
  };
  plan(options.crashes, () => daemon.arm(prng.pick(crashPoints)));
  plan(options.clockJumps, () => (wall.offsetMs += prng.between(-10, 10) * yearMs + prng.between(-800, 800)));
  plan(options.fullDisks, () => {
    disk.isFull = true;
    scheduler.after(prng.between(100, 20_000), () => (disk.isFull = false));
  });
  plan(options.slowDisks, () => {
    disk.slowMs = prng.between(100, 4000);
    scheduler.after(prng.between(100, 30_000), () => (disk.slowMs = 0));
  });
  plan(options.damages, () => hurtDisk(world));
  plan(options.nodePauses, () => {
    const node = prng.pick(nodes);
    // Some sleep for three times the life of a lease, best of all with an act on its way.
    const lastsMs = prng.pick([2000, 20_000, 95_000, 95_000]);
    const freeze = (tries: number): void => {
      if (!faults.on) return;
      if (tries > 0 && lastsMs > 30_000 && !node.isAboutToAct)
        return void scheduler.after(400, () => freeze(tries - 1));
      node.freeze();
      scheduler.after(lastsMs, () => node.thaw());
    };
    freeze(100);
  });
  plan(options.nights, () => {
    for (const node of nodes) node.crash();
    world.sleep(true);
    scheduler.after(nightMs, () => {
      for (const node of nodes) node.boot();
      world.sleep(false);
    });
  });
  plan(options.nodeCrashes, () => {
    const node = prng.pick(nodes);
    node.crash();
    scheduler.after(prng.pick([1000, 15_000, 70_000]), () => node.boot());
  });
}

/** Damage shows when it is read, so the daemon is made to read. */
function hurtDisk({ prng, disk, daemon, sometimes }: PlanWorld): void {
  const roll = prng.unit();
  if (roll < 0.25) disk.loseSnapshot();
  else if (roll < 0.5) disk.damageSnapshot(prng.u32());
  else if (disk.lastSeq > 0) {
    const seq = prng.chance(0.5) ? disk.lastSeq : prng.between(1, disk.lastSeq);
    const how = prng.below(3);
    if (how === 0) disk.flip(seq, prng.u32());
    else if (how === 1) disk.tear(seq);
    else disk.lose(seq);
    sometimes("record damaged");
  }
  if (prng.chance(0.4)) disk.refusesNext = true;
  else daemon.arm("anywhere");
}
