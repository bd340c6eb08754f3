import { expect, test } from "vitest";
import { service } from "../../../test/support/agent-world.ts";
import type { AgentSpec, UseLimits } from "./agent-spec.ts";
import { raisedLimits } from "./raised-limits.ts";

const use = (more: Partial<UseLimits> = {}): UseLimits => ({
  ...{ memoryBytes: 100, cpu: 1, processes: 10, files: 20 },
  ...more,
});
const of = (limits: UseLimits | null, own: UseLimits | null = null): AgentSpec => ({
  ...{ template: "shop", env: {}, faces: [] },
  services: [service("web", own === null ? {} : { limits: own })],
  ...(limits === null ? {} : { limits }),
});

test.each<[string, AgentSpec, AgentSpec, readonly string[]]>([
  ["the same", of(use(), use()), of(use(), use()), []],
  ["less of everything", of(use()), of({ memoryBytes: 99, cpu: 0.5, processes: 9, files: 19 }), []],
  ["limits where there were none", of(null, null), of(use(), use()), []],
  ["more memory", of(null, use()), of(null, use({ memoryBytes: 101 })), ["services.web.limits.memory"]],
  ["more processors", of(use()), of(use({ cpu: 1.5 })), ["limits.cpu"]],
  [
    "one that is not said any more",
    of(use()),
    of(use({ processes: null, files: null })),
    ["limits.processes", "limits.files"],
  ],
  [
    "none any more",
    of(null, use()),
    of(null, null),
    ["memory", "cpu", "processes", "files"].map((kind) => `services.web.limits.${kind}`),
  ],
  ["more of the disk", of(use({ diskBytes: 5 })), of(use({ diskBytes: 6 })), ["limits.disk"]],
  ["less of the disk, where nothing bounded it", of(use()), of(use({ diskBytes: 5 })), []],
  ["memory to be given", of(use()), of(use({ memoryBytesMax: 200 })), ["limits.memory_max"]],
  ["less memory to be given", of(use({ memoryBytesMax: 200 })), of(use({ memoryBytesMax: 150 })), []],
  ["less memory, and as much to be given", of(use()), of(use({ memoryBytes: 50, memoryBytesMax: 100 })), []],
])("[SV8] what is raised is told by its place: %s", (_what, agent, template, raised) => {
  expect(raisedLimits(agent, template)).toEqual(raised);
});

test("[SV8] a service that is new is bounded by its agent, and raises nothing", () => {
  const { services, ...rest } = of(use());
  expect(raisedLimits({ ...rest, services: [] }, { ...rest, services })).toEqual([]);
});
