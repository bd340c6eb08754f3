// What every machine promises that has services on it, whoever executes it: what it is asked comes back as what the log is told.

import { describe, expect, test } from "vitest";
import type { AgentAct } from "../../src/core/acts.ts";
import type { Input } from "../../src/core/inputs.ts";
import type { AgentWorld } from "../support/agent-world.ts";

/** A machine with one agent, `agent`, which has one service, `web`. */
export type ServiceMachine = {
  /** The log that it reads and is heard by. */
  readonly world: AgentWorld;
  readonly agent: string;
  /** What it has told of the service, in order. */
  readonly told: readonly ToldOfService[];
  /** Has it do something, and waits until that is done. */
  readonly do: (act: AgentAct) => Promise<void>;
  /** How many processes were ever started for the service, and how many there are. */
  readonly count: () => Promise<{ readonly started: number; readonly running: number }>;
  /** Has the process end by itself, as it does when something is wrong with it. */
  readonly crash: () => Promise<void>;
  /** Everything on it dies, and it comes back. */
  readonly lose: () => Promise<void>;
  /** What it tells from now on is lost, as the daemon dies over it. Resolves when something was. */
  readonly deafen: () => Promise<void>;
  /** Another daemon comes, in place of one that dies now or is dead. */
  readonly nextDaemon: () => void;
  readonly end: () => Promise<void>;
};

export type ToldOfService = Extract<Input, { type: "service.began" | "service.ended" }>;

export function describeServices(title: string, make: () => Promise<ServiceMachine>): void {
  describe(`services on ${title}`, () => {
    const on = async (what: (machine: ServiceMachine) => Promise<void>): Promise<void> => {
      const machine = await make();
      try {
        await what(machine);
      } finally {
        await machine.end();
      }
    };

    test("[SV7] a life is begun once, however often and by whomever it is asked for", () =>
      on(async (machine) => {
        const act = pending(machine, "serve");
        await machine.do(act);
        await machine.do(act);
        machine.nextDaemon();
        await machine.do(act);
        expect(new Set(machine.told.map(({ type, life }) => `${type} ${life}`))).toEqual(new Set(["service.began 1"]));
        expect(await machine.count()).toEqual({ started: 1, running: 1 });
      }));

    test("one that is asked to go is told as stopped, with the signal's exit code, and nothing of it is left", () =>
      on(async (machine) => {
        await machine.do(pending(machine, "serve"));
        machine.world.ok({ type: "service.stop", agent: machine.agent, service: "web" });
        await machine.do(pending(machine, "leave"));
        expect(await ended(machine)).toMatchObject({ life: 1, end: { exit: 143, why: "stopped" } });
        expect(await machine.count()).toEqual({ started: 1, running: 0 });
      }));

    test("one that was never begun and is asked to go is told as not started", () =>
      on(async (machine) => {
        const act = pending(machine, "serve");
        machine.world.ok({ type: "service.began", agent: machine.agent, service: "web", life: 1 }, "system");
        machine.world.ok({ type: "service.stop", agent: machine.agent, service: "web" });
        await machine.do(pending(machine, "leave"));
        expect(await ended(machine)).toMatchObject({ life: 1, end: { exit: "unknown", why: "not-started" } });
        // What asked for it comes late.
        await machine.do(act);
        expect(await machine.count()).toEqual({ started: 0, running: 0 });
      }));

    test("[EN27] one that ends by itself is told with its code and its last words, and the next life is another process", () =>
      on(async (machine) => {
        const first = pending(machine, "serve");
        await machine.do(first);
        await machine.crash();
        expect(await ended(machine)).toMatchObject({
          ...{ agent: machine.agent, service: "web", life: 1 },
          end: { exit: 1, why: "ended", said: expect.stringContaining("no") as string },
        });
        expect(await machine.count()).toEqual({ started: 1, running: 0 });
        // It is over: whoever asks for that life again gets nothing started.
        await machine.do(first);
        expect(await machine.count()).toEqual({ started: 1, running: 0 });
        machine.world.pass(
          (machine.world.agent(machine.agent).services.get("web")?.dueAtMs ?? 0) - machine.world.nowMs,
        );
        await machine.do(pending(machine, "serve"));
        expect(machine.told.at(-1)).toMatchObject({ type: "service.began", life: 2 });
        expect(await machine.count()).toEqual({ started: 2, running: 1 });
      }));

    test("[EN25] an end that nobody heard is told again to whoever asks for that life, which is not begun a second time", () =>
      on(async (machine) => {
        const act = pending(machine, "serve");
        await machine.do(act);
        const told = machine.deafen();
        await machine.crash();
        await told;
        machine.nextDaemon();
        await machine.do(act);
        expect(await ended(machine)).toMatchObject({ life: 1, end: { exit: 1, why: "ended" } });
        expect(await machine.count()).toEqual({ started: 1, running: 0 });
      }));

    test("[EN27] how one ended that was lost with its machine is unknown", () =>
      on(async (machine) => {
        await machine.do(pending(machine, "serve"));
        await machine.lose();
        expect(await ended(machine)).toMatchObject({ life: 1, end: { exit: "unknown", why: "lost" } });
        expect(await machine.count()).toMatchObject({ running: 0 });
      }));
  });
}

function pending({ world }: ServiceMachine, type: "serve" | "leave"): AgentAct {
  const found = world.pending().find((act) => act.type === type);
  if (found === undefined || !("agent" in found)) throw new Error(`nothing asks to ${type}`);
  return found;
}

/** The only end that it has told. */
async function ended({ told }: ServiceMachine): Promise<ToldOfService | undefined> {
  const all = (): readonly ToldOfService[] => told.filter(({ type }) => type === "service.ended");
  await expect.poll(() => all().length).toBe(1);
  return all()[0];
}
