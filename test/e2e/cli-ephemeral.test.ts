import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Sandbox } from "./cli-process.ts";

const box = new Sandbox();
afterAll(() => box.close());

const left = (): string[] => readdirSync(box.folder).filter((name) => name.startsWith("signalbox-"));

describe("one run without a daemon", () => {
  test("does its work, shows it, and leaves nothing behind", async () => {
    const script = box.script(
      "works.yaml",
      "task: work\nplan: [file:src/a.ts]\nsteps:\n  - write: { path: src/a.ts, content: a }\n  - process: check\n  - say: finished\n",
    );
    const { code, stdout } = await box.run("run", "--ephemeral", "--script", script, "--process", "check=echo checked");
    expect(stdout).toContain("| checked");
    expect(stdout).toContain("says: finished");
    expect(stdout).toContain("→ done");
    expect(code).toBe(0);
    expect(left()).toEqual([]);
    expect((await box.run("status")).code).toBe(5);
  });

  test("ends with the run's result", async () => {
    const script = box.script("fails.yaml", "task: fail\nsteps:\n  - run: exit 3\n");
    const { code, stdout } = await box.run("run", "--ephemeral", "--wait", "--script", script, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ state: "failed" });
    expect(left()).toEqual([]);
  });

  test("does not wait for a person who cannot come", async () => {
    const script = box.script("asks.yaml", "task: ask\nsteps:\n  - ask: anybody?\n");
    const { code, stdout } = await box.run("run", "--ephemeral", "--script", script);
    expect(stdout).toContain("nobody can reach an ephemeral daemon");
    expect(code).toBe(1);
  });

  test("is left by Ctrl-C, and takes its daemon along", async () => {
    const fifo = join(box.folder, "pid");
    execFileSync("mkfifo", [fifo]);
    const command = `echo $$ > ${fifo}; exec sleep 600`;
    const script = box.script("sleeps.yaml", `task: sleep\nsteps:\n  - run: "${command}"\n`);
    const running = box.start(["run", "--ephemeral", "--script", script]);
    const pid = Number.parseInt(await readFile(fifo, "utf8"), 10);
    running.signal("SIGINT");
    expect(await running.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("private daemon were ended") as string,
    });
    expect(() => process.kill(pid, 0), "the run's own process is gone, too").toThrow("ESRCH");
    expect(left()).toEqual([]);
  });

  test("a folder that is none and a bad script are refused before anything starts", async () => {
    const script = box.script("bad.yaml", "steps: 5\n");
    expect((await box.run("run", "--ephemeral", "--script", script, "--project", "/nowhere")).code).toBe(2);
    expect((await box.run("run", "--ephemeral", "--script", script)).code).toBe(2);
    expect(left()).toEqual([]);
  });
});
