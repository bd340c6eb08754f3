// From a run to a person's branch by the command line alone: the demo, a review, a part of it, and what was set aside.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processesWith } from "../support/processes-with.ts";
import { SampleProject } from "../support/sample-project.ts";
import { Sandbox } from "./cli-process.ts";

type Run = { run: string; state: string; landed: string | null; because: string | null };
type Demo = { folder: string; project: { notPublished: unknown }; runs: (Run & { id: string })[] };

describe("signalbox demo", () => {
  const box = new Sandbox();
  afterAll(() => box.close());

  test("lands five runs on a repository of its own, and leaves nothing running", async () => {
    const folder = join(box.folder, "sample");
    const { runs, project, folder: told } = await box.json<Demo>("demo", "--folder", folder);
    expect([told, project.notPublished]).toEqual([folder, null]);
    expect(runs.map(({ state }) => state)).toEqual(Array(5).fill("done"));
    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
    const commits = git("log", "--format=%H", "main").split("\n");
    expect(commits).toHaveLength(6);
    expect(commits).toEqual(expect.arrayContaining(runs.map(({ landed }) => landed)));
    expect([git("status", "--porcelain"), git("symbolic-ref", "--short", "HEAD")]).toEqual(["", "main"]);
    expect(git("log", "-1", "--format=%b")).toContain("Signalbox-Run: r_");
    expect(readFileSync(join(folder, "CHANGELOG.md"), "utf8").match(/^- /gm)).toHaveLength(7);

    const again = await box.run("demo", "--folder", folder);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("is there already") as string });
    expect(processesWith(box.folder).length).toBeGreaterThan(0);
    await box.ok("down");
    expect(processesWith(box.folder)).toEqual([]);
  });
});

describe("signalbox demo --stay", () => {
  const box = new Sandbox();
  afterAll(() => box.close());

  test("is the demo of the console: three more stay, one of them for the person", async () => {
    const folder = join(box.folder, "sample");
    const { runs, staying } = await box.json<Demo & { staying: string[] }>("demo", "--stay", "--folder", folder);
    expect(runs.map(({ state }) => state)).toEqual(Array(5).fill("done"));
    const [review = "", works = "", waits = ""] = staying;
    await expect
      .poll(async () => (await box.json<{ items: { run: string }[] }>("inbox", "--kind", "review")).items)
      .toMatchObject([{ run: review }]);
    const behind = async (): Promise<unknown> =>
      (await box.json<{ queue: { holder: string; behind: { holder: string }[] }[] }>("locks")).queue;
    await expect.poll(behind).toMatchObject([{ holder: waits, behind: [{ holder: works }] }]);
    await box.ok("stop", review, works, waits);
  });
});

describe("what a person takes off their branch after it has landed", () => {
  const box = new Sandbox();
  const sample = new SampleProject({ "a.txt": "a\n" });
  afterAll(async () => {
    await box.close();
    sample.remove();
  });

  test("[LD58] is listed with the trash, and the command that stands there brings it back", async () => {
    await box.ok("up", "-d", "--port", "0");
    await box.ok("project", "add", sample.root, "--name", "shop");
    const land = async (path: string): Promise<void> => {
      const script = box.script(`${path}.yaml`, `task: ${path}\nsteps: [{ write: { path: ${path}, content: new } }]\n`);
      await box.ok("run", "--project", "shop", "--script", script, "--wait");
    };
    await land("b.txt");
    expect(await box.json("trash", "list")).toEqual({ items: [] });
    sample.git("reset", "--quiet", "--hard", "HEAD~1");
    sample.write({ "c.txt": "c\n" });
    sample.commit("mine");
    await land("d.txt");
    type Trash = { items: unknown[]; dropped: { title: string; how: string; projectName: string }[] };
    const { items, dropped } = await box.json<Trash>("trash", "list");
    expect([items, dropped.map(({ projectName }) => projectName)]).toEqual([[], ["shop"]]);
    const how = dropped[0]?.how ?? "";
    expect(await box.ok("trash", "list", "--project", "shop")).toContain(how);

    execFileSync("sh", ["-c", how], { cwd: sample.root, stdio: "ignore" });
    expect(sample.read("b.txt")).toBe("new");
  });
});

describe("reviewing", () => {
  const box = new Sandbox();
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("");
  const sample = new SampleProject({ "a.txt": lines, "run.sh": "#!/bin/sh\n" });
  const changes = box.script(
    "changes.yaml",
    `task: change some things
steps:
  - edit: { path: a.txt, find: "line 2\\n", replace: "LINE 2\\n" }
  - edit: { path: a.txt, find: "line 15\\n", replace: "LINE 15\\n" }
  - run: printf '\\000\\377' > image.bin
  - write: { path: new.txt, content: "new\\n" }
`,
  );
  afterAll(async () => {
    await box.close();
    sample.remove();
  });
  beforeAll(async () => {
    await box.ok("up", "-d", "--port", "0");
    await box.ok("project", "add", sample.root, "--name", "shop", "--test", "grep -q line a.txt");
    await box.ok("policy", "set", "look", "--project", "shop", "--approval-required");
  });

  async function inReview(script: string): Promise<string> {
    const { run } = await box.json<Run>("run", "--project", "shop", "--script", script);
    await untilInReview(run);
    return run;
  }

  async function untilInReview(run: string): Promise<void> {
    for (;;) {
      const { run: seen } = await box.json<{ run: Run }>("inspect", run);
      if (seen.state === "review") return;
      if (seen.state === "failed") throw new Error(`${run} failed: ${seen.because}`);
    }
  }

  test("a part lands, then the rest; the branch has both and its history is a line", async () => {
    const run = await inReview(changes);
    expect(await box.ok("review")).toContain("change some things");
    const { stdout, stderr } = await box.run("review", run);
    expect(stdout).toContain("a.txt has 2 hunks: 1 at line 3, 2 at line 16");
    expect(stdout).toContain("+LINE 15");
    expect(stderr).toContain(`signalbox approve ${run} --hunk PATH:1,3`);
    const [, seen = ""] = /--seen ([0-9a-f]{16})/.exec(stderr) ?? [];

    // As a patch it can be applied by git itself.
    const patch = await box.ok("diff", run);
    const other = execFileSync("git", ["-C", sample.root, "apply", "--check", "--exclude=image.bin", "-"], {
      input: patch,
    });
    expect(other.toString()).toBe("");
    expect(await box.ok("diff", run, "--stat")).toBe("M a.txt  +2 -2\nA image.bin  not text, 2 B\nA new.txt  +1 -0\n");
    expect(await box.ok("diff", run, "--step", "1")).toContain("+LINE 15");

    expect(await box.run("approve", run, "--hunk", "a.txt:9")).toMatchObject({ code: 4 });
    expect(await box.run("approve", run, "--hunk", "a.txt")).toMatchObject({ code: 2 });
    expect(await box.run("approve", run, "--seen", "0".repeat(16))).toMatchObject({ code: 3 });
    const part = await box.run("approve", run, "--seen", seen, "--hunk", "a.txt:2", "--file", "image.bin");
    expect(part).toMatchObject({ code: 0, stdout: `${run}\n` });
    await landed(sample, 2);
    expect(sample.read("a.txt")).toBe(lines.replace("line 15", "LINE 15"));

    // It is in review again, with the rest.
    await untilInReview(run);
    const rest = await box.run("land", run);
    expect(rest.code).toBe(0);
    expect(rest.stdout.trim()).toBe(sample.git("rev-parse", "main"));
    expect(rest.stderr).toContain("is on main");
    expect(sample.read("a.txt")).toContain("LINE 2\n");
    expect(readFileSync(join(sample.root, "image.bin"))).toEqual(Buffer.from([0, 255]));
    expect([sample.git("status", "--porcelain"), sample.git("rev-list", "--count", "main")]).toEqual(["", "3"]);
    expect(await box.ok("inspect", run)).toContain(sample.git("rev-parse", "main"));
    expect(await box.ok("project", "list")).toMatch(/shop .* main +[0-9a-f]{12} +yes/);
    expect(await box.ok("land", run)).toBe(`${sample.git("rev-parse", "main")}\n`);
  });

  test("a red test lands nothing, and land says why", async () => {
    await box.ok("project", "change", "shop", "--test", "false");
    expect(await box.ok("project", "show", "shop")).toMatch(/^test +false/m);
    const run = await inReview(
      box.script("red.yaml", "task: red\nsteps: [{ write: { path: red.txt, content: x } }]\n"),
    );
    const { code, stdout, stderr } = await box.run("land", run);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/is in review: false ended with 1/);
    expect(existsSync(join(sample.root, "red.txt"))).toBe(false);
    await box.ok("reject", run, "-m", "no");
    await box.ok("project", "change", "shop", "--no-test");
    expect(await box.ok("project", "show", "shop")).toContain("land untested");
  });

  test("[LD33] one whose hold ran out while others worked on its file is seen through, or said to be looked at again, or to be set aside", async () => {
    await box.ok("policy", "set", "look", "--project", "shop", "--approval-required", "--hold-patience", "1s");
    const editing = (at: number, by: string): string =>
      box.script(
        `${by}-${at}.yaml`,
        `task: ${by}\nsteps: [{ edit: { path: a.txt, find: "line ${at}\\n", replace: "${by} ${at}\\n" } }]\n`,
      );
    const [late, same] = [await inReview(editing(5, "late")), editing(7, "same")];
    const landNext = async (script: string): Promise<void> => {
      // It waits until the one in review has held for long enough.
      expect(await box.run("land", await inReview(script))).toMatchObject({ code: 0 });
    };
    await landNext(editing(10, "first"));
    const again = await box.run("land", late);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain("is in review: others have worked on its paths since it was last looked at");
    expect(await box.run("land", late)).toMatchObject({ code: 0 });
    expect([sample.read("a.txt").includes("late 5\n"), sample.read("a.txt").includes("first 10\n")]).toEqual([
      true,
      true,
    ]);

    const lost = await inReview(same);
    await landNext(
      box.script("seven.yaml", 'task: seven\nsteps: [{ edit: { path: a.txt, find: "line 7", replace: "seven" } }]\n'),
    );
    const aside = await box.run("land", lost);
    expect(aside).toMatchObject({ code: 1, stdout: "" });
    expect(aside.stderr).toMatch(/is done: all that it changed was set aside.*trash list --run/s);
    await box.ok("policy", "set", "look", "--project", "shop", "--approval-required");
  });

  test("what was rejected is had back from the trash, byte for byte", async () => {
    const run = await inReview(
      box.script("kept.yaml", "task: keep\nsteps:\n  - run: printf '\\000\\377' > kept.bin; chmod +x kept.bin\n"),
    );
    await box.ok("reject", run, "-m", "not now");
    expect(await box.run("land", run)).toMatchObject({ code: 3 });
    type Items = { items: { id: string; path: string }[] };
    let items: Items["items"] = [];
    while (items.length === 0) ({ items } = await box.json<Items>("trash", "list", "--run", run));
    expect(items).toMatchObject([{ path: "kept.bin" }]);
    const id = items[0]?.id ?? "";
    expect(await box.ok("trash", "list")).toContain(id);
    expect(Buffer.from(await box.ok("trash", "restore", id))).toHaveLength(1 + "\ufffd".length * 3);
    const to = join(box.folder, "back/kept.bin");
    expect(await box.ok("trash", "restore", id, "--to", to)).toBe(`${to}\n`);
    expect(readFileSync(to)).toEqual(Buffer.from([0, 255]));
    expect(statSync(to).mode & 0o100).toBe(0o100);
    expect(await box.run("trash", "restore", id, "--to", to)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--force") as string,
    });
    await box.ok("trash", "restore", id, "--to", to, "--force");
    expect(await box.run("trash", "restore", id, "--to", box.folder)).toMatchObject({ code: 2 });
    await box.ok("trash", "purge", id);
    expect(await box.run("trash", "restore", id)).toMatchObject({ code: 4 });
    expect(await box.run("trash", "purge", "r_1")).toMatchObject({ code: 2 });
  });

  test("[LD50] lands on a branch of its own for a pull request, says how to push it, and leaves main alone", async () => {
    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", sample.root, ...args], { encoding: "utf8" }).trim();
    await box.ok("project", "change", "shop", "--branch", "ai/{run}");
    const main = git("rev-parse", "main");
    const run = await inReview(
      box.script("branch.yaml", "task: x\nsteps:\n  - write: { path: pr.txt, content: pr }\n"),
    );
    const { code, stdout, stderr } = await box.run("land", run);
    expect(code).toBe(0);
    expect(git("rev-parse", `ai/${run}`)).toBe(stdout.trim());
    expect(stderr).toContain(`git -C ${sample.root} push -u origin ai/${run}`);
    expect(git("show", `ai/${run}:pr.txt`)).toBe("pr");
    expect([git("rev-parse", "main"), git("rev-parse", `ai/${run}^`)]).toEqual([main, main]);
    await box.ok("project", "change", "shop", "--no-branch");
  });
});

/** Waits until the branch has as many commits. */
async function landed(sample: SampleProject, count: number): Promise<void> {
  await expect.poll(() => sample.git("rev-list", "--count", "main")).toBe(String(count));
}
