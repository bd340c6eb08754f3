import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { terminalsMax } from "./terminal-decide.ts";
import type { TerminalInput } from "./terminal-events.ts";

type Keyboard = Extract<TerminalInput, { type: "terminal.keyboard" }>;

const end = { exit: 0, why: "ended", bytes: 3, message: null } as const;

function opened(): {
  world: CoreWorld;
  run: string;
  terminal: string;
  pass: (who: string, act: Keyboard["act"]) => void;
} {
  const world = new CoreWorld();
  world.project();
  const run = world.started();
  const terminal = openIn(world, run);
  const pass = (who: string, act: Keyboard["act"]): void =>
    void world.ok({ type: "terminal.keyboard", terminal, act, viewer: `v-${who}`, name: who });
  return { world, run, terminal, pass };
}

function openIn(world: CoreWorld, run: string): string {
  const answer = world.ok({ type: "terminal.open", run, argv: [], cols: 80, rows: 24 });
  return answer.of === "id" ? answer.id : "";
}

const holderOf = (world: CoreWorld, terminal: string): string | null =>
  world.state.terminals.get(terminal)?.keyboard?.name ?? null;

describe("terminals", () => {
  test("[TM8] one is opened in the agent of a run that is at work, and its node sees to it", () => {
    const { world, run, terminal } = opened();
    expect(world.lastOf("terminal.opened")).toMatchObject([{ terminal, run, actor: "person:eva", cols: 80 }]);
    const act = { type: "terminal", id: `terminal:${terminal}`, terminal, node: world.run(run).node };
    expect(world.pending()).toContainEqual(act);
    world.ok({ type: "terminal.end", terminal, ...end }, "system");
    expect(world.pending().filter(({ type }) => type === "terminal")).toEqual([]);
    // Told twice, it has ended once.
    world.ok({ type: "terminal.end", terminal, ...end }, "system");
    expect(world.last).toEqual([]);
    const waiting = world.submit();
    world.ok({ type: "run.terminate", select: { by: "run", run: waiting }, because: "enough" });
    expect(world.no({ type: "terminal.open", run: waiting, argv: [], cols: 80, rows: 24 })).toMatchObject({
      code: "wrong-state",
    });
    expect(world.no({ type: "terminal.open", run: "r_none", argv: [], cols: 80, rows: 24 })).toMatchObject({
      code: "not-found",
    });
  });

  test("[TM8] a sub-run's is in the agent of its root", () => {
    const { world, run } = opened();
    const sub = world.submit({ parent: run, sub: true });
    openIn(world, sub);
    expect(world.lastOf("terminal.opened")).toMatchObject([{ run }]);
  });

  test("[TM8] there is a bound on how many are open", () => {
    const { world, run } = opened();
    for (let count = 1; count < terminalsMax; count++) openIn(world, run);
    expect(world.no({ type: "terminal.open", run, argv: [], cols: 80, rows: 24 })).toMatchObject({ code: "in-use" });
  });

  test("[TM7] [TM23] terminals end with everything of their run, and their recordings outlive it", () => {
    const { world, run, terminal } = opened();
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    world.ok({ type: "run.stopped", run, works: [] }, "system");
    expect(world.lastOf("terminal.ended")).toMatchObject([{ terminal, exit: "unknown", why: "stopped" }]);
    expect(world.state.terminals.has(terminal)).toBe(true);
    world.ok({ type: "run.remove", run });
    expect(world.state.terminals.get(terminal)).toMatchObject({ owner: { run }, removedAtMs: world.nowMs });
  });

  test("[TM9] the first who asks has the keyboard; others wait for it in turn, or take it", () => {
    const { world, terminal, pass } = opened();
    pass("ann", "ask");
    expect(holderOf(world, terminal)).toBe("ann");
    pass("bea", "ask");
    pass("cem", "ask");
    expect(world.lastOf("terminal.keyboard")).toMatchObject([{ how: "asked", name: "cem" }]);
    expect(holderOf(world, terminal)).toBe("ann");
    pass("ann", "give");
    expect(holderOf(world, terminal)).toBe("bea");
    pass("bea", "free");
    expect(world.lastOf("terminal.keyboard").map(({ how, name }) => `${name} ${how}`)).toEqual([
      "bea freed",
      "cem given",
    ]);
    pass("dee", "take");
    expect(holderOf(world, terminal)).toBe("dee");
    pass("dee", "free");
    expect(holderOf(world, terminal)).toBe(null);
  });

  test("[TM9] only the holder gives it away, and to whom they like", () => {
    const { world, terminal, pass } = opened();
    pass("ann", "ask");
    const give = { type: "terminal.keyboard", terminal, act: "give" } as const;
    expect(world.no({ ...give, viewer: "v-bea", name: "bea" })).toMatchObject({ code: "in-use", by: "ann" });
    world.ok({ ...give, viewer: "v-ann", name: "ann", to: { viewer: "v-cem", name: "cem" } });
    expect(holderOf(world, terminal)).toBe("cem");
    world.ok({ type: "terminal.end", terminal, ...end }, "system");
    expect(world.no({ ...give, viewer: "v-cem", name: "cem" })).toMatchObject({ code: "not-found" });
  });
});
