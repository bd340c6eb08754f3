import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, db, lone, service, web } from "../../../test/support/agent-world.ts";
import { recoveryDefaults, type ServiceSpec } from "./agent-spec.ts";
import type { AgentChange } from "./agent-state.ts";
import { classify, failingOf } from "./failure.ts";

const said = (text: string, exit = 1) => ({ exit, why: "ended", said: text }) as const;

describe("the class of a failure", () => {
  test.each([
    ["a crash", said("TypeError: x is not a function"), "service", "ended"],
    ["an end that nobody saw", { exit: "unknown", why: "lost", said: "" } as const, "lost", "lost"],
    ["the kernel's end for memory", { exit: 137, why: "out-of-memory", said: "" } as const, "resources", "memory"],
    ["the keeper's end for the disk", { exit: 137, why: "out-of-disk", said: "" } as const, "resources", "disk"],
    ["a heap that is full", said("FATAL ERROR: JavaScript heap out of memory", 134), "resources", "memory"],
    ["no room for a heap", said("# Fatal process OOM in Failed to reserve virtual memory", 133), "resources", "memory"],
    ["the end of a trace of it", said("8: 0x1 v8::internal::HeapAllocator::AllocateRaw(", 134), "resources", "memory"],
    ["what C++ says", said("terminate called after throwing 'std::bad_alloc'", 134), "resources", "memory"],
    ["a disk that is full", said("write: No space left on device"), "resources", "disk"],
    ["too many files", said("Error: EMFILE: too many open files, open 'x'"), "resources", "files"],
    ["too many processes", said("sh: fork: Resource temporarily unavailable"), "resources", "processes"],
    [
      "no process",
      said("bwrap: Creating new namespace failed: Resource temporarily unavailable"),
      "resources",
      "processes",
    ],
    ["nobody there", said("Error: connect ECONNREFUSED 127.0.0.1:5432"), "network", "unreachable"],
    ["a name that nobody knows", said("getaddrinfo ENOTFOUND db"), "network", "unreachable"],
    ["no such program", said("sh: 1: vite: not found", 127), "configuration", "not-found"],
    ["no such module", said("Error: Cannot find module 'express'"), "service", "not-found"],
    ["what may not be run", said("", 126), "configuration", "not-permitted"],
    ["what may not be opened", said("open('/etc/x'): Permission denied"), "service", "not-permitted"],
    ["no secret", { exit: "unknown", why: "not-started", said: "no X" } as const, "configuration", "not-started"],
  ])("[AG70] of %s", (_, end, failure, cause) => {
    expect(classify(end)).toEqual({ class: failure, cause });
  });

  test("[AG70] what is known for sure counts more than what was said", () => {
    const end = { exit: 137, why: "out-of-memory", said: "connect ECONNREFUSED" } as const;
    expect(classify(end)).toEqual({ class: "resources", cause: "memory" });
    expect(classify(said("connect ECONNREFUSED", 127))).toMatchObject({ cause: "not-found" });
    expect(classify(said("ECONNREFUSED, tried again and it went", 0))).toMatchObject({ class: "service" });
  });

  test("[AG70] a port that is taken is a matter of resources where it is its own, and a mistake where it is not", () => {
    const taken = (port: number) =>
      said(`Error: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n at 1:16`);
    expect(classify(taken(24_001), [24_001])).toEqual({ class: "resources", cause: "port-taken" });
    expect(classify(taken(3000), [24_001])).toEqual({ class: "configuration", cause: "port-taken" });
    const unnamed = said("OSError: [Errno 98] Address already in use");
    expect(classify(unnamed, [24_001])).toEqual({ class: "resources", cause: "port-taken" });
    expect(classify(unnamed, [])).toEqual({ class: "configuration", cause: "port-taken" });
  });

  test("[AG70] people are told what was hinted at", () => {
    expect(failingOf(said("connect ECONNREFUSED")).what).toBe(
      "it ended with 1: it could not reach what it connects to",
    );
    expect(failingOf({ exit: "unknown", why: "not-started", said: "no secret KEY\nmore" }).what).toBe(
      "it could not be started: no secret KEY",
    );
    expect(failingOf(crashed).what).toBe("it ended with 1");
  });
});

describe("what is known when a service fails", () => {
  test("[AG71] is in the log: its end, its limits and use, those that it needs, what was done, and whether it was so before", () => {
    const world = new AgentWorld();
    const limits = { memoryBytes: 1024, cpu: null, processes: null, files: null };
    const id = world.running([db, { ...web, limits, watch: ["src/**"] }]);
    world.ok(
      { type: "service.change", agent: id, service: "web", paths: ["src/a.ts", "src/b.ts"], count: 2 },
      "system",
    );
    world.ended(id, "web");
    world.began(id, "web");
    const use = {
      ...{ memoryBytes: 900, memoryBytesPeak: 1000, cpu: 0.5, files: 9, processes: 2, agoMs: 3000 },
      diskFreeBytes: 5,
    };
    const end = { ...crashed, said: "no", signal: "SIGABRT" };
    world.ok({ type: "service.ended", agent: id, service: "web", life: world.lifeOf(id, "web"), end, use }, "system");
    expect(world.lastOf("service.failed")).toMatchObject([
      {
        ...{ service: "web", failure: "service", found: "ended", what: "it ended with 1", end, limits, use },
        needs: [{ service: "db", state: "up", healthy: true }],
        changes: [{ kind: "files", what: "src/a.ts and 1 more changed, which web watches" }],
        before: { count: 0, lastAtMs: null },
      },
    ]);
    const firstAtMs = world.nowMs;
    world.pass(1000);
    world.began(id, "web");
    world.pass(2 * 3_600_000);
    world.ended(id, "web", crashed);
    expect(world.lastOf("service.failed")).toMatchObject([
      { changes: [], use: null, before: { count: 1, lastAtMs: firstAtMs } },
    ]);
    world.pass(1000);
    world.began(id, "web");
    world.ended(id, "web", said("connect ECONNREFUSED"));
    expect(world.lastOf("service.failed")).toMatchObject([{ found: "unreachable", before: { count: 0 } }]);
  });

  test("[AG71] a check that fails is one, too, with how its process ended then", () => {
    const world = new AgentWorld();
    const id = world.running([db]);
    world.judged(id, "db", false);
    expect(world.log.some(({ type }) => type === "service.failed")).toBe(false);
    world.ended(id, "db");
    expect(world.lastOf("service.failed")).toMatchObject([{ found: "unhealthy", end: { exit: 143 } }]);
  });

  test("[AG71] who is stopped by a person has not failed", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    world.ok({ type: "service.stop", agent: id, service: "web" });
    world.ended(id, "web");
    world.ok({ type: "agent.stop", agent: id, force: false });
    expect(world.log.some(({ type }) => type === "service.failed")).toBe(false);
  });
});

describe("who cannot reach others", () => {
  test("[AG72] is tried twice as often before more than that is tried", () => {
    const world = new AgentWorld();
    const id = world.running([service("web", { restart: { ...lone.restart, windowMs: 3_600_000 } })]);
    expect(world.wearOut(id, "web", said("connect ECONNREFUSED"))).toBe(10);
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "recreate" });
  });
});

describe("what is given anew", () => {
  const small = { memoryBytes: 512, memoryBytesMax: 1500, cpu: null, processes: null, files: null };
  const outOfMemory = { exit: 137, why: "out-of-memory", said: "" } as const;

  test("[AG74] who ran out of memory of its own gets more, as far as its template allows, and nobody else is touched", () => {
    const world = new AgentWorld();
    const id = world.running([db, service("web", { limits: small })]);
    world.wearOut(id, "web", outOfMemory);
    expect(world.lastOf("agent.reallocated")).toMatchObject([{ service: "web", room: "memory", memoryBytes: 1024 }]);
    expect(world.agent(id)).toMatchObject({ state: "running", rung: "reallocate" });
    expect(world.states(id)).toEqual({ db: "up", web: "starting" });
    world.began(id, "web");
    world.wearOut(id, "web", outOfMemory);
    expect(world.lastOf("agent.reallocated")).toMatchObject([{ memoryBytes: 1500 }]);
    expect(world.lastOf("service.failed")).toMatchObject([{ limits: { memoryBytes: 1024 } }]);
    world.began(id, "web");
    world.wearOut(id, "web", outOfMemory);
    expect(world.agent(id)).toMatchObject({ state: "error", rung: "ask" });
    expect(world.states(id)).toEqual({ db: "up", web: "failed" });
  });

  test("[AG74] where the agent as a whole has too little, its place is made anew with more, and then as ever", () => {
    const world = new AgentWorld();
    const id = world.create([lone], undefined, { limits: { ...small, memoryBytesMax: 1024 } });
    const comeUp = (): void => {
      world.made(id);
      world.began(id, "web");
    };
    comeUp();
    world.wearOut(id, "web", outOfMemory);
    expect(world.lastOf("agent.reallocated")).toMatchObject([{ service: null, memoryBytes: 1024 }]);
    expect(world.acts().at(-1)).toMatchObject({ type: "unmake", how: "place" });
    world.gone(id);
    comeUp();
    world.wearOut(id, "web", outOfMemory);
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "respawn" });
    const { spec } = world.agent(id);
    expect(world.agent(id).room.memory).toEqual({ "": 1024 });
    world.ok({ type: "agent.reload", agent: id, spec: { ...spec, env: { A: "1" } }, offered: [] });
    expect(world.agent(id).room.memory).toEqual({});
  });

  test("[AG74] whose port is taken gets others, once nothing holds those that it had", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    const other = world.create([lone]);
    const [port = 0] = world.agent(id).ports.values();
    world.wearOut(id, "web", said(`listen EADDRINUSE :::${port}`));
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "reallocate" });
    expect([...world.agent(id).ports.values()]).toEqual([port]);
    const [taken = 0] = world.agent(other).ports.values();
    const { life } = world.agent(id);
    world.ok({ type: "agent.ended", agent: id, life, cleared: false, offered: [taken, 77] }, "system");
    expect([...world.agent(id).ports.values()]).toEqual([77]);
    world.made(id);
    world.began(id, "web");
    world.wearOut(id, "web", said("listen EADDRINUSE :::77"));
    expect(world.agent(id)).toMatchObject({ state: "error", rung: "ask" });
  });

  test("[AG74] without its temporary files, who filled the disk is made anew", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    world.wearOut(id, "web", { exit: 137, why: "out-of-disk", said: "" });
    expect(world.acts().at(-1)).toMatchObject({ type: "unmake", how: "temporary" });
    world.gone(id);
    expect(world.agent(id).room.next).toBeNull();
    world.made(id);
    world.began(id, "web");
    world.wearOut(id, "web", { exit: 137, why: "out-of-disk", said: "" });
    expect(world.acts().at(-1)).toMatchObject({ type: "unmake", how: "place" });
  });

  test("[AG23, AG74] is tried again from the foot after ten minutes of health", () => {
    const world = new AgentWorld();
    const id = world.running([service("web", { limits: { ...small, memoryBytesMax: 1024 } })]);
    world.wearOut(id, "web", outOfMemory);
    world.began(id, "web");
    world.pass(recoveryDefaults.resetMs);
    expect(world.agent(id).rung).toBeNull();
    expect(world.agent(id).room.memory).toEqual({ web: 1024 });
  });
});

describe("many restarts at once", () => {
  const several = (count: number): ServiceSpec[] =>
    Array.from({ length: count }, (_, at) => service(`s${at}`, { ports: [] }));
  const crash = (world: AgentWorld, id: string): void => {
    for (const name of world.agent(id).services.keys()) world.ended(id, name, crashed);
    world.pass(100);
  };
  const begun = (world: AgentWorld, id: string): number =>
    Object.values(world.states(id)).filter((state) => state === "starting").length;

  test("[AG24] a policy says how many, and each that waits is told with who says so", () => {
    const world = new AgentWorld();
    world.policy("calm", { maxRestarts: 4 });
    const id = world.running(several(5));
    crash(world, id);
    expect(begun(world, id)).toBe(3);
    const held = world.log.flatMap((event) => (event.type === "service.held" ? [event] : []));
    expect(held.map(({ service: name, policy, max }) => [name, policy, max])).toEqual([
      ["s3", "calm", 4],
      ["s4", "calm", 4],
    ]);
    expect(world.state.held).toMatchObject({ count: 2, policy: "calm", max: 4 });
    world.pass(9999);
    expect(begun(world, id)).toBe(3);
    world.pass(1);
    expect(begun(world, id)).toBe(5);
  });

  test("[AG24] one agent of which very many fail delays nobody else, and those that wait take turns", () => {
    const world = new AgentWorld();
    world.policy("calm", { maxRestarts: 8 });
    const big = world.running(several(14));
    const mid = world.running(several(3));
    const small = world.running(several(1));
    crash(world, big);
    expect(begun(world, big)).toBe(6);
    // What is left is for others.
    crash(world, small);
    expect(begun(world, small)).toBe(1);
    crash(world, mid);
    expect([begun(world, big), begun(world, mid)]).toEqual([6, 1]);
    // As soon as there is room again, those come first who had least.
    world.pass(9800);
    expect([begun(world, big), begun(world, mid)]).toEqual([10, 3]);
    expect(world.state.restarts.length).toBeLessThanOrEqual(8);
    world.pass(10_000);
    expect(begun(world, big)).toBe(14);
  });

  test("[AG24] a model's policy may tighten it, and not lift it", () => {
    const world = new AgentWorld();
    world.policy("wild", { maxRestarts: 1000 }, {}, -1);
    const id = world.running(several(25));
    crash(world, id);
    expect(world.state.held).toMatchObject({ count: 1, policy: "built-in", max: 32 });
  });
});

describe("what was done to an agent before a service of it failed", () => {
  function changesOf(world: AgentWorld, id: string, done: AgentChange[] = []): string[] {
    const life = world.lifeOf(id, "web");
    world.ok({ type: "service.ended", agent: id, service: "web", life, end: crashed, done }, "system");
    return world.lastOf("service.failed").flatMap(({ changes }) => changes.map(({ what }) => what));
  }

  test("[AG71] a policy that takes something from it, or gives it back, is told with what that is", () => {
    const world = new AgentWorld();
    const id = world.running([lone], { egress: { kind: "open", allow: null } });
    const scope = { project: world.projectId };
    world.policy("small", { maxMemory: 100, maxCpu: 1, allowedEgress: "none" }, scope);
    world.policy("small", { maxMemory: 200, allowedEgress: "none" }, scope);
    world.policy("others", { maxMemory: 1 }, { node: "elsewhere" });
    world.policy("runs", { maxConcurrent: 1 }, scope);
    world.ok({ type: "policy.remove", name: "small" });
    expect(changesOf(world, id)).toEqual([
      "with the policy small as it is now, it may have less memory, processors, network",
      "with the policy small as it is now, it may have more memory, processors",
      "without the policy small, it may have more memory, network",
    ]);
  });

  test("[AG71] so is whom it was joined with or parted from, and where its template is another one", () => {
    const world = new AgentWorld();
    const id = world.running([lone], { join: [] });
    const other = world.running([lone], { join: [] });
    world.ok({ type: "agent.join", agent: id, with: other, across: false });
    world.ok({ type: "agent.part", agent: id, with: other });
    const image = { name: "web:2" };
    const spec = { ...world.agent(id).spec, services: [{ ...lone, restart: { ...lone.restart, limit: 9 }, image }] };
    world.ok({ type: "agent.reload", agent: id, spec, offered: [] });
    if (world.states(id)["web"] === "stopping") world.ended(id, "web");
    world.began(id, "web");
    const name = world.agent(other).name;
    expect(changesOf(world, id)).toEqual([
      `it was joined with ${name}`,
      `it was parted from ${name}`,
      "its template was read anew: services.web.restart, services.web.image",
    ]);
  });

  test("[AG71] what the log says nothing of is told in its place, and what comes again and again pushes out nothing else", () => {
    const world = new AgentWorld();
    const id = world.running([{ ...lone, watch: ["src/**"], restart: { ...lone.restart, limit: 50 } }]);
    const atMs = world.nowMs;
    world.pass(10);
    world.policy("small", { maxMemory: 100 }, {});
    for (let at = 0; at < 9; at++) {
      world.pass(1000);
      world.ok({ type: "service.change", agent: id, service: "web", paths: [`src/${at}`], count: 1 }, "system");
      world.ended(id, "web");
      world.began(id, "web");
    }
    const done = [
      { kind: "secret", what: "the secret KEY was given anew", atMs: atMs + 5 },
      { kind: "command", what: "rm was run in it by hand", atMs: world.nowMs },
    ] as const;
    expect(changesOf(world, id, [...done])).toEqual([
      "the secret KEY was given anew",
      "with the policy small as it is now, it may have less memory",
      ...[5, 6, 7, 8].map((each) => `src/${each} changed, which web watches`),
      "rm was run in it by hand",
    ]);
  });
});
