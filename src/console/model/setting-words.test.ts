import { expect, test } from "vitest";
import { toSettingWords } from "./setting-words.ts";

test("what is set is said by the names of the form, and numbers as people read them", () => {
  expect(
    toSettingWords({
      ...{ approvalRequired: true, deniedBinary: false, stuckAfterMs: null, maxTimeMs: 5_400_000 },
      ...{ maxRunCostMicros: 2_500_000, maxDisk: 2 * 1024 ** 3, maxFiles: 1000, claiming: "explicit" },
      ...{ autoApprove: ["docs/**", "*.md"], env: { A: "1" }, maxDepth: undefined },
    }),
  ).toBe(
    "approval required, denied binary: no, stuck after: none, max time 1h 30m, max run cost $2.50, max disk 2.0 GB, " +
      "max files 1,000, claiming explicit, auto approve docs/** *.md, env",
  );
});
