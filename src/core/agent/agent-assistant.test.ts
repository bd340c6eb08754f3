import { describe, expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { narrowed } from "../profile/profile.ts";
import { fromPlain, toPlain } from "../snapshot.ts";
import type { AssistantSpec } from "./agent-spec.ts";

const said: AssistantSpec = { profile: "helper", prompt: "Mend it.", start: "once" };

class AssistedWorld extends AgentWorld {
  constructor() {
    super();
    const profile = { name: "helper", settings: { runner: "script", allowedTools: ["read_file", "write_file"] } };
    this.ok({ type: "profile.set", profile, ensure: false });
  }

  with(more: Partial<AssistantSpec> = {}): string {
    const id = this.create([lone], undefined, { assistant: { ...said, ...more } });
    this.made(id);
    return id;
  }

  up(more: Partial<AssistantSpec> = {}): string {
    const id = this.with(more);
    this.began(id, "web");
    return id;
  }

  chosen(agent: string, runner: string | null = "script", number = this.agent(agent).assistant?.number ?? 0): void {
    this.ok({ type: "assistant.choose", agent, number, runner, what: "it is not installed" }, "system");
  }

  again(id: string): void {
    this.ok({ type: "agent.restart", agent: id });
    this.ended(id, "web");
    this.gone(id);
    this.made(id);
    this.began(id, "web");
  }
}

describe("the assistant of an agent", () => {
  test("[AW18] is a run in it, once everything is up, with what its template says", () => {
    const world = new AssistedWorld();
    const id = world.with({ prompt: "Mend it.\nThen rest." });
    expect(world.agent(id).assistant).toBeNull();
    world.began(id, "web");
    expect(world.agent(id)).toMatchObject({ state: "running", assistant: { number: 1, state: "called", run: null } });
    expect(world.todo()).toContain(`assist:${id}`);
    world.chosen(id);
    const { assistant } = world.agent(id);
    expect(assistant).toMatchObject({ state: "begun" });
    const run = world.state.runs.get(assistant?.run ?? "");
    expect(run).toMatchObject({ agent: id, profile: "helper", runner: "script", title: "Mend it." });
    expect(world.state.tasks.get(run?.task ?? "")?.description).toBe("Mend it.\nThen rest.");
    // What is told twice is no second run.
    world.chosen(id);
    expect(world.state.runs.size).toBe(1);
    expect(fromPlain(toPlain(world.state)).agents.get(id)).toEqual(world.agent(id));
  });

  test("[AW18] once is once in the life of the agent, each is each time it has come up, never is never", () => {
    const world = new AssistedWorld();
    for (const [start, times] of [
      ["once", 1],
      ["each", 2],
      ["never", 0],
    ] as const) {
      const id = world.create([lone], [11, 12, 13, 14], { assistant: { ...said, start } });
      world.made(id);
      world.began(id, "web");
      if (times > 0) world.chosen(id, null);
      world.again(id);
      expect([start, world.agent(id).assistant?.number ?? 0]).toEqual([start, times]);
      world.ok({ type: "agent.remove", agent: id, force: true });
      world.gone(id);
    }
  });

  test("[AW18] one that is at work when its agent is begun anew goes on, and no other is begun beside it", () => {
    const world = new AssistedWorld();
    const id = world.up({ start: "each" });
    world.chosen(id);
    const run = world.agent(id).assistant?.run ?? "";
    world.again(id);
    expect(world.agent(id).assistant).toMatchObject({ number: 1, run });
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    expect(world.agent(id).assistant?.number).toBe(1);
    world.ok({ type: "run.stopped", run, works: [] }, "system");
    world.again(id);
    expect(world.agent(id).assistant).toMatchObject({ number: 2, state: "called" });
  });

  test("[AW18] one that cannot begin is told, with the reason, and takes nothing down", () => {
    const world = new AssistedWorld();
    const missing = world.up();
    world.chosen(missing, null);
    expect(world.agent(missing)).toMatchObject({
      state: "running",
      assistant: { state: "failed", run: null, because: "it is not installed" },
    });
    world.policy("none", { deniedRunners: ["script"] });
    world.ok({ type: "agent.assist", agent: missing, prompt: null });
    world.chosen(missing);
    expect(world.agent(missing).assistant?.because).toContain("the policy none does not allow");
    world.ok({ type: "profile.remove", name: "helper" });
    world.ok({ type: "agent.assist", agent: missing, prompt: null });
    world.chosen(missing);
    expect(world.agent(missing).assistant?.because).toBe("there is no profile helper");
    expect(world.state.runs.size).toBe(0);
  });

  test("[AW19] somebody may have it begin, with something else to do, while it is not at work and its agent is there", () => {
    const world = new AssistedWorld();
    const id = world.up({ start: "never" });
    world.ok({ type: "agent.assist", agent: id, prompt: "Sing." });
    expect(world.no({ type: "agent.assist", agent: id, prompt: null })).toMatchObject({ code: "in-use" });
    world.chosen(id);
    const { assistant } = world.agent(id);
    expect(world.state.runs.get(assistant?.run ?? "")?.title).toBe("Sing.");
    expect(world.no({ type: "agent.assist", agent: id, prompt: null })).toMatchObject({ by: assistant?.run });
    world.ok({ type: "agent.stop", agent: id, force: true });
    expect(world.no({ type: "agent.assist", agent: id, prompt: null })).toMatchObject({ code: "agent-down" });
    const plain = world.create([lone], [21, 22]);
    expect(world.no({ type: "agent.assist", agent: plain, prompt: null })).toMatchObject({ kind: "assistant" });
  });

  test("[AW20] its permissions take tools away from its profile, also when it is tried again, and from whom it starts", () => {
    const world = new AssistedWorld();
    const id = world.up({ permissions: { allow: ["read_file", "run_command"], deny: ["read_file"] } });
    world.chosen(id);
    const run = world.agent(id).assistant?.run ?? "";
    const tools = { allowedTools: ["read_file"], deniedTools: ["read_file"] };
    expect(world.state.runs.get(run)?.settings).toMatchObject(tools);
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    world.ok({ type: "run.stopped", run, works: [] }, "system");
    world.ok({ type: "run.retry", run });
    const retry = [...world.state.runs.values()].find(({ retryOf }) => retryOf === run);
    expect(retry?.settings).toMatchObject(tools);
    const base = { ...retry, type: "run.submit", description: "", acceptance: null, noCage: undefined } as const;
    const child = {
      ...base,
      parent: retry?.id ?? "",
      sub: false,
      key: null,
      agent: null,
      permissions: undefined,
      fork: undefined,
    };
    world.ok(child as never);
    const started = [...world.state.runs.values()].find(({ parent }) => parent === retry?.id);
    expect(started?.settings).toMatchObject(tools);
  });

  test("[AW20] nothing that is permitted gives a tool", () => {
    expect(narrowed(undefined, { allow: ["a"], deny: [] })).toEqual({ allowedTools: ["a"] });
    expect(narrowed({ allowedTools: ["a"] }, { allow: ["b"], deny: [] })).toEqual({ allowedTools: [] });
    expect(narrowed({ deniedTools: ["a"] }, { allow: null, deny: ["b"] })).toEqual({ deniedTools: ["a", "b"] });
    expect(narrowed({ model: "x" }, null)).toEqual({ model: "x" });
  });
});
