import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { processesWith } from "../support/processes-with.ts";
import { SampleProject } from "../support/sample-project.ts";
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
    // The private daemon is gone, and what it landed is in the folder.
    expect(readFileSync(join(box.project, "src/a.ts"), "utf8")).toBe("a");
    expect(left()).toEqual([]);
    expect((await box.run("status")).code).toBe(5);
  });

  test("tests what it lands with the command that it is given, and says how to name one", async () => {
    const script = box.script("tested.yaml", "task: work\nsteps:\n  - write: { path: src/t.ts, content: tested }\n");
    const untested = await box.run("run", "--ephemeral", "--script", script);
    expect(untested.stderr).toContain("lands untested. Name a test with: --test COMMAND");
    const again = box.script("again.yaml", "task: work\nsteps:\n  - write: { path: src/t.ts, content: again }\n");
    const tested = await box.run("run", "--ephemeral", "--script", again, "--test", "grep -q again src/t.ts");
    expect([tested.code, tested.stderr.includes("untested")]).toEqual([0, false]);
    expect(tested.stdout).toMatch(/landed as .*src\/t\.ts \(passed\)/);
    const red = await box.run("run", "--ephemeral", "--script", script, "--test", "grep -q again src/t.ts");
    expect(red.code).not.toBe(0);
    expect(readFileSync(join(box.project, "src/t.ts"), "utf8")).toBe("again");
    for (const name of left()) rmSync(join(box.folder, name), { recursive: true });
  });

  test("keeps what landed and could not be published, and says where it is", async () => {
    const sample = new SampleProject({ "a.txt": "a\n" });
    sample.write({ "a.txt": "being edited\n" });
    try {
      const script = box.script("lands.yaml", "task: land\nsteps:\n  - write: { path: b.txt, content: b }\n");
      const { code, stderr } = await box.run("run", "--ephemeral", "--script", script, "--project", sample.root);
      expect(code).toBe(0);
      expect(stderr).toContain("has landed, not published");
      const [, kept = ""] = /only in (\S+),/.exec(stderr) ?? [];
      expect([existsSync(kept), sample.read("a.txt")]).toEqual([true, "being edited\n"]);
      const [, how = ""] = /To get it: (.*)/.exec(stderr) ?? [];
      expect(how).not.toBe("");
    } finally {
      sample.remove();
      for (const name of left()) rmSync(join(box.folder, name), { recursive: true });
    }
  });

  test("ends with the run's result, and keeps what did not land", async () => {
    const steps = "  - write: { path: src/kept.ts, content: kept }\n  - run: exit 3\n";
    const script = box.script("fails.yaml", `task: fail\nsteps:\n${steps}`);
    const { code, stdout, stderr } = await box.run("run", "--ephemeral", "--wait", "--script", script, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ state: "failed" });
    // What did not land is there when the daemon is gone, and only that.
    const [, kept = ""] = /What did not land is kept in (\S+): src\/kept\.ts\./.exec(stderr) ?? [];
    expect(readFileSync(join(kept, "src/kept.ts"), "utf8")).toBe("kept");
    rmSync(kept, { recursive: true });
    expect(left()).toEqual([]);
  });

  test("tells how the run ended also where what did not land cannot be kept, and leaves that where it is", async () => {
    const steps = "  - write: { path: src/kept.ts, content: kept }\n  - run: exit 3\n";
    const script = box.script("fails-full.yaml", `task: fail\nsteps:\n${steps}`);
    // As on a disk that is full: nothing can be made for what is left.
    const full = `import { promises } from "node:fs"; import { syncBuiltinESMExports } from "node:module";
      const { mkdtemp } = promises;
      promises.mkdtemp = async (prefix) => {
        if (prefix.endsWith("-left-")) throw new Error("ENOSPC: no space left on device");
        return await mkdtemp(prefix);
      };
      syncBuiltinESMExports();`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(full)}` };
    const running = box.start(["run", "--ephemeral", "--script", script, "--json"], box.project, env);
    const { code, stdout, stderr } = await running.ended;
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { state: "failed" }]);
    expect(stderr).toContain("could not be put into a folder: ENOSPC: no space left on device");
    const [, home = ""] = /It is only in (\S+), which therefore stays/.exec(stderr) ?? [];
    // Its daemon is gone, its keepers are going, and another one finds it.
    await expect.poll(() => processesWith(home)).toEqual([]);
    const there = { SIGNALBOX_HOME: home };
    try {
      expect((await box.start(["up", "-d"], box.project, there).ended).code).toBe(0);
      const { stdout: trash } = await box.start(["trash", "list"], box.project, there).ended;
      expect(trash).toContain("src/kept.ts");
    } finally {
      await box.start(["down"], box.project, there).ended;
      rmSync(home, { recursive: true });
    }
    expect(left()).toEqual([]);
  });

  test("does not wait for a person who cannot come", async () => {
    const script = box.script("asks.yaml", "task: ask\nsteps:\n  - ask: anybody?\n");
    const { code, stdout } = await box.run("run", "--ephemeral", "--script", script);
    expect(stdout).toContain("nobody can reach an ephemeral daemon");
    expect(code).toBe(1);
  });

  test("is left by Ctrl-C, and takes its daemon along", async () => {
    // Nothing else on this machine sleeps so long.
    const words = `sleep\u0000600.${process.pid}`;
    const script = box.script("sleeps.yaml", `task: sleep\nsteps:\n  - run: exec sleep 600.${process.pid}\n`);
    const running = box.start(["run", "--ephemeral", "--script", script]);
    await expect.poll(() => processesWith(words)).toHaveLength(1);
    const [gone = 0] = processesWith(words);
    running.signal("SIGINT");
    expect(await running.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("private daemon were ended") as string,
    });
    expect(() => process.kill(gone, 0), "the run's own process is gone, too").toThrow("ESRCH");
    expect(left()).toEqual([]);
  });

  test("a folder that is none and a bad script are refused before anything starts", async () => {
    const script = box.script("bad.yaml", "steps: 5\n");
    expect((await box.run("run", "--ephemeral", "--script", script, "--project", "/nowhere")).code).toBe(2);
    expect(await box.run("run", "--ephemeral", "--script", script)).toMatchObject({
      code: 2,
      stderr: "signalbox: The script is not right at task: it is missing.\n",
    });
    expect(left()).toEqual([]);
  });
});
