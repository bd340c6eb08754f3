// I24, I17: nodes and listeners hear durable events only, in order, without a gap and none twice.

import type { Logged } from "../../src/core/events.ts";
import type { Checker, Watch } from "../world/watch.ts";

export function readersSeeAPrefix(textOf: (seq: number) => string | undefined): Checker {
  const heard = { nodes: 0, listeners: 0 };
  const hear = (event: Logged, to: "nodes" | "listeners", { model, report }: Watch): void => {
    if (event.seq > model.seq) report("I17", `${to} heard of event ${event.seq}, and the log ends at ${model.seq}`);
    if (heard[to] !== 0 && event.seq !== heard[to] + 1)
      report("I24", `${to} heard event ${event.seq} after ${heard[to]}`);
    const text = textOf(event.seq);
    if (to === "nodes" && text !== undefined && text !== JSON.stringify(event))
      report("I24", `${to} heard event ${event.seq} otherwise than it was written`);
    heard[to] = event.seq;
  };
  return {
    name: "I24 readers see a prefix",
    born: () => {
      heard.nodes = 0;
      heard.listeners = 0;
    },
    primed: (state, { model, report }) => {
      if (state.seq !== model.seq)
        report("I24", `nodes were told of event ${state.seq}, and the log ends at ${model.seq}`);
      heard.nodes = state.seq;
    },
    opened: (_, { model }) => {
      heard.listeners = model.seq;
    },
    hear: (events, to, watch) => {
      for (const event of events) hear(event, to, watch);
    },
    reply: ({ outcome }, { model, report }) => {
      // Nodes hear before anyone is answered (LS29).
      if (outcome.ok && heard.nodes !== 0 && heard.nodes < model.seq)
        report("LS29", `an answer left while nodes know only of event ${heard.nodes} of ${model.seq}`);
    },
  };
}
