import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { MainlineRig } from "../../../test/support/git/mainline-rig.ts";
import { Person } from "../../../test/support/git/person.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";

const read = (rig: MainlineRig, name: string): string => readFileSync(path.join(rig.person.root, name), "utf8");

describe("a clean checkout", () => {
  test("[LD43] gets files, index and branch together, and git finds nothing to say", async () => {
    const files = {
      "a.txt": "one\n",
      "dir/b": "b",
      "dir/deep/c": "c",
      becomes: "file",
      "was/folder": "x",
      run: "#!/bin/sh\n",
    };
    const rig = await MainlineRig.withRepository(files);
    rig.person.write({ "untracked/mine": "mine" });
    const landed = await rig.land({
      "a.txt": "two\n",
      "dir/deep/c": null,
      "new/path/file": Buffer.from([0, 1, 255, 13, 10]),
      becomes: null,
      "becomes/a/folder": "y",
      "was/folder": null,
      was: "a file",
      run: ["100755", "#!/bin/sh\n"],
      link: ["120000", "dir/b"],
      "odd\nname \"é'": "odd",
    });
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    expect(rig.person.git("rev-parse", "HEAD", "main")).toBe(`${landed}\n${landed}`);
    expect(rig.person.git("status", "--porcelain")).toBe("?? untracked/");
    expect(rig.person.git("fsck", "--strict")).toBe("");
    expect(existsSync(path.join(rig.person.root, "dir/deep"))).toBe(false);
    expect(lstatSync(path.join(rig.person.root, "run")).mode & 0o100).toBe(0o100);
    expect(readlinkSync(path.join(rig.person.root, "link"))).toBe("dir/b");
    expect(rig.person.git("reflog", "-1", "HEAD")).toContain("signalbox: landed");
    expect(readdirSync(path.join(rig.person.root, ".git")).filter((name) => /lock|signalbox/.test(name))).toEqual([]);
  });

  test.each(["@x", "a'b\"c$(d);e&f", "ü/🚂", "refs/heads/main"])(
    "[LD43, LD50] is got by a branch of any name that git takes, and so is what a run lands beside it: %s",
    async (name) => {
      const folder = makeTempFolder();
      const person = Person.withRepository(path.join(folder, "project"), { "a.txt": "one\n" });
      person.git("check-ref-format", "--branch", name);
      person.git("symbolic-ref", "HEAD", `refs/heads/${name}`);
      person.commit({ "a.txt": "one\n", b: "b" });
      const rig = await MainlineRig.of(folder, person);
      expect(rig.mainline.branch).toBe(name);
      const landed = await rig.land({ "a.txt": "two\n" });
      expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
      expect(person.git("rev-parse", "HEAD", `refs/heads/${name}`)).toBe(`${landed}\n${landed}`);
      expect([read(rig, "a.txt"), person.git("status", "--porcelain")]).toEqual(["two\n", ""]);
      expect(await rig.mainline.putBranch(`${name}-r_1`, null, landed)).toBe(null);
      expect(person.git("rev-parse", `refs/heads/${name}-r_1`)).toBe(landed);
    },
  );

  test("[LD43] a file that only its owner may read stays so", async () => {
    const rig = await MainlineRig.withRepository({ secret: "1" });
    const mode = (name: string): string => (lstatSync(path.join(rig.person.root, name)).mode & 0o777).toString(8);
    chmodSync(path.join(rig.person.root, "secret"), 0o600);
    await rig.land({ secret: "3" });
    expect(await rig.mainline.publish()).toMatchObject({ published: true });
    expect([mode("secret"), read(rig, "secret")]).toEqual(["600", "3"]);
  });

  test("[LD43] also in a linked worktree, and where the index only looks stale", async () => {
    const rig = await MainlineRig.withRepository({ a: "1", b: "1" });
    rig.person.git("checkout", "--quiet", "-b", "other");
    const linked = path.join(rig.folder, "linked\nworktree");
    rig.person.git("worktree", "add", "--quiet", linked, "main");
    rmSync(path.join(linked, "b"));
    writeFileSync(path.join(linked, "b"), "1");
    const landed = await rig.land({ a: "2" });
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    expect(readFileSync(path.join(linked, "a"), "utf8")).toBe("2");
    expect(new Person(linked).git("status", "--porcelain")).toBe("");
    expect(rig.person.git("status", "--porcelain")).toBe("");
  });

  test("a branch that nobody has checked out is moved, and no file changes", async () => {
    const rig = await MainlineRig.withRepository({ a: "1" });
    rig.person.git("checkout", "--quiet", "--detach");
    rig.person.write({ a: "my own" });
    const landed = await rig.land({ a: "2" });
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    expect([rig.person.git("rev-parse", "main"), read(rig, "a")]).toEqual([landed, "my own"]);
  });

  test("a project without commits gets its first ones", async () => {
    const folder = makeTempFolder();
    const person = new Person(path.join(folder, "project"));
    person.git("init", "--quiet", "--initial-branch=main");
    person.write({ mine: "untracked" });
    const rig = await MainlineRig.of(folder, person);
    const landed = await rig.land({ "src/a": "1" });
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    expect(person.git("status", "--porcelain")).toBe("?? mine");
    expect(person.git("ls-files")).toBe("src/a");
  });
});

describe("[LD43] nothing is published, and nothing of the person's is touched,", () => {
  type Case = { name: string; why: RegExp; prepare: (person: Person, rig: MainlineRig) => void };
  const cases: Case[] = [
    { name: "when a file was edited", why: /not committed/, prepare: (person) => person.write({ a: "mine" }) },
    { name: "when another file was edited", why: /not committed/, prepare: (person) => person.write({ b: "mine" }) },
    { name: "when a file was deleted", why: /not committed/, prepare: (person) => person.write({ b: null }) },
    { name: "when a program was made of a file", why: /not committed/, prepare: (person) => person.makeProgram("b") },
    {
      name: "when an edit has the size and the time of the original",
      why: /not committed/,
      prepare: (person) => {
        const { atime, mtime } = lstatSync(path.join(person.root, "a"));
        person.write({ a: "9" });
        utimesSync(path.join(person.root, "a"), atime, mtime);
      },
    },
    {
      name: "when something is staged",
      why: /staged/,
      prepare: (person) => {
        person.write({ b: "mine" });
        person.git("add", "b");
      },
    },
    {
      name: "when something new is staged",
      why: /staged/,
      prepare: (person) => {
        person.write({ n: "mine" });
        person.git("add", "n");
      },
    },
    {
      name: "when a removal is staged",
      why: /staged/,
      prepare: (person) => void person.git("rm", "--quiet", "--cached", "b"),
    },
    {
      name: "when an untracked file is in the way",
      why: /new\/file/,
      prepare: (person) => person.write({ "new/file": "mine" }),
    },
    {
      name: "when an untracked file with the same content is",
      why: /new\/file/,
      prepare: (person) => person.write({ "new/file": "landed" }),
    },
    {
      name: "when an ignored file is in the way",
      why: /new\/file/,
      prepare: (person) => {
        writeFileSync(path.join(person.root, ".git/info/exclude"), "new\n");
        person.write({ "new/file": "mine" });
      },
    },
    {
      name: "when a file stands where a folder has to be",
      why: /new\/file/,
      prepare: (person) => person.write({ new: "mine" }),
    },
    {
      name: "when a folder stands where a file has to be",
      why: /new\/file/,
      prepare: (person) => person.write({ "new/file/x": "mine" }),
    },
    {
      name: "when a link leads elsewhere",
      why: /new\/file/,
      prepare: (person, { folder }) => {
        mkdirSync(path.join(folder, "elsewhere"));
        symlinkSync(path.join(folder, "elsewhere"), path.join(person.root, "new"));
      },
    },
    {
      name: "when git was told to overlook the edits",
      why: /^a in /,
      prepare: (person) => {
        person.git("update-index", "--assume-unchanged", "a");
        person.write({ a: "mine" });
      },
    },
    {
      name: "when a file is left out of the checkout",
      why: /^a in /,
      prepare: (person) => {
        person.git("update-index", "--skip-worktree", "a");
        person.write({ a: null });
      },
    },
    {
      name: "in the middle of a merge",
      why: /a merge/,
      prepare: (person) => {
        person.git("checkout", "--quiet", "-b", "side", "HEAD");
        person.commit({ s: "1" });
        person.git("checkout", "--quiet", "main");
        person.git("merge", "--quiet", "--no-commit", "--no-ff", "side");
      },
    },
    {
      name: "in the middle of a rebase",
      why: /a rebase/,
      prepare: (person) => {
        person.git("-c", "sequence.editor=sed -i s/^pick/edit/", "rebase", "--quiet", "-i", "HEAD~1");
      },
    },
    {
      name: "in the middle of a bisect",
      why: /a bisect/,
      prepare: (person) => {
        person.git("bisect", "start", "HEAD", "HEAD~2");
      },
    },
    {
      name: "in the middle of a cherry-pick",
      why: /a cherry-pick/,
      prepare: (person) => {
        writeFileSync(path.join(person.root, ".git/CHERRY_PICK_HEAD"), `${person.git("rev-parse", "HEAD")}\n`);
      },
    },
    {
      name: "while another git is at work",
      why: /another git/,
      prepare: (person) => writeFileSync(path.join(person.root, ".git/index.lock"), ""),
    },
    {
      name: "when two folders have the branch checked out",
      why: /several/,
      prepare: (person, { folder }) =>
        void person.git("worktree", "add", "--quiet", "--force", path.join(folder, "second"), "main"),
    },
    {
      name: "when the folder that has it cannot be reached",
      why: /cannot be reached/,
      prepare: (person, { folder }) => {
        person.git("checkout", "--quiet", "--detach");
        person.git("worktree", "add", "--quiet", path.join(folder, "gone"), "main");
        rmSync(path.join(folder, "gone"), { recursive: true });
      },
    },
    {
      name: "when line ends are converted",
      why: /line ends/,
      prepare: (person) => void person.git("config", "core.autocrlf", "true"),
    },
    {
      name: "when a file is converted",
      why: /a \(filter=lfs\)/,
      prepare: (person) => writeFileSync(path.join(person.root, ".git/info/attributes"), "a filter=lfs\n"),
    },
    {
      name: "when the index is split",
      why: /only its own git can read/,
      prepare: (person) => void person.git("update-index", "--split-index"),
    },
  ];

  test.each(cases)("$name", async ({ why, prepare }) => {
    const rig = await MainlineRig.withRepository({ a: "0", b: "1" });
    rig.person.commit({ b: "2" });
    rig.person.commit({ a: "1", b: "1" });
    await rig.mainline.fetchPersons().then(async (tip) => await rig.mainline.swap(await rig.mainline.head(), tip!));
    const landed = await rig.land({ a: "2", "new/file": "landed", z: "2" });
    prepare(rig.person, rig);
    const before = snapshotOf(rig.person.root);
    expect(await rig.refusal()).toMatch(why);
    expect(snapshotOf(rig.person.root)).toEqual(before);
    expect(rig.person.git("rev-parse", "main")).not.toBe(landed);
    expect(existsSync(path.join(rig.folder, "elsewhere/file"))).toBe(false);
  });

  test("when the branch has commits of its own, and the answer says how to get it", async () => {
    const rig = await MainlineRig.withRepository({ a: "1" });
    const landed = await rig.land({ a: "2" });
    rig.person.commit({ b: "mine" });
    expect(await rig.refusal()).toMatch(/commits that mainline does not have/);
    await rig.mainline.fetchPersons();
    const outcome = await rig.mainline.publish();
    expect(outcome).toMatchObject({
      published: false,
      commit: landed,
      why: expect.stringMatching(/does not contain/) as string,
    });
    expect(outcome).toMatchObject({ how: `git -C ${rig.person.root} pull --no-rebase ${rig.repository} main` });
    rig.person.git("pull", "--quiet", "--no-rebase", "--no-edit", rig.repository, "main");
    expect(read(rig, "a")).toBe("2");
  });

  test("[LD42] when a person took their branch back: it stays there until they want it again", async () => {
    const rig = await MainlineRig.withRepository({ a: "1" });
    const before = rig.person.git("rev-parse", "HEAD");
    await rig.land({ a: "2" });
    expect(await rig.mainline.publish()).toMatchObject({ published: true });
    rig.person.git("reset", "--quiet", "--hard", before);
    const again = await rig.mainline.publish();
    expect(again).toMatchObject({ published: false, why: expect.stringContaining("main was moved back") as string });
    await rig.land({ b: "2" });
    expect(await rig.mainline.publish()).toMatchObject({ published: false });
    expect(rig.person.git("rev-parse", "HEAD")).toBe(before);
    expect(read(rig, "a")).toBe("1");
    rig.person.git(...(again.published ? [] : again.how.split(" ").slice(1)));
    expect(await rig.mainline.publish()).toMatchObject({ published: true });
    expect([read(rig, "a"), read(rig, "b")]).toEqual(["2", "2"]);
    await rig.land({ a: "3" });
    expect(await rig.mainline.publish()).toMatchObject({ published: true });
  });

  test("the command in the answer brings it, once there is nothing in the way", async () => {
    const rig = await MainlineRig.withRepository({ a: "1", b: "1" });
    const landed = await rig.land({ a: "2" });
    rig.person.write({ b: "mine" });
    const outcome = await rig.mainline.publish();
    const command = outcome.published ? "" : outcome.how;
    expect(command).toBe(`git -C ${rig.person.root} pull --ff-only ${rig.repository} main`);
    rig.person.git(...command.split(" ").slice(1));
    expect([rig.person.git("rev-parse", "main"), read(rig, "b")]).toEqual([landed, "mine"]);
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
  });
});

/** Everything that a person could miss: files with their content, mode and time, the index, and the branch. */
function snapshotOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (folder: string, prefix: string): void => {
    for (const name of readdirSync(folder)) {
      const [file, shown] = [path.join(folder, name), prefix + name];
      const stats = lstatSync(file);
      if (stats.isDirectory()) {
        if (prefix === "" && name === ".git") {
          for (const part of ["HEAD", "refs/heads/main", "index"])
            found[part] = readFileSync(path.join(file, part), "hex");
          found["git"] = readdirSync(file).toSorted().join();
        } else walk(file, `${shown}/`);
      } else {
        const content = stats.isSymbolicLink() ? readlinkSync(file) : readFileSync(file, "hex");
        found[shown] = [stats.mode, stats.mtimeMs, content].join(" ");
      }
    }
  };
  walk(root, "");
  return found;
}
