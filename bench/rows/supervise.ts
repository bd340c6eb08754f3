// Keeping processes running, against those whose trade it is: how soon a hundred run, how soon one that has died runs again,
// and what it costs while nothing happens. Ours are in a cage, journalled and durable; theirs are not. Whether a process runs
// is heard from itself, by everybody in the same way.

import { setTimeout as sleep } from "node:timers/promises";
import type { Comparison, Contender, Row, Work } from "../harness/contender.ts";
import type { Peers } from "../peers/peers.ts";
import { mortalCount, type Supervisor } from "../peers/supervisors/supervisor.ts";
import type { RowMaker, Scale } from "./row-maker.ts";

const [ours, pm2, supervisord, runit, spawned] = ["signalbox", "PM2", "supervisord", "runit", "a plain spawn"];
const programs = ["pm2", "supervisord", "runsvdir"] as const;
const idleCpu = "a thousandth of a core";

export const superviseRows: readonly RowMaker[] = [
  {
    name: "supervise-start-100",
    programs,
    make: (peers, scale) =>
      row(peers, scale, {
        name: "supervise-start-100",
        title: `${scale.processes} small processes, from the wish to the moment when all of them run`,
        ops: "processes",
        work: startAll(scale),
        comparisons: [
          { against: pm2, measure: "rate", aim: { atLeast: 1 } },
          { against: supervisord, measure: "rate" },
          { against: runit, measure: "rate" },
          { against: spawned, measure: "rate" },
          { against: pm2, measure: "cpu" },
        ],
      }),
  },
  {
    name: "supervise-restart",
    programs,
    make: (peers, scale) =>
      row(peers, scale, {
        name: "supervise-restart",
        title: `from a kill to the moment when it runs again, beside ${scale.processes} others`,
        ops: "restarts",
        work: killEach(scale),
        comparisons: [
          { against: pm2, measure: "p50", aim: { atMost: 1 } },
          { against: supervisord, measure: "p50", aim: { atMost: 1 } },
          { against: runit, measure: "p50" },
          { against: spawned, measure: "p50" },
        ],
      }),
  },
  {
    name: "supervise-idle",
    programs,
    make: (peers, scale) =>
      row(peers, scale, {
        name: "supervise-idle",
        title: `what supervises ${scale.processes} processes, while nothing happens: memory (proportional) and CPU`,
        ops: "looks",
        work: look(scale),
        more: [{ name: idleCpu, cpuMs: () => performance.now() / 1000, work: () => wait(scale) }],
        comparisons: [
          { against: pm2, measure: "memory", aim: { atMost: 1 } },
          { against: supervisord, measure: "memory" },
          { against: runit, measure: "memory" },
          { against: idleCpu, measure: "cpu", aim: { atMost: 1 } },
          { against: pm2, measure: "cpu" },
        ],
      }),
  },
];

type Doing = (supervisor: Supervisor) => Promise<Work>;

type Parts = Pick<Row, "name" | "title" | "ops" | "comparisons"> & {
  readonly work: Doing;
  readonly more?: readonly Contender[];
};

async function row(peers: Peers, { processes: count }: Scale, { work, more = [], ...parts }: Parts): Promise<Row> {
  const there: readonly (readonly [string | undefined, Supervisor | undefined])[] = [
    [ours, await peers.livingAgent(count)],
    [pm2, await peers.pm2(count)],
    [supervisord, await peers.supervisord(count)],
    [runit, await peers.runit(count)],
    [spawned, await peers.plainSpawn(count)],
  ];
  const [first, ...others] = there.flatMap(([name = "", supervisor]): Contender[] =>
    supervisor === undefined ? [] : [{ name, cpuMs: supervisor.cpuMs, work: () => work(supervisor) }],
  );
  if (first === undefined) throw new Error("there is no agent of ours");
  const names = new Set([...others, ...more].map(({ name }) => name));
  const isThere = ({ against }: Comparison): boolean => names.has(against);
  return {
    ...parts,
    ours: first,
    others: [...others, ...more],
    comparisons: parts.comparisons.filter(isThere),
    leftOut: peers.whyAbsent(...[pm2, supervisord, runit].flatMap((name) => name ?? [])),
    close: () => undefined,
  };
}

/** Starting counts, stopping does not. */
function startAll({ processes: count, livedMs }: Scale): Doing {
  return async (supervisor) => {
    await supervisor.halt();
    await sleep(livedMs);
    const wanted = supervisor.herald.heard + count;
    const startMs = performance.now();
    await Promise.all([supervisor.start(), supervisor.herald.until(wanted)]);
    return { ops: count, errors: supervisor.herald.heard - wanted, countedMs: performance.now() - startMs };
  };
}

/** One after the other, when each has lived for long enough. */
function killEach({ livedMs }: Scale): Doing {
  return async ({ herald, mortals }) => {
    await sleep(livedMs);
    const latenciesUs: number[] = [];
    for (const pid of mortals()) {
      const wanted = herald.heard + 1;
      const startMs = performance.now();
      process.kill(pid, "SIGKILL");
      await herald.until(wanted);
      latenciesUs.push(1000 * (performance.now() - startMs));
    }
    const countedMs = latenciesUs.reduce((sum, us) => sum + us / 1000, 0);
    return { ops: latenciesUs.length, errors: mortalCount - latenciesUs.length, latenciesUs, countedMs };
  };
}

function look(scale: Scale): Doing {
  return async ({ memoryBytes }) => ({ ...(await wait(scale)), memoryBytes: memoryBytes() });
}

async function wait({ idleMs }: Scale): Promise<Work> {
  await sleep(idleMs);
  return { ops: 1, errors: 0 };
}
