import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { MainlineRig } from "../../../test/support/git/mainline-rig.ts";
import { Person } from "../../../test/support/git/person.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";

describe("a project is made of", () => {
  test("a repository: mainline begins at its branch, in a place that only we may read", async () => {
    const rig = await MainlineRig.withRepository({ "a.txt": "one\n" });
    expect(await rig.mainline.head()).toBe(rig.person.git("rev-parse", "main"));
    expect(rig.mainline.branch).toBe("main");
    expect(lstatSync(rig.repository).mode & 0o777).toBe(0o700);
    expect(execFileSync("git", ["fsck", "--strict"], { cwd: rig.repository }).toString()).toBe("");
    expect(existsSync(`${rig.repository}.making`)).toBe(false);
  });

  test("any branch, checked out or named", async () => {
    const folder = makeTempFolder();
    const person = Person.withRepository(path.join(folder, "project"));
    person.git("checkout", "--quiet", "-b", "feature/ünï+x");
    const tip = person.commit({ f: "1" });
    expect((await MainlineRig.of(folder, person)).mainline.branch).toBe("feature/ünï+x");
    const other = await MainlineRig.of(folder, person, { repository: path.join(folder, "other"), branch: "main" });
    expect(await other.mainline.head()).toBe(person.git("rev-parse", "main"));
    expect(tip).not.toBe(await other.mainline.head());
    await expectFault(
      MainlineRig.of(folder, person, { branch: "main" }),
      "not-a-repository",
      "feature/ünï+x, not main",
    );
    const none = MainlineRig.of(folder, person, { repository: path.join(folder, "x"), branch: "none" });
    await expectFault(none, "not-a-repository", "has no branch none. Make it first: git branch none");
    const bad = MainlineRig.of(folder, person, { repository: path.join(folder, "x"), branch: "--upload-pack=x" });
    await expectFault(bad, "not-a-repository", "cannot be the name");
  });

  test("objects of ours: the person's repository may lose everything", async () => {
    const rig = await MainlineRig.withRepository({ a: "1", b: "2" });
    const head = await rig.mainline.head();
    rmSync(path.join(rig.person.root, ".git/objects"), { recursive: true });
    expect((await rig.mainline.listTree(head)).size).toBe(2);
    expect(execFileSync("git", ["fsck", "--strict"], { cwd: rig.repository }).toString()).toBe("");
    expect(existsSync(path.join(rig.repository, "objects/info/alternates"))).toBe(false);
  });

  test("a repository with names of sixty-four digits", async () => {
    const folder = makeTempFolder();
    const person = Person.withRepository(
      path.join(folder, "project"),
      { a: "1", "d/b": "1" },
      "--object-format=sha256",
    );
    const rig = await MainlineRig.of(folder, person);
    const landed = await rig.land({ a: "2", "d/b": null, "n/c": ["100755", "x"] });
    expect(landed).toMatch(/^[0-9a-f]{64}$/);
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    expect(person.git("status", "--porcelain")).toBe("");
    expect(person.git("fsck", "--strict")).toBe("");
    expect(await rig.mainline.fetchPersons()).toBe(landed);
    const [layer] = await rig.mainline.layersFor(landed, "u");
    expect(readFileSync(path.join(layer!, "a"), "utf8")).toBe("2");
  });

  test("a shallow clone, and it can be deepened later", async () => {
    const folder = makeTempFolder();
    const origin = Person.withRepository(path.join(folder, "origin"));
    const first = origin.git("rev-parse", "HEAD");
    for (let n = 0; n < 3; n++) origin.commit({ "a.txt": String(n) });
    origin.git("clone", "--quiet", "--depth=2", `file://${origin.root}`, path.join(folder, "project"));
    const person = new Person(path.join(folder, "project"));
    const rig = await MainlineRig.of(folder, person);
    const landed = await rig.land({ b: "1" });
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    expect(person.git("fsck")).toBe("");
    expect(await rig.mainline.isAncestor(person.git("rev-parse", "HEAD~2"), landed)).toBe(true);
    person.git("fetch", "--quiet", "--unshallow", "origin");
    const tip = person.commit({ c: "1" });
    expect(await rig.mainline.fetchPersons()).toBe(tip);
    expect(person.git("merge-base", first, tip)).toBe(first);
  });

  test("a linked worktree, whose own branch it is", async () => {
    const folder = makeTempFolder();
    const main = Person.withRepository(path.join(folder, "main"));
    main.git("worktree", "add", "--quiet", "-b", "side", path.join(folder, "project"));
    const rig = await MainlineRig.of(folder, new Person(path.join(folder, "project")));
    expect(rig.mainline.branch).toBe("side");
    const landed = await rig.land({ "a.txt": "two\n" });
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    expect([rig.person.git("status", "--porcelain"), main.git("status", "--porcelain")]).toEqual(["", ""]);
    expect(main.git("rev-parse", "side")).toBe(landed);
  });

  test("a folder that is reached through a link", async () => {
    const folder = makeTempFolder();
    const person = Person.withRepository(path.join(folder, "real"));
    execFileSync("ln", ["-s", "real", path.join(folder, "project")]);
    const rig = await MainlineRig.of(folder, new Person(path.join(folder, "project")));
    const landed = await rig.land({ "a.txt": "two\n" });
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    expect(person.git("status", "--porcelain")).toBe("");
  });
});

describe("no project is made of", () => {
  const expectRefused = async (root: string, text: string, code = "not-a-repository"): Promise<void> => {
    const folder = makeTempFolder();
    await expectFault(MainlineRig.of(folder, { root } as Person), code, text);
    expect(existsSync(path.join(folder, "own"))).toBe(false);
    expect(existsSync(path.join(folder, "own.making"))).toBe(false);
  };

  test("a folder within a repository", async () => {
    const folder = realpathSync(makeTempFolder());
    Person.withRepository(folder, { "sub/a": "1" });
    await expectRefused(path.join(folder, "sub"), `lies within the repository ${folder}`);
  });

  test("a folder with a repository in it", async () => {
    const folder = makeTempFolder();
    Person.withRepository(path.join(folder, "deep/nested"));
    await expectRefused(folder, "deep/nested");
  });

  test("a detached HEAD", async () => {
    const person = Person.withRepository(path.join(makeTempFolder(), "project"));
    person.git("checkout", "--quiet", "--detach");
    await expectRefused(person.root, "detached");
  });

  test("a bare repository, a broken one, or one whose place is gone", async () => {
    const folder = makeTempFolder();
    const person = Person.withRepository(path.join(folder, "project"));
    person.git("clone", "--quiet", "--bare", ".", path.join(folder, "bare"));
    await expectRefused(path.join(folder, "bare"), "bare");
    const broken = path.join(folder, "broken");
    mkdirSync(path.join(broken, ".git"), { recursive: true });
    await expectRefused(broken, "git cannot read");
    rmSync(path.join(broken, ".git"), { recursive: true });
    writeFileSync(path.join(broken, ".git"), "gitdir: /nowhere/at/all\n");
    await expectRefused(broken, "which is not there");
    writeFileSync(path.join(broken, ".git"), "nonsense");
    await expectRefused(broken, "does not say");
  });

  test("a partial clone", async () => {
    const folder = makeTempFolder();
    const origin = Person.withRepository(path.join(folder, "origin"));
    origin.git("config", "uploadpack.allowFilter", "true");
    origin.git(
      "clone",
      "--quiet",
      "--no-checkout",
      "--filter=blob:none",
      `file://${origin.root}`,
      path.join(folder, "project"),
    );
    await expectRefused(path.join(folder, "project"), "partial clone");
  });

  test("anything, where there is no git", async () => {
    const folder = makeTempFolder();
    const person = Person.withRepository(path.join(folder, "project"));
    await expectFault(MainlineRig.of(folder, person, { program: "/nowhere/git" }), "git-failed", "ENOENT");
    writeFileSync(path.join(folder, "old-git"), "#!/bin/sh\necho git version 2.25.1\n", { mode: 0o755 });
    await expectFault(
      MainlineRig.of(folder, person, { program: path.join(folder, "old-git") }),
      "git-failed",
      "2.32 or newer",
    );
  });

  test("a file, or nothing", async () => {
    await expectRefused("/etc/passwd", "not a folder", "not-a-folder");
    await expectRefused("/nowhere/at/all", "not a folder", "not-a-folder");
  });

  test.skipIf(process.getuid?.() !== 0)("a repository of another user", async () => {
    const person = Person.withRepository(path.join(makeTempFolder(), "project"));
    execFileSync("chown", ["-R", "4711", path.join(person.root, ".git")]);
    await expectRefused(person.root, "belongs to the user 4711");
  });
});

describe("our repository", () => {
  test("objects that are kept survive a collection, and those that were let go do not", async () => {
    const rig = await MainlineRig.withRepository();
    const { mainline } = rig;
    const [kept, gone] = [await mainline.writeBlob(Buffer.from("kept")), await mainline.writeBlob(Buffer.from("gone"))];
    const entries = new Map([
      ["a", `100644:${kept}`],
      ["a/b", `100755:${kept}`],
      ["sub", `160000:${"1".repeat(40)}`],
    ]);
    await mainline.keep("runs/r_1/3", entries);
    await mainline.keep("runs/r_1/4", new Map([["x", `100644:${gone}`]]));
    await mainline.letGo("runs/r_1/4");
    execFileSync("git", ["gc", "--quiet", "--prune=now"], { cwd: rig.repository });
    expect(Buffer.from(await mainline.readBlob(kept)).toString()).toBe("kept");
    await mainline.close();
    const again = await rig.reopen();
    await expectFault(again.mainline.readBlob(gone), "blob-missing");
    await expect(again.mainline.keep("../x", new Map())).rejects.toThrow(/cannot be the name/);
  });

  test("a reader that is killed is replaced, and nobody notices", async () => {
    const rig = await MainlineRig.withRepository({ a: "1" });
    const head = await rig.mainline.head();
    for (let n = 0; n < 5; n++) {
      const pids = readersOf(rig.repository);
      const reading = Promise.all(Array.from({ length: 20 }, () => rig.mainline.listTree(head)));
      for (const pid of pids) process.kill(pid, "SIGKILL");
      expect((await reading).every((tree) => tree.size === 1)).toBe(true);
      expect(pids.length).toBe(1);
      expect(await rig.mainline.head()).toBe(head);
    }
  });

  test("[LD50] a run's branch is the person's to push, moves on from where it stood, and never under a checkout", async () => {
    const rig = await MainlineRig.withRepository({ a: "1" });
    const head = await rig.mainline.head();
    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", rig.person.root, ...args])
        .toString()
        .trim();
    const author = { name: "Ann", email: "ann@example.org", atMs: 0 };
    const commitOn = async (parent: string, text: string): Promise<string> => {
      const changes = new Map([["a", `100644:${await rig.mainline.writeBlob(Buffer.from(text))}`]]);
      return rig.mainline.commit({ parents: [parent], changes, message: text, author });
    };
    const first = await commitOn(head, "first");
    const second = await commitOn(first, "second");
    for (let again = 0; again < 2; again++) expect(await rig.mainline.putBranch("ai/r_1", null, first)).toBeNull();
    expect(git("show", "ai/r_1:a")).toBe("first");
    expect(await rig.mainline.putBranch("ai/r_1", null, await commitOn(head, "other"))).toMatch(/already/);
    expect(await rig.mainline.putBranch("ai/r_1", first, second)).toBeNull();
    expect(git("log", "--format=%s", "ai/r_1")).toMatch(/^second\nfirst\n/);
    // What stands beneath it has been put there before.
    expect(await rig.mainline.putBranch("ai/r_1", null, first)).toBeNull();
    git("checkout", "--quiet", "ai/r_1");
    expect(await rig.mainline.putBranch("ai/r_1", second, await commitOn(second, "third"))).toMatch(/checked out in/);
    expect([git("rev-parse", "ai/r_1"), git("status", "--porcelain")]).toEqual([second, ""]);
    expect(await rig.mainline.head()).toBe(head);
  });

  test("the index of a commit is made once, and those that nobody asked for lately go", async () => {
    const rig = await MainlineRig.withRepository({ a: "1", "b/c": "2" });
    const head = await rig.mainline.head();
    const files = await Promise.all(Array.from({ length: 3 }, () => rig.mainline.indexFor(head)));
    const index = files[0] ?? "";
    expect(new Set(files)).toEqual(new Set([index]));
    const env = { ...process.env, GIT_INDEX_FILE: index };
    expect(execFileSync("git", ["ls-files"], { cwd: rig.repository, env }).toString()).toBe("a\nb/c\n");
    for (let at = 0; at < 10; at++) {
      const blob = await rig.mainline.writeBlob(Buffer.from(String(at)));
      const order = { parents: [head], changes: new Map([["a", `100644:${blob}`]]), message: "m" };
      const author = { name: "Ann", email: "ann@example.org", atMs: 0 };
      await rig.mainline.indexFor(await rig.mainline.commit({ ...order, author }));
    }
    expect(readdirSync(path.dirname(index))).toHaveLength(8);
  });

  test("what is answered is synced under its name: no temporary object is left", async () => {
    const rig = await MainlineRig.withRepository();
    const bytes = Buffer.from("the same");
    const blobs = await Promise.all(Array.from({ length: 20 }, () => rig.mainline.writeBlob(bytes)));
    expect(new Set(blobs).size).toBe(1);
    const left = execFileSync("find", [path.join(rig.repository, "objects"), "-name", "tmp_*"]).toString();
    expect(left).toBe("");
    expect(execFileSync("git", ["cat-file", "-p", blobs[0]!], { cwd: rig.repository }).toString()).toBe("the same");
  });

  test("the history of its moves is in the reflog, and no collection is ever automatic", async () => {
    const rig = await MainlineRig.withRepository();
    const landed = await rig.land({ a: "2" });
    const git = (...args: string[]): string => execFileSync("git", args, { cwd: rig.repository }).toString().trim();
    expect(git("reflog", "show", "main").split("\n")).toEqual([
      expect.stringContaining("signalbox: land"),
      expect.stringContaining("signalbox: begin"),
    ]);
    expect([git("config", "gc.auto"), git("config", "maintenance.auto")]).toEqual(["0", "false"]);
    expect(git("log", "-1", "--format=%an|%ae|%at|%cn|%s", landed)).toBe(
      "Run r_1|r_1@localhost|1780000000|Signalbox|landed",
    );
  });

  test("trees that are made by us are those that git makes", async () => {
    const files = { "a.b": "1", "a/b": "1", "a-b": "1", "ab/c": "1", "a/b.c": "1", "é/x": "1" };
    const rig = await MainlineRig.withRepository(files);
    const landed = await rig.land({ "a/b": "2", a0: "2", "a.b": null, "a.b/c": "2" });
    rig.person.commit({ "a/b": "2", a0: "2", "a.b": null });
    rig.person.commit({ "a.b/c": "2" });
    const tree = execFileSync("git", ["rev-parse", `${landed}^{tree}`], { cwd: rig.repository })
      .toString()
      .trim();
    expect(tree).toBe(rig.person.git("rev-parse", "HEAD^{tree}"));
  });

  test("a name that is not UTF-8 is refused in words", async () => {
    const rig = await MainlineRig.withRepository();
    const input = Buffer.concat([
      Buffer.from(`100644 blob ${rig.person.git("hash-object", "-w", "a.txt")}\tb`),
      Buffer.from([0xff, 0x0a]),
    ]);
    const tree = execFileSync("git", ["mktree"], { cwd: rig.person.root, input }).toString().trim();
    rig.person.git("update-ref", "refs/heads/main", rig.person.git("commit-tree", "-m", "x", tree));
    const tip = (await rig.mainline.fetchPersons())!;
    await expectFault(rig.mainline.listTree(tip), "unfit-tree", "not UTF-8");
    await expectFault(rig.mainline.layersFor(tip, "u"), "unfit-tree", "not UTF-8");
  });

  test.each([
    ["..", "40000"],
    [".git", "40000"],
    [".GiT", "100644"],
    ["a/b", "100644"],
  ])("a tree with the name %j is never laid out", async (name, mode) => {
    const rig = await MainlineRig.withRepository();
    const id =
      mode === "40000" ? rig.person.git("rev-parse", "HEAD^{tree}") : rig.person.git("rev-parse", "HEAD:a.txt");
    const body = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);
    const args = ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"];
    const tree = execFileSync("git", args, { cwd: rig.person.root, input: body }).toString().trim();
    rig.person.git("update-ref", "refs/heads/main", rig.person.git("commit-tree", "-m", "x", tree));
    const tip = (await rig.mainline.fetchPersons())!;
    await expectFault(rig.mainline.layersFor(tip, "u"), "unfit-tree");
    await expectFault(rig.mainline.entriesAt(tip, ["x"]), "unfit-tree");
  });

  test("lines say which commit they come from", async () => {
    const rig = await MainlineRig.withRepository({ 'odd "name': "1\n2\n3\n" });
    const first = await rig.mainline.head();
    const landed = await rig.land({ 'odd "name': "1\ntwo\n3\n" });
    const lines = await rig.mainline.linesOf('odd "name', landed);
    expect(lines.map(({ line, commit }) => [line, commit])).toEqual([
      [1, first],
      [2, landed],
      [3, first],
    ]);
    expect(lines.every(({ path: file }) => file === 'odd "name')).toBe(true);
  });
});

/** The lasting gits that we have started for a repository. */
function readersOf(repository: string): number[] {
  const isReader = (pid: string): boolean => {
    try {
      const ours = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(process.pid);
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return (
        ours &&
        words.includes("cat-file") &&
        readFileSync(`/proc/${pid}/environ`, "utf8").includes(`GIT_DIR=${repository}\0`)
      );
    } catch {
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isReader(name))
    .map(Number);
}
