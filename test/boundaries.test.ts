import { describe, expect, test } from "vitest";
import { type Boundaries, checkBoundaries } from "./support/check-boundaries.ts";
import { readSources, toReport } from "./support/source-files.ts";

// The whole architecture, as data. A layer may always import itself; tests may import anything.
const boundaries: Boundaries = {
  mayImport: {
    base: [],
    os: ["base"],
    core: ["base"],
    ports: ["base", "core"],
    engine: ["base", "core", "ports"],
    protocol: ["base"],
    client: ["base", "protocol"],
    keeper: ["base", "protocol"],
    node: ["base", "os", "core", "ports", "protocol"],
    adapters: ["base", "os", "core", "ports", "protocol"],
    cli: ["base", "client", "protocol"],
    mcp: ["base", "client", "protocol"],
    console: ["client", "protocol"],
    daemon: ["base", "os", "core", "ports", "engine", "node", "adapters", "protocol", "client", "mcp"],
    sim: ["base", "core", "ports", "engine"],
  },
  // One program is all of our commands: `signalbox up` becomes the daemon and `signalbox mcp` the MCP server. They are
  // loaded when asked for, so that `signalbox ps` does not pay for them.
  mayImportLazily: { cli: ["src/daemon/main.ts", "src/mcp/"] },
  withoutPackages: ["base", "core", "ports"],
  withoutNode: ["base", "core", "ports", "protocol", "client", "console"],
};

test("imports point the way that the table says", () => {
  const files = readSources(["src", "sim"]);
  expect(files.length, "there is code to look at").toBeGreaterThan(0);
  expect(toReport(checkBoundaries(files, boundaries))).toBe("");
});

describe("the checker itself", () => {
  const check = (path: string, text: string): string[] =>
    checkBoundaries([{ path, text }], boundaries).map(({ line, message }) => `${line}: ${message}`);

  test.each([
    ["a plain import", 'import { x } from "../../adapters/store/x.ts";'],
    ["a type", 'import type { X } from "../../adapters/store/x.ts";'],
    ["several lines", 'import {\n  x,\n  y,\n} from "../../adapters/store/x.ts";'],
    ["a re-export", 'export * from "../../adapters/store/x.ts";'],
    ["an effect", 'import "../../adapters/store/x.ts";'],
    ["single quotes", "import x from '../../adapters/store/x.ts';"],
    ["a lazy import", 'const x = await import("../../adapters/store/x.ts");'],
    ["a template", "const x = await import(`../../adapters/store/x.ts`);"],
    ["a type query", 'type X = import("../../adapters/store/x.ts").X;'],
    ["require", 'const x = require("../../adapters/store/x.ts");'],
    ["after a regular expression with a quote", 'const r = /["\'`]/;\nimport { x } from "../../adapters/store/x.ts";'],
    ["inside a template", 'const s = `a ${await import("../../adapters/store/x.ts")} b`;'],
  ])("finds %s", (_, text) => {
    expect(check("src/core/lease/unit.ts", text)).toEqual([
      expect.stringContaining("core/ may not import adapters/. Put what you need into the input, or add a port."),
    ]);
  });

  test("does not mistake words for imports", () => {
    const text = [
      '// import { x } from "../../adapters/x.ts";',
      '/* export * from "../../adapters/x.ts"; */',
      "const a = 'import { x } from \"../../adapters/x.ts\"';",
      'const b = `import("../../adapters/x.ts") ${a}`;',
      'export const from = "../../adapters/x.ts";',
      'array.from("../../adapters/x.ts");',
    ].join("\n");
    expect(check("src/core/x.ts", text)).toEqual([]);
  });

  test("names the line", () => {
    expect(check("src/core/x.ts", 'import { a } from "../base/a.ts";\n\nimport "../ports/b.ts";')).toEqual([
      "3: core/ may not import ports/. Put what you need into the input, or add a port.",
    ]);
  });

  test("an own file and a lower layer are fine", () => {
    expect(check("src/core/a/b.ts", 'import "../c/d.ts";\nimport "../../base/e.ts";\nimport "./f.ts";')).toEqual([]);
    expect(check("sim/world.ts", 'import "../src/engine/e.ts";\nimport "./clock.ts";')).toEqual([]);
  });

  test("packages and Node stay out of the layers that everything stands on", () => {
    expect(check("src/core/a.ts", 'import { z } from "zod";')).toEqual([expect.stringContaining("the package zod")]);
    expect(check("src/core/a.ts", 'import fs from "node:fs";')).toEqual([expect.stringContaining("node:fs")]);
    expect(check("src/console/a.tsx", 'import fs from "node:fs";')).toEqual([expect.stringContaining("browser")]);
    expect(check("src/protocol/a.ts", 'import { z } from "zod";')).toEqual([]);
    expect(check("src/daemon/a.ts", 'import fs from "node:fs";\nimport { Hono } from "hono";')).toEqual([]);
  });

  test("the command line loads the daemon and the MCP server only when needed", () => {
    expect(check("src/cli/up.ts", 'const { main } = await import("../daemon/main.ts");')).toEqual([]);
    expect(check("src/cli/mcp.ts", 'const { serve } = await import("../mcp/serve.ts");')).toEqual([]);
    expect(check("src/cli/up.ts", 'import { main } from "../daemon/main.ts";')).toEqual([
      expect.stringContaining("only when it is needed"),
    ]);
    expect(check("src/cli/up.ts", 'await import("../daemon/home.ts");')).toEqual([
      expect.stringContaining("cli/ may not import daemon/"),
    ]);
  });

  test("what cannot be known is not allowed", () => {
    expect(check("src/cli/a.ts", "await import(name);")).toEqual([expect.stringContaining("computed import")]);
    expect(check("src/cli/a.ts", "await import(`../${name}.ts`);")).toEqual([
      expect.stringContaining("computed import"),
    ]);
    expect(check("src/cli/a.ts", 'import "../../test/support/x.ts";')).toEqual([expect.stringContaining("no layer")]);
    expect(check("src/novel/a.ts", "")).toEqual([expect.stringContaining("not in the table")]);
  });

  test("tests may import anything", () => {
    expect(check("src/core/a.test.ts", 'import "../adapters/b.ts";\nimport { test } from "vitest";')).toEqual([]);
  });
});
