// Terminals, against tmux, which keeps a screen as ours does, against ttyd, which leads one to a WebSocket and keeps nothing, and
// against a bare terminal: how fast a program gets rid of what it has to say, and how soon a key is seen.

import type { Comparison, Contender, Row, Work } from "../harness/contender.ts";
import type { Peers } from "../peers/peers.ts";
import { sitAtOurs } from "../peers/terminals/kept-terminal.ts";
import { sitAtPlainPty } from "../peers/terminals/plain-pty.ts";
import { echoing, flooding, type Seat } from "../peers/terminals/seat.ts";
import type { RowMaker } from "./row-maker.ts";

const [tmux, ttyd, bare] = ["tmux, attached", "ttyd", "a bare terminal"];

export const terminalRows: readonly RowMaker[] = [
  {
    name: "terminal-throughput",
    programs: ["tmux", "ttyd"],
    make: (peers, { terminalBytes: bytes }) =>
      row(peers, flooding(bytes), {
        name: "terminal-throughput",
        title: `${bytes / 1e6} MB of short lines, until their end is seen, recorded and drawn`,
        ops: "MB",
        work: flood(bytes),
        comparisons: [
          { against: tmux, measure: "rate", aim: { atLeast: 1.3 } },
          { against: ttyd, measure: "rate", aim: { atLeast: 1 } },
          { against: bare, measure: "rate" },
          { against: tmux, measure: "cpu" },
          { against: ttyd, measure: "cpu" },
        ],
      }),
  },
  {
    name: "terminal-echo",
    programs: ["tmux", "ttyd"],
    make: (peers) =>
      row(peers, echoing, {
        name: "terminal-echo",
        title: "from a key to the moment when it is seen",
        ops: "keys",
        work: press,
        comparisons: [
          { against: tmux, measure: "p50" },
          { against: ttyd, measure: "p50", aim: { atMost: 1.2 } },
          { against: bare, measure: "p50" },
          { against: tmux, measure: "cpu" },
          { against: ttyd, measure: "cpu" },
        ],
      }),
  },
];

type Doing = (seat: Seat, sliceMs: number) => Promise<Work>;
type Parts = Pick<Row, "name" | "title" | "ops" | "comparisons"> & { readonly work: Doing };

async function row(peers: Peers, argv: readonly string[], { work, ...parts }: Parts): Promise<Row> {
  const seats = new Map<string, Seat | undefined>([
    ["signalbox", await sitAtOurs(await peers.daemon(), argv)],
    [tmux, await peers.tmux(argv)],
    [ttyd, await peers.ttyd(argv)],
    [bare, await sitAtPlainPty(argv, { cwd: peers.folder })],
  ]);
  const contenders = [...seats].flatMap(([name, seat]): Contender[] =>
    seat === undefined ? [] : [{ name, cpuMs: seat.cpuMs, work: (sliceMs) => work(seat, sliceMs) }],
  );
  const [ours, ...others] = contenders;
  if (ours === undefined) throw new Error("there is no terminal of ours");
  const isThere = ({ against }: Comparison): boolean => others.some(({ name }) => name === against);
  return {
    ...{ ...parts, ours, others },
    comparisons: parts.comparisons.filter(isThere),
    leftOut: peers.whyAbsent("tmux", "ttyd"),
    close: async () => {
      await Promise.all([...seats.values()].map(async (seat) => seat?.stop()));
    },
  };
}

let words = 0;

function flood(bytes: number): Doing {
  return async (seat) => {
    const word = `over-${++words}`;
    const startMs = performance.now();
    const seen = seat.sees(`<${word}>`);
    seat.type(`${word}\r`);
    await seen;
    return { ops: bytes / 1e6, errors: 0, countedMs: performance.now() - startMs };
  };
}

const keys = "abcdefghijklmnopqrstuvwxyz";

const press: Doing = async (seat, sliceMs) => {
  const latenciesUs: number[] = [];
  const untilMs = performance.now() + sliceMs;
  do {
    const key = keys[latenciesUs.length % keys.length] ?? "a";
    const startMs = performance.now();
    const seen = seat.sees(key);
    seat.type(key);
    await seen;
    latenciesUs.push(1000 * (performance.now() - startMs));
  } while (performance.now() < untilMs);
  return { ops: latenciesUs.length, errors: 0, latenciesUs };
};
