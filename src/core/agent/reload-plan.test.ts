import { describe, expect, test } from "vitest";
import { db, service, web } from "../../../test/support/agent-world.ts";
import type { AgentSpec, ServiceSpec } from "./agent-spec.ts";
import { planReload } from "./reload-plan.ts";

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
      ...{ changes: [], restarts: [], rescheduled: [], effect: "none" },
    });
  });

  test.each<[string, AgentSpec, string, readonly string[]]>([
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
    ["a new one beside the old one", spec([db, { ...web, overlap: true }, queue]), "place", []],
    ["what one may use", spec([db, { ...web, limits }, queue]), "service", ["web", "queue"]],
    ["what everything may use", spec([db, web, queue], { limits }), "place", []],
    ["files that it watches", spec([db, web, { ...queue, watch: ["src/**"] }]), "service", ["queue"]],
    ["times where there were none", spec([db, web, { ...queue, schedule: hourly }]), "place", []],
    ["an image", spec([db, web, queue], { image: "none" }), "never", []],
    ["another template", { ...was, template: "other" }, "never", []],
  ])("[AW13] %s", (_, now, effect, restarts) => {
    const plan = planReload(was, now);
    expect(plan.effect).toBe(effect);
    expect(plan.restarts).toEqual(restarts);
    expect(plan.changes.length).toBeGreaterThan(0);
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
