// Publishing while somebody else is at it, and publishing that is cut off.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { author, MainlineRig } from "../../../test/support/git/mainline-rig.ts";
import { Person } from "../../../test/support/git/person.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Placing } from "./place-files.ts";

const textOf = (rig: MainlineRig, name: string): string | null => {
  const file = path.join(rig.person.root, name);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
};
const leftovers = (rig: MainlineRig): string[] =>
  readdirSync(path.join(rig.person.root, ".git")).filter((name) => /lock$|signalbox/.test(name));

describe("races", () => {
  test("[LD43] a person who commits at the same moment loses nothing, whoever comes first", async () => {
    const rig = await MainlineRig.withRepository({ a: "0", mine: "0" });
    const { mainline, person } = rig;
    for (let round = 1; round <= 12; round++) {
      const landed = await rig.land({ a: String(round) });
      person.write({ mine: String(round) });
      const committing = sleep(round * 9).then(
        async () => await person.gitLater("commit", "--quiet", "--all", "-m", "mine"),
      );
      // Before the commit there is an edit in the way, after it a commit; in between there must be no third thing.
      await mainline.publish();
      await mainline.publish();
      // Their git may have found ours at work. Then they try again, as they would with two gits of their own.
      if (!(await committing).ok) person.git("commit", "--quiet", "--all", "-m", "mine, again");
      expect([textOf(rig, "mine"), person.git("show", "main:mine")]).toEqual([String(round), String(round)]);
      expect(person.git("status", "--porcelain")).toBe("");
      const tip = (await mainline.fetchPersons())!;
      const order = {
        parents: [landed, tip],
        changes: await mainline.entriesAt(tip, ["mine"]),
        message: "merged",
        author,
      };
      const next = (await mainline.isAncestor(landed, tip)) ? tip : await mainline.commit(order);
      expect(await mainline.swap(landed, next)).toBe(true);
      expect(await mainline.publish()).toEqual({ published: true, commit: next });
      expect([textOf(rig, "a"), textOf(rig, "mine")]).toEqual([String(round), String(round)]);
      expect(person.git("status", "--porcelain")).toBe("");
    }
    expect(leftovers(rig)).toEqual([]);
  });

  test("[LD43] an edit that comes while files are replaced is put back as it was", async () => {
    const rig = await MainlineRig.withRepository({ a: "1", b: "1", c: "1" });
    const landed = await rig.land({ a: "2", b: "2", c: null, "d/e": "2" });
    const base = rig.person.git("rev-parse", "main");
    const changes = await rig.mainline.changesBetween(base, landed);
    const hold = path.join(rig.folder, "hold");
    const placing = new Placing(rig.person.root, hold, "sha1");
    const journal = { from: base, to: landed, changes, lock: null };
    const copyBlob = async (blob: string, file: string): Promise<void> => {
      // The moment after our last look.
      rig.person.write({ b: "mine" });
      await rig.mainline.copyBlob(blob, file);
    };
    await expect(
      placing.place(journal, { readBlob: (blob) => rig.mainline.readBlob(blob), copyBlob }),
    ).rejects.toMatchObject({ path: "b" });
    expect(textOf(rig, "b")).toBeNull();
    expect(await placing.undo(journal)).toBeNull();
    expect(["a", "b", "c", "d/e"].map((name) => textOf(rig, name))).toEqual(["1", "mine", "1", null]);
    expect(existsSync(path.join(rig.person.root, "d"))).toBe(false);
    expect(existsSync(hold)).toBe(false);
  });

  test("what was put in and then edited is the person's, and what was there before is kept aside", async () => {
    const rig = await MainlineRig.withRepository({ a: "1", b: "1" });
    const landed = await rig.land({ a: "2" });
    const base = rig.person.git("rev-parse", "main");
    const placing = new Placing(rig.person.root, path.join(rig.folder, "hold"), "sha1");
    const journal = { from: base, to: landed, changes: await rig.mainline.changesBetween(base, landed), lock: null };
    await placing.place(journal, rig.mainline);
    rig.person.write({ a: "edited since" });
    const kept = await placing.undo(journal);
    expect(textOf(rig, "a")).toBe("edited since");
    expect(readFileSync(path.join(kept!, "old-0"), "utf8")).toBe("1");
  });

  test("a branch that somebody checks out in the moment of its move goes back", async () => {
    const rig = await MainlineRig.withRepository({ a: "1" });
    rig.person.git("checkout", "--quiet", "--detach");
    for (let round = 2; round < 14; round++) {
      const landed = await rig.land({ a: String(round) });
      const checkout = (async () => {
        await sleep(round * 6);
        return await rig.person.gitLater("checkout", "--quiet", "main");
      })();
      const outcome = await rig.mainline.publish();
      await checkout;
      expect(rig.person.git("status", "--porcelain")).toBe("");
      expect(rig.person.git("rev-parse", "main") === landed).toBe(outcome.published);
      rig.person.git("checkout", "--quiet", "--detach");
      expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    }
  });
});

describe("cut off", () => {
  const begin = async (): Promise<{
    rig: MainlineRig;
    base: string;
    landed: string;
    placing: Placing;
    lock: string;
  }> => {
    const rig = await MainlineRig.withRepository({ a: "1", "b/c": "1", gone: "1" });
    const landed = await rig.land({ a: "2", "b/c": "2", gone: null, "n/e/w": "2" });
    const gitDir = path.join(rig.person.root, ".git");
    const placing = new Placing(rig.person.root, path.join(gitDir, "signalbox-publish"), "sha1");
    return { rig, base: rig.person.git("rev-parse", "main"), landed, placing, lock: path.join(gitDir, "index.lock") };
  };

  test("before anything was moved: nothing happened", async () => {
    const { rig, landed } = await begin();
    mkdirSync(path.join(rig.person.root, ".git/signalbox-publish"));
    writeFileSync(path.join(rig.person.root, ".git/signalbox-publish/new-0"), "2");
    const again = await rig.reopen();
    expect(leftovers(again)).toEqual([]);
    expect(await again.mainline.publish()).toEqual({ published: true, commit: landed });
  });

  test("before the branch moved: the files are as they were, and publishing works", async () => {
    const { rig, base, landed, placing, lock } = await begin();
    writeFileSync(lock, "");
    const changes = await rig.mainline.changesBetween(base, landed);
    await placing.place({ from: base, to: landed, changes, lock: statSync(lock).ino }, rig.mainline);
    const again = await rig.reopen();
    expect(leftovers(again)).toEqual([]);
    expect(rig.person.git("status", "--porcelain")).toBe("");
    expect(["a", "b/c", "gone", "n/e/w"].map((name) => textOf(rig, name))).toEqual(["1", "1", "1", null]);
    expect(await again.mainline.publish()).toEqual({ published: true, commit: landed });
    expect(rig.person.git("status", "--porcelain")).toBe("");
  });

  test("after the branch moved: the index follows", async () => {
    const { rig, base, landed, placing, lock } = await begin();
    writeFileSync(lock, "half of an index");
    const changes = await rig.mainline.changesBetween(base, landed);
    await placing.place({ from: base, to: landed, changes, lock: statSync(lock).ino }, rig.mainline);
    rig.person.git("fetch", "--quiet", rig.repository, "main");
    rig.person.git("update-ref", "refs/heads/main", landed, base);
    const again = await rig.reopen();
    expect(leftovers(again)).toEqual([]);
    expect(rig.person.git("status", "--porcelain")).toBe("");
    expect(["a", "b/c", "gone", "n/e/w"].map((name) => textOf(rig, name))).toEqual(["2", "2", null, "2"]);
  });

  test("and the person went on from there: only what is missing comes back", async () => {
    const { rig, base, landed, placing, lock } = await begin();
    writeFileSync(lock, "");
    const changes = await rig.mainline.changesBetween(base, landed);
    await placing.place({ from: base, to: landed, changes, lock: statSync(lock).ino }, rig.mainline);
    rig.person.write({ ".git/index.lock": null });
    rig.person.commit({ a: "mine" });
    await rig.reopen();
    expect(leftovers(rig)).toEqual([]);
    expect([textOf(rig, "a"), textOf(rig, "n/e/w"), textOf(rig, "gone")]).toEqual(["mine", "2", "1"]);
  });

  test(
    "by kill -9 at any moment: either all of it or nothing, after the next start",
    { timeout: 120_000 },
    async () => {
      const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`d${n % 7}/f${n}`, "0\n"]));
      const rig = await MainlineRig.withRepository(files);
      const program = fileURLToPath(new URL("../../../test/support/git/publish-child.ts", import.meta.url));
      const seen = new Set<string>();
      for (let round = 1; round <= 10; round++) {
        const texts = Object.fromEntries(
          Object.keys(files).map((name, n) => [name, n % 9 === round % 9 ? null : `${round}\n`]),
        );
        const landed = await rig.land(texts);
        const child = spawn(process.execPath, [
          program,
          rig.person.root,
          rig.repository,
          path.join(rig.folder, "child-layers"),
        ]);
        await once(child.stdout, "data");
        await sleep(round * 13);
        child.kill("SIGKILL");
        await once(child, "close");
        const again = await rig.reopen();
        expect(leftovers(again)).toEqual([]);
        expect(rig.person.git("status", "--porcelain")).toBe("");
        seen.add(rig.person.git("rev-parse", "main") === landed ? "all" : "nothing");
        expect(await again.mainline.publish()).toEqual({ published: true, commit: landed });
        expect(rig.person.git("status", "--porcelain")).toBe("");
      }
      expect(seen.size).toBeGreaterThan(0);
    },
  );
});

describe("a plain folder", () => {
  test("[LD42, LD43] what is edited by hand becomes a commit, and is never overwritten", async () => {
    const rig = await MainlineRig.withFolder({ a: "1", b: "1", "node_modules/x": "x" });
    const { mainline } = rig;
    const start = await mainline.head();
    expect([...(await mainline.listTree(start)).keys()]).toEqual(["a", "b"]);
    expect(await mainline.fetchPersons()).toBe(start);
    const landed = await rig.land({ a: "2", "new/file": "2", "node_modules/x": "landed" });
    rig.person.write({ b: "mine" });
    expect(await rig.refusal()).toMatch(/edited by hand/);
    expect([textOf(rig, "a"), textOf(rig, "b")]).toEqual(["1", "mine"]);
    const edited = (await mainline.fetchPersons())!;
    expect((await mainline.changesBetween(start, edited)).map(({ path: file }) => file)).toEqual(["b"]);
    const order = {
      parents: [landed, edited],
      changes: await mainline.entriesAt(edited, ["b"]),
      message: "m",
      author: { name: "m", email: "m", atMs: 0 },
    };
    const merged = await mainline.commit(order);
    await mainline.swap(landed, merged);
    // An ignored file of the person's is in the way of one that landed.
    expect(await rig.refusal()).toMatch(/node_modules\/x/);
    expect(textOf(rig, "a")).toBe("1");
    rig.person.write({ "node_modules/x": null });
    expect(await mainline.publish()).toEqual({ published: true, commit: merged });
    expect([textOf(rig, "a"), textOf(rig, "b"), textOf(rig, "new/file"), textOf(rig, "node_modules/x")]).toEqual([
      "2",
      "mine",
      "2",
      "landed",
    ]);
    expect(await mainline.fetchPersons()).toBe(merged);
    expect(readdirSync(rig.person.root).filter((name) => name.startsWith(".signalbox"))).toEqual([]);
  });

  test("keeps modes and links, and follows deletions and changes of kind", async () => {
    const folder = makeTempFolder();
    const person = new Person(path.join(folder, "project"));
    person.write({
      run: "#!/bin/sh\n",
      crlf: "a\r\n",
      ".gitattributes": "* text eol=lf\n",
      old: "x",
      "sub/.gitkeep": "",
    });
    person.makeProgram("run");
    person.link("link", "run");
    person.link("dangling", "/nowhere/at/all");
    const rig = await MainlineRig.of(folder, person);
    const head = await rig.mainline.head();
    const modes = [...(await rig.mainline.listTree(head))].map(([name, entry]) => `${name} ${entry.slice(0, 6)}`);
    expect(modes).toEqual([
      ".gitattributes 100644",
      "crlf 100644",
      "dangling 120000",
      "link 120000",
      "old 100644",
      "run 100755",
      "sub/.gitkeep 100644",
    ]);
    const crlf = (await rig.mainline.entriesAt(head, ["crlf"])).get("crlf")!;
    expect(Buffer.from(await rig.mainline.readBlob(crlf.slice(7))).toString()).toBe("a\r\n");
    person.write({ old: null, link: null, sub: null });
    person.write({ "link/inside": "y", sub: "z" });
    const edited = (await rig.mainline.fetchPersons())!;
    const changed = (await rig.mainline.changesBetween(head, edited)).map(({ path: file }) => file);
    expect(changed).toEqual(["link", "link/inside", "old", "sub", "sub/.gitkeep"]);
  });

  test("a publishing that was cut off is undone before anything else is done", async () => {
    const rig = await MainlineRig.withFolder({ a: "1", b: "1" });
    const base = await rig.mainline.head();
    const landed = await rig.land({ a: "2", b: null, c: "2" });
    const placing = new Placing(rig.person.root, path.join(rig.person.root, ".signalbox-publish"), "sha1");
    const changes = await rig.mainline.changesBetween(base, landed);
    await placing.place({ from: base, to: landed, changes, lock: null }, rig.mainline);
    const again = await rig.reopen();
    expect(await again.mainline.fetchPersons()).toBe(base);
    expect([textOf(rig, "a"), textOf(rig, "b"), textOf(rig, "c")]).toEqual(["1", "1", null]);
    expect(await again.mainline.publish()).toEqual({ published: true, commit: landed });
  });
});

describe("a person's folder that is gone", () => {
  test.each(["repository", "folder"] as const)(
    "[LD51] a %s is had again with the command that is told",
    async (kind) => {
      const rig = await (kind === "folder"
        ? MainlineRig.withFolder({ a: "1" })
        : MainlineRig.withRepository({ a: "1" }));
      const landed = await rig.land({ a: "2" });
      rmSync(rig.person.root, { recursive: true });
      const outcome = await rig.mainline.publish();
      expect(outcome).toMatchObject({ published: false, commit: landed });
      const { why, how } = outcome.published ? { why: "", how: "" } : outcome;
      expect(why).toBe(`the folder ${rig.person.root} is not there any more`);
      execFileSync("/bin/sh", ["-c", how], { stdio: "pipe" });
      expect(textOf(rig, "a")).toBe("2");
      expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    },
  );
});
