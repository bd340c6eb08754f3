import { describe, expect, test } from "vitest";
import { db, service, web } from "../../../test/support/agent-world.ts";
import type { AgentSpec, ServiceSpec } from "./agent-spec.ts";
import { planReload, planWithoutGroups } from "./reload-plan.ts";

const spec = (services: readonly ServiceSpec[], more: Partial<AgentSpec> = {}): AgentSpec => ({
  ...{ template: "shop", env: {}, services, faces: [] },
  ...more,
});
const queue = service("queue", { ports: [], needs: [{ service: "web", until: "started" }] });
const was = spec([db, web, queue]);
const limits = { memoryBytes: 1024 ** 2, cpu: null, processes: null, files: null };
const hourly = { cron: "0 * * * *", zone: "UTC", shifts: [] };

describe("what a template that changed would take", () => {
  test("[AW13] nothing where it is the same, whatever the order of keys", () => {
    expect(planReload(was, JSON.parse(JSON.stringify(was)) as AgentSpec)).toEqual({
      ...{ changes: [], restarts: [], adapts: [], rescheduled: [], effect: "none" },
    });
  });

  const two = spec([db, { ...web, instances: 2 }, queue]);

  test.each<[string, AgentSpec, string, readonly string[], AgentSpec?]>([
    ["a rule for restarts", spec([db, { ...web, restart: { ...web.restart, limit: 9 } }, queue]), "none", []],
    ["how one is ended", spec([db, { ...web, stop: { signal: "INT", graceMs: 1 } }, queue]), "none", []],
    ["a command, and whoever stands on it", spec([db, { ...web, argv: ["x"] }, queue]), "service", ["web", "queue"]],
    ["what everything stands on", spec([{ ...db, env: { A: "1" } }, web, queue]), "service", ["db", "web", "queue"]],
    ["a variable at the top", spec([db, web, queue], { env: { A: "1" } }), "service", ["db", "web", "queue"]],
    ["a service that is new", spec([db, web, queue, service("new", { ports: [] })]), "service", []],
    ["a service that is gone", spec([db, web]), "service", []],
    ["a port", spec([db, { ...web, ports: ["main", "more"] }, queue]), "place", []],
    ["a way out where there was none", spec([db, web, queue], { egress: { kind: "list", allow: null } }), "place", []],
    ["how many there are", spec([db, { ...web, instances: 2 }, queue]), "place", []],
    ["one that shares its port with nobody, where there were two", spec([db, web, queue]), "place", [], two],
    ["how many of several there are", spec([db, { ...web, instances: 3 }, queue]), "none", [], two],
    ["a new one beside the old one", spec([db, { ...web, overlap: true }, queue]), "place", []],
    ["what one may use", spec([db, { ...web, limits }, queue]), "none", []],
    [
      "what each of its processes may",
      spec([db, { ...web, limits: { ...limits, files: 99 } }, queue]),
      "service",
      ["web", "queue"],
    ],
    ["what everything may use", spec([db, web, queue], { limits }), "place", []],
    [
      "what everything may take of the disk",
      spec([db, web, queue], { limits: { memoryBytes: null, cpu: null, processes: null, files: null, diskBytes: 9 } }),
      "none",
      [],
    ],
    ["files that it watches", spec([db, web, { ...queue, watch: ["src/**"] }]), "none", []],
    ["how one is looked at", spec([db, { ...web, health: db.health }, queue]), "none", []],
    ["that one is looked at no more", spec([{ ...db, health: null }, web, queue]), "none", []],
    ["times where there were none", spec([db, web, { ...queue, schedule: hourly }]), "place", []],
    ["an image", spec([db, web, queue], { image: "none" }), "never", []],
    ["how its files are laid out", spec([db, web, queue], { workspace: "clone" }), "never", []],
    ["whom later ones are for", spec([db, web, queue], { project: "shop" }), "none", []],
    ["an image of one service", spec([db, web, { ...queue, image: { name: "redis:7" } }]), "service", ["queue"]],
    ["folders of its image", spec([db, web, { ...queue, data: ["/data"] }]), "service", ["queue"]],
    ["another template", { ...was, template: "other" }, "never", []],
  ])("[AW13] %s", (_, now, effect, restarts, before = was) => {
    const plan = planReload(before, now);
    expect(plan.effect).toBe(effect);
    expect(plan.restarts).toEqual(restarts);
    expect(plan.changes.length).toBeGreaterThan(0);
  });

  test("[AW13, SV7] other variables take nothing of whoever is told of them, unless they are secret", () => {
    const hearing = (env: ServiceSpec["env"], more: Partial<AgentSpec> = {}): AgentSpec =>
      spec([db, { ...web, envSignal: "HUP", env }, queue], more);
    const plan = (now: AgentSpec) => planReload(hearing({ A: "1" }), now);
    expect(plan(hearing({ A: "2", B: "3" }))).toMatchObject({ restarts: [], effect: "none" });
    const secret = { A: "1", KEY: { secret: "KEY" } };
    expect(plan(hearing(secret))).toMatchObject({ restarts: ["web", "queue"], effect: "service" });
    expect(plan(hearing({ A: "1" }, { env: { B: "2" } }))).toMatchObject({ effect: "service" });
    const alone = (env: AgentSpec["env"]): AgentSpec => spec([{ ...web, needs: [], envSignal: "HUP" }], { env });
    expect(planReload(alone({}), alone({ B: "2" }))).toMatchObject({ restarts: [], effect: "none" });
    expect(planReload(alone({}), alone({ B: { secret: "B" } }))).toMatchObject({ restarts: ["web"] });
    expect(plan(spec([db, { ...web, env: { A: "2" } }, queue]))).toMatchObject({ effect: "service" });
  });

  test("[AW13] whoever is looked at in another way, or watches other files, is told", () => {
    const plan = (now: Partial<ServiceSpec>) => planReload(was, spec([db, { ...web, ...now }, queue])).adapts;
    expect(plan({ health: db.health })).toEqual(["web"]);
    expect(plan({ watch: ["src/**"] })).toEqual(["web"]);
    expect(plan({ watch: ["src/**"], argv: ["x"] })).toEqual([]);
  });

  test("[AW13] other times take nothing", () => {
    const at = (cron: string): AgentSpec => spec([db, { ...queue, needs: [], schedule: { ...hourly, cron } }]);
    const plan = planReload(at("0 * * * *"), at("5 * * * *"));
    expect(plan).toMatchObject({ restarts: [], rescheduled: ["queue"], effect: "none" });
  });

  test("[AW13] each difference says where it is, what is there and what would be", () => {
    const now = spec([db, { ...web, argv: ["x"] }]);
    expect(planReload(was, now).changes).toMatchObject([
      { path: "services.web.argv", effect: "service", agent: '["web"]', template: '["x"]' },
      { path: "services.queue", effect: "service", template: null },
    ]);
  });
});

describe("where the machine has no control groups", () => {
  const without = (now: AgentSpec) => planWithoutGroups(planReload(was, now), was, now);

  test("[AW13] other limits of memory or processes take a restart of that service alone", () => {
    expect(without(spec([db, { ...web, limits }, queue]))).toMatchObject({
      ...{ restarts: ["web"], adapts: [], effect: "service" },
      changes: [{ path: "services.web.limits", effect: "service" }],
    });
    expect(without(spec([{ ...db, limits }, web, { ...queue, argv: ["x"] }])).restarts).toEqual(["db", "queue"]);
  });

  test("[AW13] processors, which nothing holds there, and everything else take what they take anywhere", () => {
    const slower = spec([db, { ...web, limits: { ...limits, memoryBytes: null, cpu: 1 } }, queue]);
    expect(without(slower)).toEqual(planReload(was, slower));
  });
});
