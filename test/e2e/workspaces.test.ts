// Agents on a real repository: each in a workspace and a cage of its own, with changes that are reviewed and land.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { LogEvent } from "../../src/protocol/wire/log-event.ts";
import type { Run } from "../../src/protocol/wire/run.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { SampleProject } from "../support/sample-project.ts";

let daemon: DaemonProcess;
let client: Client;
const samples: SampleProject[] = [];

beforeAll(async () => {
  daemon = await DaemonProcess.start();
  client = await daemon.connect();
});

afterAll(async () => {
  client.close();
  await daemon.remove();
  for (const sample of samples) sample.remove();
});

describe("a workspace", () => {
  test("has the project at its own path, its history, and nothing of the machine", async () => {
    const { project, sample } = await add({ "a.txt": "a\n", "dir/b.txt": "b\n" });
    const look =
      "pwd; ls; git log --format=%s; git status --short; id -u; test -e /root/.ssh -o -e /etc/shadow || echo bare; touch /usr/x 2>&1 || true";
    const run = await finish(project, [{ run: look }]);
    const output = await outputOf(run.id);
    expect(output).toContain(sample.root);
    expect(output).toContain("the beginning");
    expect(output).toContain("1000\nbare");
    expect(output).toMatch(/touch: .*Read-only file system/);
  });

  test("one run's changes are not in another's until they have landed; the person's folder is left alone", async () => {
    const { project, sample } = await add({ "a.txt": "old\n" });
    sample.write({ "mine.txt": "uncommitted\n" });
    const writer = await submit(project, [{ write: { path: "a.txt", content: "new\n" } }, { ask: "now?" }]);
    await inState(writer, "awaiting-input");
    const reader = await finish(project, [{ run: "cat a.txt; ls" }]);
    expect(await outputOf(reader.id)).toContain("old");
    expect(await outputOf(reader.id)).not.toContain("mine.txt");
    expect(sample.read("a.txt")).toBe("old\n");
    await client.call("run.answer", { run: writer, text: "yes" });
    expect((await ended(writer)).state).toBe("done");
    const after = await finish(project, [{ run: "cat a.txt" }]);
    expect(await outputOf(after.id)).toContain("new");
    expect(sample.read("mine.txt")).toBe("uncommitted\n");
  });

  test("[LD48] a new run begins with what its person has just committed", async () => {
    const { project, sample } = await add({ "a.txt": "old\n" });
    sample.write({ "a.txt": "committed\n" });
    sample.commit("by hand");
    const reader = await finish(project, [{ run: "cat a.txt; git log --format=%s" }]);
    expect(await outputOf(reader.id)).toContain("committed\nby hand\n");
  });

  test("[LD6, LD8] a grant brings the workspace in step before anything is written, and says what moved", async () => {
    const { project } = await add({ "a.txt": "1\n", "b.txt": "1\n" });
    const early = await submit(project, [
      { run: "true" },
      { ask: "go?" },
      { edit: { path: "b.txt", find: "2", replace: "3" } },
    ]);
    await inState(early, "awaiting-input");
    const other = await finish(project, [{ write: { path: "b.txt", content: "2\n" } }]);
    expect(other.state).toBe("done");
    await client.call("run.answer", { run: early, text: "go" });
    expect((await ended(early)).state).toBe("done");
    const ready = (await eventsOf(early)).filter((event) => event.type === "lease.ready");
    expect(ready).toMatchObject([
      { moved: ["b.txt"], bases: { "file:b.txt": expect.stringMatching(/^100644:/) as unknown } },
    ]);
  });

  test("[LD15, LD16, LD60] what a command changed is claimed where that is safe, waited for where somebody holds it, and set aside where it may not be", async () => {
    const { project } = await add({ "a.txt": "a\n", "held.txt": "h\n", "fixed.txt": "f\n", ".gitignore": "/build\n" });
    await client.call("policy.set", { name: "fixed", scope: { project }, rules: { deniedPaths: ["fixed.txt"] } });
    const holder = await submit(project, [{ claim: "file:held.txt" }, { ask: "done?" }]);
    await inState(holder, "awaiting-input");
    const run = await submit(project, [
      { run: "for f in a held fixed; do echo mine >> $f.txt; done; mkdir -p build && echo x > build/out" },
      { run: "cat held.txt a.txt fixed.txt" },
    ]);
    await inState(run, "blocked");
    expect(await outputOf(run)).toContain("h\nmine\na\nmine\nf\n");
    const { items } = await client.call("trash.list", { run });
    expect(items).toMatchObject([{ path: "fixed.txt", why: "policy fixed forbids it" }]);
    const { base64 } = await client.call("trash.get", { id: items[0]?.id ?? "" });
    expect(Buffer.from(base64 ?? "", "base64").toString()).toBe("f\nmine\n");
    await client.call("run.answer", { run: holder, text: "yes" });
    await ended(holder);
    expect((await ended(run)).state).toBe("done");
    const { changes } = await client.call("run.diff", { run });
    expect(changes.map(({ path }) => path)).toEqual(["a.txt", "held.txt"]);
  });

  test("[LD25, LD38] what a run wrote is in the trash when it ends badly", async () => {
    const { project, sample } = await add({ "a.txt": "a\n" });
    const run = await finish(project, [{ write: { path: "new.txt", content: "precious\n" } }, { fail: "no" }]);
    expect(run.state).toBe("failed");
    const { items } = await client.call("trash.list", { run: run.id });
    expect(items).toMatchObject([{ path: "new.txt", base: null }]);
    expect(sample.git("log", "--format=%s")).toBe("the beginning");
  });
});

describe("the disk", () => {
  test("[SC19] a command that takes more of it than a policy allows is ended, and its run is told why", async () => {
    const { project } = await add({ "a.txt": "a\n", ".gitignore": "/scratch\n" });
    const rules = { maxDisk: 8 * 1024 * 1024 };
    await client.call("policy.set", { name: "small", scope: { project }, rules });
    const waiting = await submit(project, [
      { run: "mkdir scratch; head -c 100000 /dev/zero > scratch/x" },
      { ask: "?" },
    ]);
    await inState(waiting, "awaiting-input");
    const { workspaces, projects, freeBytes } = await client.call("disk", {});
    const [own] = workspaces.filter(({ agent }) => agent === waiting);
    expect(own).toMatchObject({ project, quotaBytes: rules.maxDisk });
    expect(own?.bytes).toBeGreaterThan(100_000);
    expect(projects.find((each) => each.project === project)?.repositoryBytes).toBeGreaterThan(0);
    expect(freeBytes).toBeGreaterThan(0);
    const fill =
      "mkdir scratch; i=0; while :; do head -c 1000000 /dev/zero > scratch/$i; i=$((i + 1)); sleep 0.02; done";
    const run = await finish(project, [{ run: fill }]);
    const because = expect.stringContaining("more of the disk than it may") as unknown;
    expect(run).toMatchObject({ state: "failed", because });
    await client.call("run.answer", { run: waiting, text: "!" });
    expect((await ended(waiting)).state).toBe("done");
  });
});

describe("landing", () => {
  test("[LD30, LD32] a candidate is tested, lands as a commit of the person with its trailers, and is published", async () => {
    const { project, sample } = await add({ "a.txt": "a\n" }, ["grep", "-q", "good", "a.txt"]);
    const run = await finish(project, [{ write: { path: "a.txt", content: "good\n" } }]);
    expect(run).toMatchObject({ state: "done", landed: sample.git("rev-parse", "main") });
    expect(sample.read("a.txt")).toBe("good\n");
    expect(sample.git("log", "-1", "--format=%an <%ae>%n%B")).toMatch(
      new RegExp(`^Eva <eva@example.org>\n.*Signalbox-Run: ${run.id}`, "s"),
    );
  });

  test("[LD30] a red test leaves mainline alone and goes to a person, with its leases", async () => {
    const { project, sample } = await add({ "a.txt": "good\n" }, ["grep", "-q", "good", "a.txt"]);
    const run = await submit(project, [{ write: { path: "a.txt", content: "bad\n" } }]);
    const seen = await inState(run, "review");
    expect(seen).toMatchObject({ because: expect.stringContaining("ended with 1") as unknown, holds: ["file:a.txt"] });
    expect(sample.read("a.txt")).toBe("good\n");
    await client.call("run.reject", { run, message: "no" });
    expect((await ended(run)).state).toBe("rejected");
  });

  test("[LD46] a test that hangs is ended by stopping its run, and the next result lands", async () => {
    const { project, sample } = await add({ "a.txt": "a\n" }, ["sh", "-c", "! grep -q bad a.txt || exec sleep 1000"]);
    const bad = await submit(project, [{ write: { path: "a.txt", content: "bad\n" } }]);
    await inState(bad, "landing");
    const good = submit(project, [{ write: { path: "b.txt", content: "b\n" } }]);
    await inState(await good, "landing");
    await client.call("run.stop", { run: bad });
    expect((await ended(bad)).state).toBe("terminated");
    expect((await ended(await good)).state).toBe("done");
    expect([sample.read("a.txt"), sample.read("b.txt")]).toEqual(["a\n", "b\n"]);
  });

  test("[LD21, LD22] in review the door is closed; approving by file and by hunk lands just that", async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const { project, sample } = await add({ "a.txt": `${lines.join("\n")}\n`, "b.txt": "b\n" });
    await client.call("policy.set", { name: `ask-${project}`, scope: { project }, rules: { approvalRequired: true } });
    const run = await submit(project, [
      { edit: { path: "a.txt", find: "line 2\n", replace: "LINE 2\n" } },
      { edit: { path: "a.txt", find: "line 15\n", replace: "LINE 15\n" } },
      { write: { path: "b.txt", content: "B\n" } },
    ]);
    await inState(run, "review");
    const { changes } = await client.call("run.diff", { run });
    expect(changes.map(({ path, hunks }) => [path, hunks.length])).toEqual([
      ["a.txt", 2],
      ["b.txt", 1],
    ]);
    const second = changes[0]?.hunks[1]?.id ?? "";
    await client.call("run.approve", { run, hunks: { "a.txt": [second] } });
    const left = await published(await inState(run, "review", (seen) => seen.landed !== null));
    expect(sample.read("a.txt")).toBe(`${lines.join("\n").replace("line 15", "LINE 15")}\n`);
    expect(left.changes).toEqual(["a.txt", "b.txt"]);
    await expect(client.call("run.approve", { run, files: ["nowhere.txt"] })).rejects.toThrow(/nowhere/);
    await client.call("run.approve", { run, files: ["a.txt", "b.txt"] });
    expect((await ended(run)).state).toBe("done");
    expect([sample.read("a.txt"), sample.read("b.txt")]).toEqual([
      `${lines.join("\n").replace("line 15", "LINE 15").replace("line 2\n", "LINE 2\n")}\n`,
      "B\n",
    ]);
  });

  test("[LD42, LD43] a person's commits come first, and their uncommitted work is never touched", async () => {
    const { project, sample } = await add({ "a.txt": "a\n", "b.txt": "b\n" });
    const run = await submit(project, [{ write: { path: "a.txt", content: "A\n" } }, { ask: "go?" }]);
    await inState(run, "awaiting-input");
    sample.write({ "b.txt": "by hand\n" });
    sample.commit("by hand");
    sample.write({ "b.txt": "being edited\n" });
    await client.call("run.answer", { run, text: "go" });
    const done = await ended(run);
    expect(done.state).toBe("done");
    const { project: view } = await client.call("project.get", { project });
    expect(view.notPublished).toMatchObject({ why: expect.any(String) as unknown, how: expect.any(String) as unknown });
    expect([sample.read("a.txt"), sample.read("b.txt")]).toEqual(["a\n", "being edited\n"]);
    sample.git("checkout", "--quiet", "b.txt");
    const next = await finish(project, [{ write: { path: "c.txt", content: "c\n" } }]);
    expect(next.state).toBe("done");
    expect([sample.read("a.txt"), sample.read("b.txt"), sample.read("c.txt")]).toEqual(["A\n", "by hand\n", "c\n"]);
    expect(sample.git("status", "--short")).toBe("");
  });

  test("[LD29, LD31] a change in the same place goes back to its run, and mainline keeps the person's", async () => {
    const { project, sample } = await add({ "a.txt": "a\n" });
    const run = await submit(project, [{ write: { path: "a.txt", content: "mine\n" } }, { ask: "go?" }]);
    await inState(run, "awaiting-input");
    sample.write({ "a.txt": "theirs\n" });
    sample.commit("by hand");
    await client.call("run.answer", { run, text: "go" });
    // A script cannot resolve anything, so it fails; its side is in the trash.
    const over = await ended(run);
    expect(over).toMatchObject({ state: "failed", because: expect.stringContaining("a.txt") as unknown });
    expect(sample.read("a.txt")).toBe("theirs\n");
    expect((await client.call("trash.list", { run })).items).toMatchObject([{ path: "a.txt" }]);
  });

  test("[LD20] a path that a run lost while it was cut off is claimed again before the work is judged", async () => {
    const { project, sample } = await add({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n" });
    await client.call("policy.set", {
      name: `patient-${project}`,
      scope: { project },
      rules: { approvalRequired: true, holdPatienceMs: 0 },
    });
    const first = await submit(project, [{ edit: { path: "a.txt", find: "1\n", replace: "one\n" } }]);
    await inState(first, "review");
    const second = await submit(project, [{ edit: { path: "a.txt", find: "7\n", replace: "seven\n" } }]);
    await inState(second, "review");
    await client.call("run.approve", { run: second });
    expect((await ended(second)).state).toBe("done");
    await client.call("run.return", { run: first, message: "again" });
    await inState(first, "review", (seen) => seen.holds.length > 0);
    await client.call("run.approve", { run: first });
    expect((await ended(first)).state).toBe("done");
    expect(sample.read("a.txt")).toBe("one\n2\n3\n4\n5\n6\nseven\n");
  });
});

test("[LD3, LD12, LD37] kill -9 of the daemon at any moment: commands go on, nothing is written or landed twice", async () => {
  const { project, sample } = await add({ "log.txt": "end\n", "slow.sh": "sleep 1; echo ran >> log2.txt\n" }, ["true"]);
  const runs: string[] = [];
  for (let at = 0; at < 6; at++) {
    runs.push(
      await submit(project, [
        { edit: { path: "log.txt", find: "end\n", replace: `${at}\nend\n` } },
        { run: "sh slow.sh" },
        { say: `did ${at}` },
      ]),
    );
  }
  for (let kills = 0; kills < 4; kills++) {
    const after = (await client.call("status", {})).seq;
    for await (const event of client.events({ after })) {
      // Somewhere else each time: in a command, at a landing, while a workspace is brought in step.
      const types = ["call.started", "landing.intended", "lease.granted", "run.landed"];
      if (event.type === types[kills]) break;
    }
    await daemon.kill();
    client.close();
    await daemon.up();
    client = await daemon.connect();
  }
  for (const run of runs) expect((await ended(run)).state).toBe("done");
  const numbers = sample.read("log.txt").trim().split("\n").slice(0, -1).toSorted();
  expect(numbers).toEqual(["0", "1", "2", "3", "4", "5"]);
  expect(sample.read("log2.txt")).toBe("ran\n".repeat(6));
  expect(sample.git("log", "--format=%s").split("\n")).toHaveLength(7);
});

async function add(
  files: Readonly<Record<string, string>>,
  landingTest: string[] | null = null,
): Promise<{ project: string; sample: SampleProject }> {
  const sample = new SampleProject(files);
  samples.push(sample);
  const { project } = await client.call("project.add", { root: sample.root, landingTest });
  return { project, sample };
}

async function submit(project: string, steps: readonly object[]): Promise<string> {
  const script = JSON.stringify({ task: "try", steps });
  return (await client.call("run.submit", { project, runner: "script", script })).run;
}

async function finish(project: string, steps: readonly object[]): Promise<Run> {
  return ended(await submit(project, steps));
}

/** Waits until the run is over, and what it landed was brought to the person's branch, or not. */
async function ended(run: string): Promise<Run> {
  await client.waitForRun(run);
  return published((await client.call("run.get", { run })).run);
}

async function published(seen: Run): Promise<Run> {
  if (seen.landed === null) return seen;
  for (let after = 0; ;) {
    const page = await client.call("events.read", { types: ["mainline.published"], project: seen.project, after });
    if (page.events.some((event) => event["commit"] === seen.landed)) return seen;
    for await (const event of client.events({ after: page.next, project: seen.project })) {
      after = event.seq - 1;
      if (event.type === "mainline.published") break;
    }
  }
}

/** Waits until the run is in a state, and as wanted there. */
async function inState(run: string, state: Run["state"], wanted: (run: Run) => boolean = () => true): Promise<Run> {
  for (;;) {
    const { run: seen, reached } = await client.call("run.wait", { run, states: [state], waitMs: 20_000 });
    if (reached && wanted(seen)) return seen;
    if (["done", "failed", "rejected", "terminated"].includes(seen.state) && seen.state !== state)
      throw new Error(`${run} is ${seen.state}: ${seen.because}`);
    if (reached) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function eventsOf(run: string): Promise<LogEvent[]> {
  return (await client.call("run.log", { run, limit: 1000 })).events;
}

/** What its commands printed, as far as the record has it. */
async function outputOf(run: string): Promise<string> {
  const finished = (await eventsOf(run)).filter((event) => event.type === "call.finished" && event["tool"] === "run");
  return finished.map((event) => String(event["summary"])).join("");
}
