import { existsSync, lstatSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAlive } from "../../src/cli/is-alive.ts";
import { Sandbox } from "./cli-process.ts";
import { keptPort } from "../support/free-ports.ts";

type Up = { pid: number; url: string; loginUrl: string; version: string; home: string };
type Run = { run: string; state: string; because: string | null };

describe("the daemon", () => {
  const box = new Sandbox();
  afterAll(() => box.close());

  test("is started, asked, and ended", async () => {
    const none = await box.run("status", "--json");
    expect(none.code).toBe(5);
    expect(JSON.parse(none.stdout)).toMatchObject({ error: { code: "daemon-not-running" } });
    expect((await box.run("ps")).stderr).toContain("signalbox up -d");

    const up = await box.json<Up>("up", "-d", "--port", "0");
    expect(up).toMatchObject({ home: box.home, version: expect.stringMatching(/^\d/) as string });
    expect(up.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(new URL(up.loginUrl).origin).toBe(up.url);
    expect(statSync(join(box.home, "token")).mode & 0o777).toBe(0o600);
    expect(existsSync(join(box.home, "log/daemon.log"))).toBe(true);
    // The link opens the console, so it must not lie about in a file.
    expect(readFileSync(join(box.home, "log/daemon.log"), "utf8")).not.toContain("once=");

    const status = await box.json<Up & { uptimeMs: number }>("status");
    expect(status).toMatchObject({ pid: up.pid, url: up.url, version: up.version, home: box.home, projects: 0 });
    expect(status.uptimeMs).toBeGreaterThanOrEqual(0);
    expect(await box.ok("status")).toContain(`runs at ${up.url} (pid ${up.pid}`);

    const again = await box.json<Up>("up", "-d", "--port", "0");
    expect(again).toMatchObject({ pid: up.pid, url: up.url });
    expect(again.loginUrl).not.toBe(up.loginUrl);
    expect(await box.ok("up")).toContain("runs already");
    expect(await box.json("login")).toMatchObject({ url: expect.stringContaining(up.url) as string });
    expect(await box.json("version")).toMatchObject({ version: up.version, daemon: up.version });
    expect(await box.json("doctor")).toMatchObject({ running: true, ok: true });

    expect(await box.json("down")).toEqual({ ended: true, pid: up.pid, left: { runs: 0, agents: 0 } });
    expect(isAlive(up.pid)).toBe(false);
    expect(await box.json("down")).toEqual({ ended: false, pid: null });
    expect(await box.json("doctor")).toMatchObject({ running: false });
  });

  test("stays in the foreground until it is told to end", async () => {
    const daemon = box.start(["up", "--port", "0"]);
    await daemon.line((line) => line.includes("runs at"));
    expect(await box.json<Up>("status")).toMatchObject({ home: box.home });
    daemon.signal("SIGINT");
    expect(await daemon.ended).toMatchObject({ code: 0 });
    expect((await box.run("status")).code).toBe(5);
  });

  test("comes back at the port that it had when nobody asks for another", async () => {
    const first = await box.json<Up>("up", "-d", "--port", String(await keptPort()));
    await box.ok("down");
    // Whoever has the usual port now does not matter: the last one is tried first.
    expect((await box.json<Up>("up", "-d")).url).toBe(first.url);
    await box.ok("down");
  });

  test("says why it does not start, and where its log is", async () => {
    const other = new Sandbox();
    try {
      const { url } = await other.json<Up>("up", "-d", "--port", "0");
      const { code, stderr } = await box.run("up", "-d", "--port", new URL(url).port);
      expect(code).toBe(3);
      expect(stderr).toContain(`port ${new URL(url).port}`);
      expect(stderr).toContain(join(box.home, "log/daemon.log"));
    } finally {
      await other.close();
    }
  });
});

describe("projects, runs and policies", () => {
  const box = new Sandbox();
  const writes = box.script(
    "writes.yaml",
    "task: write a file\nplan: [file:src/a.ts]\nsteps:\n  - say: hello\n  - write: { path: src/a.ts, content: a }\n  - run: echo made\n",
  );
  const fails = box.script("fails.yaml", "task: fail\nsteps:\n  - fail: on purpose\n");
  const says = box.script("says.yaml", "task: say\nsteps:\n  - say: hello\n");
  const asks = box.script("asks.yaml", "task: ask\nsteps:\n  - ask: which one?\n  - say: thanks\n");
  afterAll(() => box.close());
  beforeAll(async () => {
    await box.ok("up", "-d", "--port", "0");
  });

  test("projects are added, found, changed and forgotten", async () => {
    const added = await box.json<{ project: string }>("project", "add", ".", "--process", "test=npm test");
    expect(added).toMatchObject({ name: "shop", root: box.project });
    expect((await box.run("project", "add", ".")).code).toBe(3);
    expect(await box.ok("project", "list")).toMatch(
      new RegExp(`shop  ${added.project}  ${box.project}  main +[0-9a-f]{12} +yes +test`),
    );
    await box.ok("project", "change", "shop", "--process", "db@agent=./db --port 0", "--remove-process", "test");
    expect(await box.json("project", "show")).toMatchObject({
      project: { name: "shop", processes: { db: { argv: ["./db", "--port", "0"], scope: "agent" } } },
    });
    const typo = await box.run("project", "show", "shpo");
    expect(typo).toMatchObject({ code: 4, stderr: expect.stringContaining("Did you mean shop?") as string });
    expect(await box.ok("project", "rm", "shop")).toBe("shop\n");
    await box.ok("project", "add", box.project);
  });

  test("a run is submitted, watched, listed and shown", async () => {
    const { stdout } = await box.run("run", "--script", writes, "--wait");
    expect(stdout).toContain("says: hello");
    expect(stdout).toContain("| made");
    expect(stdout).toContain("landing → done");

    const { run } = await box.json<Run>("run", "named", "--script", writes, "--tag", "nightly", "--priority", "3");
    expect(await box.ok("wait", run)).toBe(`${run} done (it changed nothing)\n`);
    expect(await box.json("inspect", run)).toMatchObject({
      kind: "run",
      run: { id: run, title: "named", priority: 3, tags: ["nightly"], plan: ["file:src/a.ts"] },
    });
    expect(await box.ok("inspect", run)).toMatch(/^run +r_\w+\ntitle +named\n/);
    expect(await box.json("ps", "-a", "--tag", "nightly")).toMatchObject({ runs: [{ id: run }], total: 1 });
    expect(await box.ok("ps", "--state", "done")).toContain(run);
    expect(await box.ok("logs", run)).toContain("c_");
    const events = (await box.ok("logs", run, "--json")).trim().split("\n");
    expect(events.map((line) => (JSON.parse(line) as { type: string }).type)).toContain("run.submitted");
    // What it started is ended first, which is told a moment after it is done.
    await expect.poll(async () => (await box.run("rm", run)).code).toBe(0);
    expect((await box.run("inspect", run)).code).toBe(4);
  });

  test("a run that fails says so with its exit code, and can be tried again", async () => {
    const { code, stdout } = await box.run("run", "--script", fails, "--wait", "--json");
    expect(code).toBe(1);
    const { run } = JSON.parse(stdout) as Run;
    expect(JSON.parse(stdout)).toMatchObject({ state: "failed", id: run });
    const { run: second } = await box.json<Run>("retry", run);
    expect(second).not.toBe(run);
    expect((await box.run("wait", run, second)).code).toBe(1);
  });

  test("a run that asks is answered", async () => {
    const { run } = await box.json<Run>("run", "--script", asks);
    const waiting = box.start(["wait", run]);
    const asked = box.start(["logs", "-f", run]);
    await asked.line((line) => line.includes("asks: which one?"));
    const { code, stderr } = await waiting.ended;
    expect([code, stderr]).toEqual([9, expect.stringContaining(`Answer with: signalbox answer ${run} TEXT`)]);
    const { run: next } = await box.json<Run>("run", "--script", says, "--after", run);
    expect((await box.run("wait", next, "--timeout", "0s")).code).toBe(6);
    expect(await box.ok("answer", run, "the second")).toBe(`${run}\n`);
    await box.ok("wait", run, next);
    expect((await asked.ended).stdout).toContain("is answered: the second");
    expect((await box.run("answer", run, "again")).code).toBe(3);
    await box.ok("continue", run, "one more thing");
    await box.ok("wait", run);
  });

  test("runs are paused, resumed and stopped", async () => {
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await box.ok("run", "--script", asks, "--tag", "held")).trim());
    const [first = "", second = ""] = ids;
    await box.ok("pause", first);
    expect(await box.json("inspect", first)).toMatchObject({ run: { state: "paused" } });
    await box.ok("resume", first);
    expect(await box.json("stop", second, "--because", "enough")).toEqual({ runs: [second], errors: [] });
    expect(await box.json("inspect", second)).toMatchObject({ run: { state: "terminated", because: "enough" } });
    const { runs } = await box.json<{ runs: string[] }>("kill", "--tag", "held");
    expect(runs.toSorted()).toEqual(ids.filter((id) => id !== second).toSorted());
    expect(await box.json("stop", "--all")).toEqual({ runs: [], errors: [] });
  });

  test("a policy decides that a person approves", async () => {
    const file = box.script("careful.yaml", "priority: 5\nrules:\n  approvalRequired: true\n  holdPatienceMs: null\n");
    await box.ok("policy", "set", "careful", "--file", file, "--project", "shop", "--max-time", "1h");
    expect(await box.json("policy", "show", "careful")).toMatchObject({
      policy: { priority: 5, rules: { approvalRequired: true, holdPatienceMs: null, maxTimeMs: 3_600_000 } },
    });
    const review = async (name: string): Promise<string> => {
      const text = `task: write\nsteps:\n  - write: { path: src/${name}.ts, content: a }\n`;
      const id = (await box.ok("run", "--script", box.script("reviewed.yaml", text))).trim();
      const follow = box.start(["logs", "-f", id]);
      await follow.line((line) => line.includes("→ review"));
      follow.signal("SIGINT");
      expect((await follow.ended).code).toBe(130);
      return id;
    };
    const approved = await review("approved");
    await box.ok("approve", approved);
    await box.ok("wait", approved);
    const returned = await review("returned");
    await box.ok("return", returned, "-m", "not yet");
    const rejected = await review("rejected");
    await box.ok("reject", rejected, "-m", "no");
    expect(await box.run("wait", rejected)).toMatchObject({ code: 1, stdout: `${rejected} rejected (no)\n` });
    await box.ok("stop", "--all");
    expect(await box.ok("policy", "list")).toContain("approvalRequired: true");
    expect(await box.json("policy", "remove", "careful")).toEqual({ policies: ["careful"], errors: [] });
    expect((await box.run("policy", "show", "careful")).code).toBe(4);
  });

  test("bad scripts and bad fields change nothing", async () => {
    const before = await box.json<{ seq: number }>("status");
    const bad = box.script("bad.yaml", "task: x\nsteps:\n  - fly: away\n");
    const { code, stderr } = await box.run("run", "--script", bad);
    expect(code).toBe(2);
    expect(stderr).toContain("steps[0]");
    expect((await box.run("run", "--script", writes, "--tag", "a b")).stderr).toContain("--tag is not right");
    expect((await box.run("run", "x", "--runner", "nobody")).code).toBe(4);
    expect((await box.run("run", "--script", writes, "--after", "r_zzzz")).code).toBe(4);
    expect(await box.json<{ seq: number }>("status")).toMatchObject({ seq: before.seq });
  });

  test("the log is whole and can be exported", async () => {
    expect(await box.json("log", "verify")).toMatchObject({ isWhole: true, damage: null });
    const lines = (await box.ok("log", "export", "--from", "1", "--to", "3")).trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2, 3]);
    const file = join(box.folder, "out.jsonl");
    const { events } = await box.json<{ events: number }>("log", "export", "--type", "run.", "-o", file);
    const written = readFileSync(file, "utf8").trim().split("\n");
    expect(written).toHaveLength(events);
    expect(written.every((line) => (JSON.parse(line) as { type: string }).type.startsWith("run."))).toBe(true);
    const nowhere = await box.run("log", "export", "-o", join(box.folder, "nowhere", "out.jsonl"));
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no such folder") as string });
    const link = join(box.folder, "link.jsonl");
    symlinkSync(file, link);
    await box.ok("log", "export", "--to", "1", "-o", link);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("a shell is proposed commands, flags and names", async () => {
    expect(await box.ok("__complete", "--", "pol")).toMatch(/^policy\t/);
    expect(await box.ok("__complete", "--", "claim", "--uni")).toMatch(/^--unit\t/);
    expect(await box.ok("__complete", "--", "claim", "--project", "")).toMatch(/^shop\t/);
    expect(await box.ok("completion", "bash")).toContain("complete -o default -F _signalbox signalbox");
  });
});
