import { describe, expect, test } from "vitest";
import { makeEvent, makeProject, makeRun } from "../../../test/support/wire-samples.ts";
import { tryCli } from "../testing/try-cli.ts";

const seen = "0123456789abcdef";
const commit = "c".repeat(40);

describe("approve", () => {
  const answers = { "run.approve": {}, "run.get": { run: makeRun("r_1", { state: "landing" }) } };

  test.each([
    [["r_1"], { run: "r_1" }],
    [["r_1", "--seen", seen], { run: "r_1", seen }],
    [["r_1", "--file", "a", "--file", "b c"], { run: "r_1", files: ["a", "b c"] }],
    [["r_1", "--files", "a", "--hunks", "b:1"], { run: "r_1", files: ["a"], hunks: { b: ["1"] } }],
    [
      ["r_1", "--hunk", "a:1,3", "--hunk", "a:2", "--hunk", "x:y:1"],
      { run: "r_1", hunks: { a: ["1", "3", "2"], "x:y": ["1"] } },
    ],
  ])("%j", async (words, input) => {
    const { calls, exitCode, stdout } = await tryCli(["approve", ...words], answers);
    expect(calls[0]).toEqual(["run.approve", input]);
    expect([exitCode, stdout]).toEqual([0, "r_1\n"]);
  });

  test.each([
    [["r_1", "--hunk", "a"], "PATH:N,N"],
    [["r_1", "--hunk", "a:"], "PATH:N,N"],
    [["r_1", "--hunk", "a:1,"], "PATH:N,N"],
    [["r_1", "--hunk", ":1"], "PATH:N,N"],
    [["r_1", "--hunk", "a:x"], "PATH:N,N"],
    [["r_1", "r_2", "--file", "a"], "one run at a time"],
    [["r_1", "--seen", "latest"], "signalbox review shows"],
  ])("%j is refused, and nobody is asked", async (words, message) => {
    const { calls, exitCode, stderr } = await tryCli(["approve", ...words], answers);
    expect([exitCode, calls]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });
});

describe("land", () => {
  const landed = makeRun("r_1", { state: "done", landed: commit });
  const log = { events: [makeEvent(7, "run.landed", { run: "r_1" })], next: 7, more: false };
  const published = { events: [makeEvent(9, "mainline.published", { project: "p_1" })], next: 9, more: false };
  const answers = {
    "run.get": { run: makeRun("r_1", { state: "review" }) },
    "run.approve": {},
    "run.wait": { run: landed, reached: true },
    "run.log": log,
    "events.read": published,
    "project.get": { project: makeProject("track") },
    "trash.list": { items: [] },
  };

  test("approves, waits until it is on the branch, and prints the commit", async () => {
    const { exitCode, stdout, stderr, calls } = await tryCli(["land", "r_1", "--seen", seen], answers);
    expect([exitCode, stdout]).toEqual([0, `${commit}\n`]);
    expect(stderr).toContain("r_1 has landed and is on main.");
    expect(calls).toContainEqual(["run.approve", { run: "r_1", seen }]);
    expect(calls).toContainEqual([
      "events.read",
      { after: 7, types: ["mainline.published"], project: "p_1", limit: 1 },
    ]);
  });

  test("hears of the publication when it comes later", async () => {
    const events = [
      makeEvent(8, "run.moved", { project: "p_1" }),
      makeEvent(9, "mainline.published", { project: "p_1" }),
    ];
    const later = { ...answers, "events.read": { events: [], next: 7, more: false } };
    expect(await tryCli(["land", "r_1"], later, { events })).toMatchObject({ exitCode: 0, stdout: `${commit}\n` });
  });

  test("says why the branch does not have it, and how to get it", async () => {
    const notPublished = { commit, why: "main is being edited", how: "git merge\u001b[2J" };
    const other = { ...answers, "project.get": { project: makeProject("track", { notPublished }) } };
    const { exitCode, stderr } = await tryCli(["land", "r_1"], other);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("landed, not published: main is being edited.\nTo get it: git merge␛[2J");
  });

  test("on a branch of its own is where somebody pushes it from, and no publication is waited for", async () => {
    const own = makeRun("r_1", { state: "done", landed: commit, landedOn: "signalbox/r_1" });
    const { stderr, calls } = await tryCli(["land", "r_1"], { ...answers, "run.wait": { run: own, reached: true } });
    expect(stderr).toContain("r_1 has landed on the branch signalbox/r_1.\nTo push it: git -C ");
    expect(stderr).toMatch(/ push -u origin signalbox\/r_1\n/);
    expect(calls.map(([name]) => name)).not.toContain("events.read");
  });

  test("a red test ends with 1 and says so", async () => {
    const back = makeRun("r_1", { state: "review", because: "npm ended with 1: " });
    const { exitCode, stdout, stderr } = await tryCli(["land", "r_1"], {
      ...answers,
      "run.wait": { run: back, reached: true },
    });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("r_1 is in review: npm ended with 1.\n");
  });

  test("one that is landing already is only waited for", async () => {
    const under = { ...answers, "run.get": { run: makeRun("r_1", { state: "landing" }) } };
    const { exitCode, calls } = await tryCli(["land", "r_1"], under);
    expect(exitCode).toBe(0);
    expect(calls.map(([name]) => name)).not.toContain("run.approve");
  });

  test.each(["queued", "blocked", "running", "paused", "failed", "rejected"] as const)(
    "a run that is %s cannot land",
    async (state) => {
      const { exitCode, stderr, calls } = await tryCli(["land", "r_1"], {
        ...answers,
        "run.get": { run: makeRun("r_1", { state }) },
      });
      expect(exitCode).toBe(3);
      expect(stderr).toContain("in review");
      expect(calls).toHaveLength(1);
    },
  );
});

describe("the trash", () => {
  const item = {
    id: "x_1a",
    run: "r_1",
    project: "p_1",
    projectName: "track",
    path: "src/a.ts",
    base: null,
    work: `100644:${"a".repeat(40)}`,
    why: "the run failed",
    atMs: 0,
  };

  test("is listed with why it is there", async () => {
    const gone = { ...item, id: "x_1a.1", path: "old.ts", work: null };
    const { stdout } = await tryCli(["trash", "list"], { "trash.list": { items: [item, gone] } });
    expect(stdout).toMatch(/x_1a +track +r_1 +src\/a\.ts +the run failed/);
    expect(stdout).toMatch(/x_1a\.1 +track +r_1 +old\.ts \(deleted\)/);
    expect((await tryCli(["trash", "ls"], { "trash.list": { items: [] } })).stderr).toContain("empty");
  });

  test("[LD58] has what was taken off a branch after it had landed, with the way back", async () => {
    const how = "git fetch /repo c0ffee && git cherry-pick ..FETCH_HEAD";
    const dropped = [{ project: "p_1", projectName: "track", commit: "c0ffee".repeat(7), title: "Fix it", how }];
    const { stdout, stderr } = await tryCli(["trash", "list"], { "trash.list": { items: [], dropped } });
    expect(stdout).toContain(`  track c0ffeec0ffee Fix it\n    ${how}\n`);
    expect(stderr).not.toContain("empty");
    const both = await tryCli(["trash", "list"], { "trash.list": { items: [item], dropped } });
    expect(both.stdout).toMatch(/x_1a[^]*Landed, and taken off[^]*c0ffee/);
  });

  test("a deletion has nothing to restore", async () => {
    const answers = { "trash.get": { item: { ...item, work: null }, base64: null } };
    const { exitCode, stderr } = await tryCli(["trash", "restore", "x_1a"], answers);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("has no content");
    expect((await tryCli(["trash", "restore", "x_1a", "--json"], answers)).exitCode).toBe(0);
  });

  test("what is shown on a screen cannot steer it", async () => {
    const answers = { "trash.get": { item, base64: Buffer.from("a\u001b[2Jb\u0007\n").toString("base64") } };
    const { stdout } = await tryCli(["trash", "restore", "x_1a"], answers, { columns: 80 });
    expect(stdout).toBe("ab␇\n");
  });

  test.each([
    ["x_", false],
    ["x_1A", false],
    ["x_1a.", false],
    ["x_1a.1.2", false],
    ["r_1", false],
    ["x_1a.12", true],
  ])("%s as an id: %s", async (id, isOne) => {
    const { exitCode, calls } = await tryCli(["trash", "purge", id], { "trash.purge": {} });
    expect([exitCode, calls.length]).toEqual(isOne ? [0, 1] : [2, 0]);
  });
});

describe("diff and review", () => {
  const patch = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-\told\r\n+new\n";
  const hunks = [{ id: "1", from: 1, removed: ["\told\r\n"], added: ["new\n"] }];
  const change = {
    path: "a",
    status: "changed",
    base: "x",
    work: "y",
    held: true,
    binary: false,
    theirs: null,
    tooLarge: false,
    guarded: false,
    hunks,
    patch,
  };
  const answer = { changes: [change], base: commit, of: "workspace", stale: [], oversized: [], seen };

  test("into a pipe it is the patch itself", async () => {
    const { stdout } = await tryCli(["diff", "r_1"], { "run.diff": answer });
    expect(stdout).toBe(patch);
  });

  test("on a screen tabs and controls are made fit for it", async () => {
    const { stdout } = await tryCli(["diff", "r_1"], { "run.diff": answer }, { columns: 80 });
    expect(stdout).toContain("-    old␍\n");
  });

  test.each([
    ["workspace", [], "r_1 has changed nothing."],
    ["landed", [], "r_1 has landed nothing that was not there already."],
    ["workspace", ["--step", "3"], "Step 3 of r_1 has changed nothing."],
  ])("says what there is not: %s %j", async (of, words, said) => {
    const { stderr } = await tryCli(["diff", "r_1", ...words], { "run.diff": { ...answer, changes: [], of } });
    expect(stderr).toContain(said);
  });

  test("review shows how to answer, only while there is something to decide", async () => {
    const answers = {
      "run.get": { run: makeRun("r_1", { state: "review", because: "a policy asks" }) },
      "run.diff": answer,
    };
    const { stdout, stderr } = await tryCli(["review", "r_1"], answers);
    expect(stdout).toContain("r_1 Title of r_1\nreview: a policy asks\nM a  +1 -1\n");
    expect(stderr).toContain("signalbox land r_1 ");
    expect(stderr).toContain(`--seen ${seen}`);
    const over = { ...answers, "run.get": { run: makeRun("r_1", { state: "done" }) } };
    expect((await tryCli(["review", "r_1"], over)).stderr).toContain("nothing to decide");
    expect((await tryCli(["review"], { "run.list": { runs: [] } })).stderr).toContain("Nothing waits");
  });
});

describe("project change", () => {
  const answers = {
    "project.get": { project: makeProject("shop") },
    "project.list": { projects: [makeProject("shop")] },
    "project.change": {},
  };

  test.each([
    [["--test", "npm test"], { landingTest: ["npm", "test"] }],
    [["--test-time", "2h"], { testTimeMs: 7_200_000 }],
    [["--no-test"], { landingTest: null }],
    [["--message", "feat: {title}\n\n{description}"], { landingMessage: "feat: {title}\n\n{description}" }],
    [["--no-message"], { landingMessage: null }],
    [["--branch", "signalbox/{run}"], { landingBranch: "signalbox/{run}" }],
    [["--no-branch"], { landingBranch: null }],
  ])("%j", async (words, changed) => {
    const { calls } = await tryCli(["project", "change", "shop", ...words], answers);
    expect(calls.at(-1)).toEqual(["project.change", { project: "shop", ...changed }]);
  });

  test("both, or an empty test, cannot be meant", async () => {
    for (const words of [
      ["--test", "x", "--no-test"],
      ["--test", ""],
      ["--message", "x", "--no-message"],
      ["--branch", "{run}", "--no-branch"],
      [],
    ])
      expect((await tryCli(["project", "change", "shop", ...words], answers)).exitCode).toBe(2);
  });

  test("[LD58] project show names what was taken off the branch, and how to get it back", async () => {
    const dropped = [
      { commit: "c".repeat(40), title: "Add rate limiting", how: "git fetch here && git cherry-pick ..FETCH_HEAD" },
    ];
    const { stderr } = await tryCli(["project", "show", "shop"], {
      "project.get": { project: makeProject("shop"), dropped },
    });
    expect(stderr).toContain("  cccccccccccc Add rate limiting\n    git fetch here && git cherry-pick ..FETCH_HEAD\n");
  });

  test("show and list say how far the branch has come, and why no further", async () => {
    const notPublished = { commit, why: "main is being edited", how: "git -C /x merge y" };
    const project = makeProject("shop", { mainline: commit, notPublished, landingTest: ["npm", "test"] });
    const { stdout } = await tryCli(["project", "show", "shop"], { "project.get": { project } });
    expect(stdout).toMatch(
      /branch +main\nmainline +c{12}\npublished +a{12}; nothing newer: main is being edited\n +to get it: git -C \/x merge y\ntest +npm test \(within 30m\)\n/,
    );
    const list = await tryCli(["project", "list"], { "project.list": { projects: [project] } });
    expect(list.stdout).toMatch(/main +c{12} +no: main is being edited/);
  });
});
