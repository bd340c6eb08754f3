import { expect, test } from "vitest";
import { service } from "../../../test/support/agent-world.ts";
import type { AgentSpec, UseLimits } from "./agent-spec.ts";
import { findBeyond, mayTake } from "./machine-fit.ts";

const gib = 1024 ** 3;
const none: UseLimits = { memoryBytes: null, cpu: null, processes: null, files: null };
const spec = (limits: Partial<UseLimits>, own: Partial<UseLimits>, instances = 1): AgentSpec => ({
  ...{ template: "shop", env: {}, faces: [], limits: { ...none, ...limits } },
  services: [service("db", { limits: { ...none, ...own }, instances }), service("web")],
});

test("[AG92] limits that are more than the machine has are found, each by its place", () => {
  const machine = { memoryBytes: 24 * gib, processors: 2 };
  const own = { memoryBytes: 9216 * gib, memoryBytesMax: 9999 * gib };
  expect(findBeyond(spec({ memoryBytes: 25 * gib, cpu: 500 }, own), machine)).toEqual([
    { path: "limits.memory", of: "memory", value: 25 * gib },
    { path: "limits.cpu", of: "processors", value: 500 },
    { path: "services.db.limits.memory", of: "memory", value: 9216 * gib },
    { path: "services.db.limits.memory_max", of: "memory", value: 9999 * gib },
  ]);
  expect(findBeyond(spec({ memoryBytes: 24 * gib, cpu: 2 }, {}), machine)).toEqual([]);
});

test("[AU43] what an agent may take is its own limit, else what its services may", () => {
  expect(mayTake(spec({ memoryBytes: gib }, { memoryBytes: 2 * gib }))).toBe(gib);
  expect(mayTake(spec({}, { memoryBytes: 2 * gib }, 3))).toBe(6 * gib);
  expect(mayTake(spec({}, {}))).toBeNull();
});
