import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { checkSpecIds, findRules } from "./support/check-spec-ids.ts";
import { readSources, root, toReport } from "./support/source-files.ts";

test("every rule of the spec is named by a test, and every named rule exists", () => {
  const documents = readSources(["docs/spec"], /\.md$/);
  const tests = readSources(["src", "sim", "test"]);
  const isWritten = fs.existsSync(path.join(root, "docs/spec"));
  expect(findRules(documents).size > 0, "docs/spec defines rules, once it exists").toBe(isWritten);
  expect(toReport(checkSpecIds(documents, tests))).toBe("");
});

describe("the checker itself", () => {
  const spec = {
    path: "docs/spec/leases.md",
    text: "# Leases\n\n**LS1** A unit.\n\n**LS2** (argued) A key; see **LS1**.\n",
  };
  const check = (title: string, documents = [spec]): string =>
    toReport(
      checkSpecIds(documents, [{ path: "src/a.test.ts", text: `test("${title}", () => { expect(1).toBe(1); });` }]),
    );

  test("a rule without a test is found, with its place", () => {
    expect(check("[LS1] a unit")).toBe(
      "docs/spec/leases.md:5: LS2 has no test. Write one that fails without the rule and put [LS2] into its title.",
    );
  });

  test("several rules may share a title", () => {
    expect(check("[LS1, LS2] both")).toBe("");
    expect(check("[LS1] [LS2] both")).toBe("");
  });

  test("an unknown rule is found", () => {
    expect(check("[LS1, LS2, LS9] a ghost")).toContain("src/a.test.ts:1: the title names LS9");
  });

  test("a rule that is only mentioned is no definition, and a mention outside a title is no test", () => {
    expect(findRules([spec]).size).toBe(2);
    expect(check("LS1 and LS2 without brackets")).toContain("LS1 has no test");
  });

  test("a rule defined twice is found", () => {
    const twice = { path: "docs/spec/more.md", text: "**LS1** Another unit.\n" };
    expect(check("[LS1, LS2] both", [spec, twice])).toContain("LS1 is defined twice, first in docs/spec/leases.md:3.");
  });

  test("a document that is not built yet makes its rules known and does not demand them", () => {
    const later = { path: "docs/spec/landing.md", text: "# Landing\n\n*Not built yet.*\n\n**LD1** A path.\n" };
    expect(check("[LS1, LS2] both", [spec, later])).toBe("");
    expect(check("[LS1, LS2, LD1] all", [spec, later])).toBe("");
  });
});
