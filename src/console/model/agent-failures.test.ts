import { expect, test } from "vitest";
import { makeEvent } from "../../../test/support/wire-samples.ts";
import { toFailures } from "./agent-failures.ts";

const limits = { memoryBytes: 64 * 1024 ** 2, cpu: null, processes: null, files: null };

test("[AG71] failures are told with what was so then, the newest first", () => {
  const failed = makeEvent(9, "service.failed", {
    ...{ service: "web", life: 3, failure: "resources", what: "it took more memory than it may", limits },
    ...{ end: { exit: 137, why: "out-of-memory", said: "loading\n" }, use: { memoryBytesPeak: 60 * 1024 ** 2 } },
    needs: [{ service: "db", state: "up", healthy: false }],
    ...{ changes: [{ what: "its template was read anew", atMs: 0 }], before: { count: 2, lastAtMs: 5 } },
  });
  const [first, second] = toFailures([failed, makeEvent(8, "service.failed", { failure: "odd" })]);
  expect(first).toMatchObject({ seq: 9, service: "web", class: "Resources", said: "loading" });
  expect(Object.fromEntries(first?.facts.map(({ name, text }) => [name, text]) ?? [])).toMatchObject({
    ...{ Memory: "60.0 MB at most, 64.0 MB allowed", Needs: "db not healthy", Before: "2 times like this", Life: "3" },
    Changed: expect.stringContaining("its template was read anew, ") as string,
  });
  const twice = toFailures([failed, failed, makeEvent(7, "service.failed", { service: "db" }), failed]);
  expect(twice.map(({ service, times }) => [service, times])).toEqual([
    ["web", 2],
    ["db", 1],
    ["web", 1],
  ]);
  expect(second).toMatchObject({ class: "odd", what: "", facts: [], said: "" });
});
