import { expect, test } from "vitest";
import { wildcardHint } from "./wildcard-hint.ts";

test.each([
  [["file:src/a.ts", "file:src/*.ts"], "dir:src is"],
  [["dir:src/au*/x"], "dir:src is"],
  [["file:**"], "dir:. is"],
])("[LS1] whoever writes a wildcard is told that it is none: %j", (units, folder) => {
  expect(wildcardHint(units)).toContain(`units have no wildcards. ${folder}`);
});

test("[LS1] names that frameworks give to files are no wildcards", () => {
  expect(wildcardHint(["file:app/[id]/page.tsx", "file:what?.md", "process:a"])).toBeUndefined();
});
