import { describe, expect, test } from "vitest";
import { makeProject } from "../../../test/support/wire-samples.ts";
import { tryCli } from "../testing/try-cli.ts";

const door = { url: "http://127.0.0.1:7000/run/r_1/mcp", token: "secret" };

describe("a run that whoever connects drives", () => {
  const answers = {
    "project.list": { projects: [makeProject("demo")] },
    "run.submit": { run: "r_1", task: "t_1", door, warnings: [] },
    "run.door": door,
  };

  test("is submitted, and the address and token of its door are printed", async () => {
    const words = ["run", "tidy up", "--runner", "mcp", "--project", "demo"];
    const { stdout, exitCode } = await tryCli(words, answers);
    expect([exitCode, stdout]).toEqual([0, `r_1\nurl    ${door.url}\ntoken  ${door.token}\n`]);
    const { stdout: json } = await tryCli([...words, "--json"], answers);
    expect(JSON.parse(json)).toEqual({ run: "r_1", task: "t_1", door, warnings: [] });
  });

  test("[RN41] is submitted with what is known to be in its way on standard error, each once", async () => {
    const warnings = ["no key", "no key", "old"].map((message) => ({ code: "version-untried", message }) as const);
    const submitted = { run: "r_1", task: "t_1", door: null, warnings };
    const words = ["run", "tidy up", "--runner", "claude", "--project", "demo"];
    const { stdout, stderr } = await tryCli(words, { ...answers, "run.submit": submitted });
    expect([stdout, stderr]).toEqual(["r_1\n", "warning: no key\nwarning: old\n"]);
  });

  test("gets another token", async () => {
    const { stdout, calls } = await tryCli(["door", "r_1"], answers);
    expect(calls).toEqual([["run.door", { run: "r_1" }]]);
    expect(stdout).toBe(`url    ${door.url}\ntoken  ${door.token}\n`);
  });
});

describe("artifacts", () => {
  const bytes = Buffer.from("one\u001B[31m\ntwo\n");
  const answers = {
    "run.artifacts": { artifacts: [{ name: "report.md", bytes: bytes.length }] },
    "run.artifact": ({ from }: { from: number }) => ({
      base64: bytes.subarray(from, from + 4).toString("base64"),
      from,
      totalBytes: bytes.length,
    }),
  };

  test("are listed", async () => {
    const { stdout } = await tryCli(["artifacts", "r_1"], answers);
    expect(stdout).toMatch(/^NAME +BYTES\nreport\.md +13\n$/);
  });

  test("are printed whole, part by part", async () => {
    const words = ["artifacts", "r_1", "report.md"];
    expect((await tryCli(words, answers)).stdout).toBe(bytes.toString());
    const { stdout } = await tryCli(words, answers, { columns: 80 });
    expect(stdout.split("\n")).toHaveLength(3);
    expect(stdout).not.toContain("\u001B");
  });
});
