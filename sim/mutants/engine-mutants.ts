// Planted in the loop: what happens before and after an append, at a restart, and to time.

import type { Mutant } from "./mutant.ts";

const engine = "src/engine/engine.ts";
const time = "src/engine/engine-time.ts";

export const engineMutants: readonly Mutant[] = [
  {
    name: "answers leave before anything is durable",
    file: engine,
    find: "decided.push({ reply: waiting.reply, outcome: decision.result });",
    replace:
      "waiting.reply(decision.result);\n      decided.push({ reply: () => undefined, outcome: decision.result });",
  },
  {
    name: "events are published before they are durable",
    file: engine,
    find: '    this.#phase = "appending";\n',
    replace: '    this.#phase = "appending";\n    this.#tell(events);\n',
  },
  {
    name: "acts happen before their events are durable",
    file: engine,
    find: '    this.#phase = "appending";\n',
    replace:
      '    this.#phase = "appending";\n    for (const event of events) for (const act of actsOf(this.#state, event)) this.#ports.nodes.perform(act);\n',
  },
  {
    name: "nodes hear after those who asked",
    file: engine,
    find: "    if (events.length > 0) this.#tell(events);\n    for (const { reply, outcome } of decided) reply(outcome);\n",
    replace:
      "    for (const { reply, outcome } of decided) reply(outcome);\n    if (events.length > 0) this.#tell(events);\n",
  },
  {
    name: "what was still to be done is forgotten at a restart",
    file: engine,
    find: "for (const act of actsPending(engine.#state)) ports.nodes.perform(act);",
    replace: "",
  },
  {
    name: "what was still to be done is forgotten after a fault",
    file: engine,
    find: "for (const act of actsPending(this.#state)) this.#ports.nodes.perform(act);",
    replace: "",
  },
  {
    name: "the state is kept after a fault of the store",
    file: engine,
    find: "      this.#state = state;\n      this.#snapshotSeq = snapshotSeq;\n",
    replace: "      this.#snapshotSeq = snapshotSeq;\n",
  },
  {
    name: "nobody hears of events whose append seemed to fail",
    file: engine,
    find: "      await this.#tellMissed();\n",
    replace: "",
  },
  {
    name: "the first input after a fault is lost",
    file: engine,
    find: "for (const { reply } of decided) reply(sorry);",
    replace: "for (const { reply } of decided.slice(1)) reply(sorry);",
  },
  {
    name: "an input in the middle of a batch is lost",
    file: engine,
    find: "      const waiting = this.#inbox.shift();\n      if (waiting === undefined) break;\n",
    replace:
      "      const waiting = this.#inbox.shift();\n      if (waiting === undefined) break;\n      if (taken === 1 && this.#inbox.size > 0) continue;\n",
  },
  {
    name: "a batch is written back to front",
    file: engine,
    find: "for (const event of decision.events) events.push(event);",
    replace: "events.unshift(...decision.events);",
  },
  {
    name: "what waits is not looked at until somebody comes",
    file: engine,
    find: "if (this.#inbox.size > 0) this.#pumpSoon();",
    replace: "",
  },
  {
    name: "nothing wakes the engine when something falls due",
    file: engine,
    find: 'if (dueMs === undefined || this.#phase === "closed") return;',
    replace: 'if (dueMs === undefined || dueMs > 0 || this.#phase === "closed") return;',
  },
  {
    name: "a damaged log is read again and again",
    file: engine,
    find: 'if (!(error instanceof Fault) || error.retry === "never") return this.#halt(error);',
    replace: "",
  },
  {
    name: "time runs on while the engine is down",
    file: time,
    find: "lastLoggedMs === 0 ? clock.wallMs() : lastLoggedMs + 1",
    replace: "Math.max(clock.wallMs(), lastLoggedMs)",
  },
  {
    name: "time follows the wall clock",
    file: time,
    find: "monotonicMs()",
    replace: "wallMs()",
    all: true,
  },
  {
    name: "leases get no full period after a restart",
    file: "src/core/evolve.ts",
    find: "    family.expiresAtMs = state.atMs + family.ttlMs;\n",
    replace: "",
  },
  {
    name: "a fold skips what it cannot place",
    file: "src/engine/fold-log.ts",
    find: "    evolve(state, event);\n",
    replace: '    if (event.type === "lease.renewed") state.seq = event.seq;\n    else evolve(state, event);\n',
  },
  {
    name: "a damaged record ends the log",
    file: "src/engine/fold-log.ts",
    find: "    const page = await store.read(state.seq, pageSize);\n",
    replace: "    const page = await store.read(state.seq, pageSize).catch(() => []);\n",
  },
  {
    name: "consequences have no cause",
    file: "src/core/react.ts",
    find: '      step.cause = event.seq;\n      step.actor = "system";\n',
    replace: "      step.cause = event.seq;\n",
  },
];
