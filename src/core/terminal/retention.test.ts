import { describe, expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { recordingsToForget } from "./retention.ts";

const dayMs = 86_400_000;
const mega = 1024 * 1024;
const end = { exit: 0, why: "ended", bytes: 7, message: null } as const;

/** An agent with three terminals that were ended a day apart, and one that is open. */
function made(): { world: AgentWorld; ids: string[]; toForget: (bytes: number) => string[] } {
  const world = new AgentWorld();
  const agent = world.running([lone]);
  const ids = [3, 2, 1, 0].map((days) => {
    const answer = world.ok({ type: "terminal.open", agent, argv: ["top"], cols: 80, rows: 24 });
    const terminal = answer.of === "id" ? answer.id : "";
    if (days > 0) {
      world.ok({ type: "terminal.end", terminal, ...end }, "system");
      world.pass(dayMs);
    }
    return terminal;
  });
  const toForget = (bytes: number): string[] => {
    const sizes = new Map(ids.map((id) => [id, bytes] as const));
    return recordingsToForget(world.state, sizes, world.nowMs).map(
      ({ terminal, because }) => `${ids.indexOf(terminal)} ${because}`,
    );
  };
  return { world, ids, toForget };
}

describe("what is kept of recordings", () => {
  test("[TM20] where nobody says anything else, thirty days and four gibibytes", () => {
    const { world, toForget } = made();
    expect(toForget(mega)).toEqual([]);
    expect(toForget(2 * 1024 * mega)).toEqual(["0 size", "1 size"]);
    world.pass(28 * dayMs);
    expect(toForget(mega)).toEqual(["0 age"]);
  });

  test("[TM20] what is too old goes, then the oldest while there are too many bytes, and never one that is open", () => {
    const { world, toForget } = made();
    world.policy("short", { recordingDays: 2 });
    expect(toForget(mega)).toEqual(["0 age"]);
    world.policy("small", { recordingBytes: 2 * mega });
    expect(toForget(mega)).toEqual(["0 age", "1 size"]);
    world.policy("nothing", { recordingDays: 0, recordingBytes: 0 }, {}, 5);
    expect(toForget(mega)).toEqual(["0 age", "1 age", "2 age"]);
  });

  test("[TM20] by project, and not by a policy that a model may set", () => {
    const { world, toForget } = made();
    const other = world.project();
    world.policy("elsewhere", { recordingDays: 0 }, { project: other });
    world.policy("of a model", { recordingDays: 0 }, {}, -1);
    expect(toForget(mega)).toEqual([]);
    world.policy("here", { recordingDays: 0 }, { project: world.projectId });
    expect(toForget(mega)).toHaveLength(3);
  });

  test("[TM20] a shell that is about to come back stays", () => {
    const { world, toForget } = made();
    const [agent] = world.state.agents.keys();
    const answer = world.ok({ type: "terminal.open", agent: agent ?? "", argv: [], cols: 80, rows: 24 });
    world.policy("nothing", { recordingDays: 0 });
    world.ok({ type: "agent.restart", agent: agent ?? "" });
    world.ended(agent ?? "", "web");
    world.gone(agent ?? "");
    world.pass(dayMs);
    expect(answer.of === "id" && world.state.terminals.get(answer.id)?.ended?.why).toBe("renewed");
    // The program that was open has ended with the agent by now.
    expect(toForget(mega)).toHaveLength(4);
  });

  test("[TM23] recordings of an agent that was removed go by the same rule, by its project and its share", () => {
    const { world, toForget } = made();
    const [agent] = world.state.agents.keys();
    world.ok({ type: "agent.remove", agent: agent ?? "", force: true });
    world.ended(agent ?? "", "web");
    world.gone(agent ?? "");
    expect(world.state.agents.size).toBe(0);
    expect(toForget(mega)).toEqual([]);
    world.policy("elsewhere", { recordingDays: 0 }, { project: world.project() });
    expect(toForget(mega)).toEqual([]);
    world.policy("small", { recordingBytes: 2 * mega }, { project: world.projectId });
    expect(toForget(mega)).toEqual(["0 size", "1 size"]);
  });

  test("[TM20] a flood in one agent pushes out no recordings of another", () => {
    const world = new AgentWorld();
    world.policy("small", { recordingBytes: 10 * mega });
    const [quiet, loud] = [world.running([lone]), world.running([lone])];
    const sizes = new Map<string, number>();
    const record = (agent: string, bytes: number): string => {
      const answer = world.ok({ type: "terminal.open", agent, argv: ["top"], cols: 80, rows: 24 });
      const terminal = answer.of === "id" ? answer.id : "";
      world.ok({ type: "terminal.end", terminal, ...end }, "system");
      sizes.set(terminal, bytes);
      return terminal;
    };
    const old = record(quiet, mega);
    const floods = [record(loud, 4 * mega), record(loud, 4 * mega), record(loud, 4 * mega)];
    const forgotten = recordingsToForget(world.state, sizes, world.nowMs).map(({ terminal }) => terminal);
    expect(forgotten).toEqual([floods[0]]);
    expect(forgotten).not.toContain(old);
  });
});
