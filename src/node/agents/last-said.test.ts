import { describe, expect, test } from "vitest";
import { lastSaid } from "./last-said.ts";

const frames = Array.from({ length: 12 }, (_, at) => `    at ModuleLoader.step (node:internal/loader:${at}:16)`);

describe("[AG71] of what was said before an end the log keeps", () => {
  test("what was wrong, also where a long stack trace stands below it", () => {
    const said = ["> dev", "file.js:1", "SyntaxError: Unexpected identifier", ...frames, "", "Node.js v24.21.0", ""];
    expect(lastSaid(said.join("\n"))).toBe(
      `> dev\nfile.js:1\nSyntaxError: Unexpected identifier\n${frames[0]}\n    … 11 more\n\nNode.js v24.21.0\n`,
    );
  });

  test("one frame and lines that only look like some as they are", () => {
    const said = `Error: no\n${frames[0]}\nat home\n   attached\n`;
    expect(lastSaid(said)).toBe(said);
  });

  test("the end of much, in whole lines", () => {
    const said = Array.from({ length: 500 }, (_, at) => `line ${at}\n`).join("");
    const kept = lastSaid(said);
    expect(kept.length).toBeLessThanOrEqual(1000);
    expect(kept).toMatch(/^line \d{3}\n[^]*line 499\n$/);
  });

  test("the end of one endless line", () => {
    expect(lastSaid(`${"x".repeat(5000)}\n`)).toBe(`${"x".repeat(999)}\n`);
  });
});
