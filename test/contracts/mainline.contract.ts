// What every mainline promises, except for layers: those are folders, and memory has none.

import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { entryOf } from "../../src/core/landing/entry.ts";
import type { Mainline } from "../../src/ports/mainline.ts";
import { expectFault } from "../support/expect-fault.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

/** A project, and the person whose it is. It begins without a commit. */
export type MainlineWorld = {
  readonly mainline: Mainline;
  /** The person commits these files on their branch and answers the commit. */
  readonly commitAsPerson: (files: Record<string, string | null>) => Promise<string>;
  readonly personTip: () => Promise<string | null>;
};

const author = { name: "Run r_1", email: "r_1@localhost", atMs: 1_780_000_000_000 };

export function describeMainline(name: string, open: () => Promise<MainlineWorld>): void {
  const begin = async (): Promise<MainlineWorld & ReturnType<typeof helpersFor>> => {
    const world = await open();
    return { ...world, ...helpersFor(world.mainline) };
  };

  describe(`${name}, as a mainline`, () => {
    test("begins at a commit without files, from which everything descends", async () => {
      const { mainline, make, commitAsPerson } = await begin();
      const start = await mainline.head();
      expect([...(await mainline.listTree(start))]).toEqual([]);
      expect(await mainline.fetchPersons()).toBeNull();
      const theirs = await commitAsPerson({ a: "theirs" });
      expect(await mainline.fetchPersons()).toBe(theirs);
      const ours = await make([start], { b: "ours" });
      expect(await mainline.isAncestor(start, theirs)).toBe(true);
      expect(await mainline.isAncestor(theirs, start)).toBe(false);
      expect(await mainline.mergeBase(ours, theirs)).toBe(start);
      expect(await mainline.mergeBase(start, theirs)).toBe(start);
    });

    test("keeps bytes under the name that git gives them, and gives them back", async () => {
      const { mainline } = await begin();
      for (const bytes of [
        Buffer.from("one\n"),
        Buffer.alloc(0),
        Buffer.from([0, 255, 13, 10, 0]),
        Buffer.alloc(3_000_000, 7),
      ]) {
        const blob = await mainline.writeBlob(bytes);
        expect(mainline.nameOfBlob(bytes)).toBe(blob);
        expect(Buffer.from(await mainline.readBlob(blob)).equals(bytes)).toBe(true);
        expect(await mainline.writeBlob(bytes)).toBe(blob);
      }
      expect(await mainline.writeBlob(Buffer.from("one\n"))).toBe("5626abf0f72e58d7a153368ba57db4c673c0e171");
    });

    test("[LD57] takes in and gives out files of any size, and knows how large they are", async () => {
      const { mainline } = await begin();
      const folder = makeTempFolder();
      for (const [at, bytes] of [Buffer.from("small\n"), Buffer.alloc(0), randomBytes(9_000_000)].entries()) {
        const [from, to] = [join(folder, `from-${at}`), join(folder, `to-${at}`)];
        writeFileSync(from, bytes);
        expect(await mainline.freshen([mainline.nameOfBlob(bytes)])).toEqual(new Set());
        const blob = await mainline.writeBlobFrom(from);
        expect(blob).toBe(mainline.nameOfBlob(bytes));
        expect(await mainline.blobSizes([blob, "1".repeat(40), "x"])).toEqual(new Map([[blob, bytes.length]]));
        expect(await mainline.freshen([blob, "1".repeat(40), "x"])).toEqual(new Set([blob]));
        await mainline.copyBlob(blob, to);
        expect(readFileSync(to).equals(bytes)).toBe(true);
        await mainline.lendBlob(blob, `${to}-lent`);
        expect([to, `${to}-lent`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o644]);
        expect(readFileSync(`${to}-lent`).equals(bytes)).toBe(true);
        // What is there is nobody's to replace.
        await expect(mainline.copyBlob(blob, to)).rejects.toThrow(/EEXIST/);
        expect(readFileSync(to).equals(bytes)).toBe(true);
        expect(await mainline.writeBlobFrom(from)).toBe(blob);
      }
      await expectFault(mainline.copyBlob("1".repeat(40), join(folder, "none")), "blob-missing");
    });

    test("[LD44, LD57] what was taken for kept while somebody collects stays", async () => {
      const { mainline, blob } = await begin();
      const [held, gone] = [await blob("held"), await blob("gone")];
      const kept = async (): Promise<{ commits: string[]; blobs: string[] }> => {
        expect(await mainline.freshen([held])).toEqual(new Set([held]));
        return { commits: [], blobs: [] };
      };
      await mainline.collect({ kept, youngMs: -1000, dryRun: false });
      expect(await mainline.blobSizes([held, gone])).toEqual(new Map([[held, 4]]));
    });

    test.each(["", "x", "HEAD", "--help", "0".repeat(40), "a\nb", ":a"])(
      "knows no commit or blob called %j",
      async (id) => {
        const { mainline } = await begin();
        await expectFault(mainline.readBlob(id), "blob-missing");
        await expectFault(mainline.entriesAt(id, ["a"]), "blob-missing");
        await expectFault(mainline.listTree(id), "blob-missing");
      },
    );

    test("[LD1] an entry is kind, mode and bytes; folders and what is absent are none", async () => {
      const { mainline, blob, make } = await begin();
      const [text, target] = [await blob("text"), await blob("a/b")];
      const changes = {
        "a/b": entryOf("100644", text),
        run: entryOf("100755", text),
        link: entryOf("120000", target),
        sub: entryOf("160000", "1".repeat(40)),
      };
      const commit = await mainline.commit({
        parents: [],
        changes: new Map(Object.entries(changes)),
        message: "m",
        author,
      });
      expect(Object.fromEntries(await mainline.listTree(commit))).toEqual(changes);
      const paths = [...Object.keys(changes), "a", "a/b/c", "nothing", "", "/a", "a/", "a/../a/b", ".git/config"];
      const entries = await mainline.entriesAt(commit, paths);
      expect([...entries.keys()]).toEqual(paths);
      expect([...entries.values()]).toEqual([...Object.values(changes), ...paths.slice(4).map(() => null)]);
      const other = await make([commit], { "a/b": "other" });
      expect((await mainline.changesBetween(commit, other)).map(({ path }) => path)).toEqual(["a/b"]);
    });

    test("a commit is its first parent's tree with paths replaced, and moves nothing", async () => {
      const { mainline, make, textsOf } = await begin();
      const head = await mainline.head();
      const one = await make([head], { "a/x": "1", "a/y": "1", "b/c/d/e": "1", top: "1" });
      const two = await make([one], { "a/x": "2", "b/c/d/e": null, "n/e/w": "2", absent: null });
      expect(await textsOf(two)).toEqual({ "a/x": "2", "a/y": "1", "n/e/w": "2", top: "1" });
      expect([...(await mainline.listTree(two, "a")).keys()]).toEqual(["a/x", "a/y"]);
      expect([...(await mainline.listTree(two, "b")).keys()]).toEqual([]);
      expect([...(await mainline.listTree(two, "top")).keys()]).toEqual([]);
      expect(await mainline.head()).toBe(head);
      const none = await make([two], { "a/x": null, "a/y": null, "n/e/w": null, top: null });
      expect(await textsOf(none)).toEqual({});
      expect(await make([one], { "a/x": "2", "b/c/d/e": null, "n/e/w": "2", absent: null })).toBe(two);
    });

    test("[LD28] no name is both a file and a folder, and a folder may become a file in one step", async () => {
      const { mainline, make, textsOf } = await begin();
      const one = await make([], { "a/x": "1", "a/y/z": "1", f: "1" });
      await expectFault(make([one], { "f/x": "2" }), "unfit-tree", '"f"');
      await expectFault(make([one], { a: "2" }), "unfit-tree", '"a"');
      await expectFault(make([one], { a: "2", "a/x": null }), "unfit-tree");
      await expectFault(make([], { n: "1", "n/x": "1" }), "unfit-tree");
      const swapped = await make([one], { a: "2", "a/x": null, "a/y/z": null, f: null, "f/x/y": "2" });
      expect(await textsOf(swapped)).toEqual({ a: "2", "f/x/y": "2" });
      const changes = await mainline.changesBetween(one, swapped);
      expect(changes.map(({ path }) => path)).toEqual(["a", "a/x", "a/y/z", "f", "f/x/y"]);
      expect(await textsOf(await make([swapped], { a: null, "a/x": "3" }))).toEqual({ "a/x": "3", "f/x/y": "2" });
    });

    test.each(["", "/a", "a/", "a//b", ".", "..", "a/../b", ".git/hooks/x", "sub/.GIT/config", "nul\0", "\ud800"])(
      "no tree has a path called %j",
      async (path) => {
        const { make } = await begin();
        await expectFault(make([], { [path]: "x" }), "unfit-tree");
      },
    );

    test("content that nobody has written cannot be committed or kept", async () => {
      const { mainline } = await begin();
      const entries = new Map([["a", entryOf("100644", "1".repeat(40))]]);
      await expectFault(mainline.commit({ parents: [], changes: entries, message: "m", author }), "unfit-tree", '"a"');
      await expectFault(mainline.keep("k", entries), "unfit-tree", '"a"');
    });

    test("odd names are names", async () => {
      const { mainline, make, textsOf } = await begin();
      const names = [
        "new\nline",
        'quo"te',
        "back\\slash",
        "tab\t",
        " space ",
        "-dash",
        ":(glob)*",
        "ünï/çödé",
        "日本",
        "\u{1f600}",
        "a:b",
        "*",
        "\u007f",
      ];
      const files = Object.fromEntries(names.map((name) => [name, name]));
      const one = await make([], files);
      expect(await textsOf(one)).toEqual(files);
      expect([...(await mainline.listTree(one)).keys()]).toEqual(names.toSorted());
      const two = await make([one], { "-dash": "2", "new\nline": null });
      expect((await mainline.changesBetween(one, two)).map(({ path }) => path)).toEqual(["-dash", "new\nline"]);
    });

    test("[LD32] it is moved by compare-and-swap: of many who try, one succeeds", async () => {
      const { mainline, make } = await begin();
      const head = await mainline.head();
      const commits = await Promise.all(Array.from({ length: 8 }, (_, n) => make([head], { n: String(n) })));
      const outcomes = await Promise.all(commits.map((commit) => mainline.swap(head, commit)));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await mainline.head()).toBe(commits[outcomes.indexOf(true)]);
      expect(await mainline.swap(head, commits[0]!)).toBe(false);
      await expectFault(mainline.swap(await mainline.head(), "1".repeat(40)), "blob-missing");
    });

    test("a line is traced to the commit that made it, with who and what", async () => {
      const { mainline, make } = await begin();
      const first = await make([await mainline.head()], { a: "1\n2\n" });
      const blob = await mainline.writeBlob(Buffer.from("b"));
      const changes = new Map([["b", entryOf("100644", blob)]]);
      const second = await mainline.commit({ parents: [first], changes, message: "two\n\nRun: x\n", author });
      expect((await mainline.linesOf("a", second)).map(({ line, commit }) => [line, commit])).toEqual([
        [1, first],
        [2, first],
      ]);
      expect(await mainline.factsOf(second)).toEqual({ author: author.name, message: "two\n\nRun: x" });
      const facts = await mainline.factsOfAll([first, "0".repeat(first.length), second]);
      expect(new Set(facts.keys())).toEqual(new Set([first, second]));
      expect(facts.get(second)).toEqual(await mainline.factsOf(second));
      expect(await mainline.factsOfAll([])).toEqual(new Map());
    });

    test("the past of a path has the commits that changed it, the newest first, with what stood there", async () => {
      const { mainline, make } = await begin();
      const names = ["a", ":(glob)*"];
      const first = await make([await mainline.head()], { a: "1", ":(glob)*": "odd", other: "x" });
      const second = await make([first], { other: "y" });
      const third = await make([second], { a: "2" });
      const fourth = await make([third], { a: null });
      const past = await mainline.changesOf("a", { commit: fourth, count: 10, skip: 0 });
      expect(past.map(({ commit }) => commit)).toEqual([fourth, third, first]);
      const entries = await Promise.all(
        [first, third].map(async (at) => (await mainline.entriesAt(at, names)).get("a")),
      );
      expect(past.map(({ before, after }) => [before, after])).toEqual([
        [entries[1], null],
        [entries[0], entries[1]],
        [null, entries[0]],
      ]);
      const { author: by, message } = await mainline.factsOf(third);
      expect(past[1]).toMatchObject({ author: by, message, wallMs: author.atMs });
      expect(await mainline.changesOf("a", { commit: fourth, count: 1, skip: 1 })).toEqual([past[1]]);
      expect(await mainline.changesOf("a", { commit: second, count: 10, skip: 0 })).toEqual([past[2]]);
      // A name that could be a pattern is a name.
      const odd = await mainline.changesOf(":(glob)*", { commit: fourth, count: 10, skip: 0 });
      expect(odd.map(({ commit }) => commit)).toEqual([first]);
      expect(await mainline.changesOf("nowhere", { commit: fourth, count: 10, skip: 0 })).toEqual([]);
    });

    test("[LD37] a commit is recognised among the ancestors of another", async () => {
      const { mainline, make } = await begin();
      const one = await make([await mainline.head()], { a: "1" });
      const [left, right] = [await make([one], { a: "2" }), await make([one], { b: "2" })];
      const merged = await make([left, right], { b: "2" });
      expect(await mainline.isAncestor(one, merged)).toBe(true);
      expect(await mainline.isAncestor(right, merged)).toBe(true);
      expect(await mainline.isAncestor(merged, merged)).toBe(true);
      expect(await mainline.isAncestor(merged, right)).toBe(false);
      expect(await mainline.mergeBase(left, right)).toBe(one);
      expect(await mainline.mergeBase(merged, right)).toBe(right);
    });

    test("without anything in common there is no merge base", async () => {
      const { mainline, make } = await begin();
      const [one, two] = [await make([], { a: "1" }), await make([], { a: "2" })];
      expect(await mainline.mergeBase(one, two)).toBeNull();
      expect(await mainline.isAncestor(one, two)).toBe(false);
    });

    test("[LD42, LD43] what a person commits is seen, and is built upon before anything is published", async () => {
      const { mainline, make, commitAsPerson, personTip, textsOf } = await begin();
      const first = await commitAsPerson({ a: "1" });
      expect(await mainline.fetchPersons()).toBe(first);
      expect(await mainline.swap(await mainline.head(), first)).toBe(true);
      const landed = await make([first], { b: "landed" });
      expect(await mainline.swap(first, landed)).toBe(true);
      expect(await mainline.publish()).toEqual({ published: true, commit: landed });
      expect(await mainline.publish()).toEqual({ published: true, commit: landed });
      expect(await mainline.published()).toBe(landed);
      expect(await personTip()).toBe(landed);
      const edited = await commitAsPerson({ a: "2" });
      const apart = await make([landed], { b: "again" });
      await mainline.swap(landed, apart);
      expect(await mainline.publish()).toMatchObject({ published: false, commit: apart });
      expect(await mainline.published()).toBe(landed);
      expect(await personTip()).toBe(edited);
      expect(await mainline.fetchPersons()).toBe(edited);
      const merged = await make([apart, edited], { a: "2" });
      await mainline.swap(apart, merged);
      expect(await mainline.publish()).toEqual({ published: true, commit: merged });
      expect(await personTip()).toBe(merged);
      expect(await textsOf(merged)).toEqual({ a: "2", b: "again" });
    });

    test("what is kept may be kept again, and let go also twice", async () => {
      const { mainline, blob } = await begin();
      const entries = new Map([["a", entryOf("100644", await blob("a"))]]);
      await mainline.keep("runs/r_1/checkpoint-1", entries);
      await mainline.keep("runs/r_1/checkpoint-1", new Map());
      await mainline.keep("runs-too/r_2", entries);
      expect(await mainline.keptUnder("runs")).toEqual(["r_1/checkpoint-1"]);
      expect(await mainline.keptUnder("nothing")).toEqual([]);
      await mainline.letGo("runs/r_1/checkpoint-1");
      await mainline.letGo("runs/r_1/checkpoint-1");
      expect(await mainline.readBlob(await blob("a"))).toHaveLength(1);
    });

    test("[LD44] lets go of what nobody needs, and of nothing else", async () => {
      const { mainline, blob, make, commitAsPerson } = await begin();
      await commitAsPerson({ theirs: "theirs" });
      const theirs = await mainline.fetchPersons();
      const landed = await make([await mainline.head()], { old: "old", a: "landed" });
      await mainline.swap(await mainline.head(), landed);
      const newer = await make([landed], { old: null });
      await mainline.swap(landed, newer);
      const candidate = await make([newer], { a: "candidate" });
      const dropped = await make([newer], { "deep/er/a": "dropped" });
      const named = [await blob("named"), await blob("old"), await blob("candidate"), await blob("landed")];
      const gone = [await blob("gone"), await blob("dropped")];
      const back = await blob("back");
      await mainline.keep("some/thing", new Map([["a", entryOf("100644", await blob("kept"))]]));
      const kept = async (): Promise<{ commits: string[]; blobs: string[] }> => {
        // Somebody writes the same again while it is looked for.
        await blob("back");
        await blob("fresh");
        return { commits: [candidate, "0".repeat(40)], blobs: [named[0] ?? "", "1".repeat(40)] };
      };
      const order = { kept, youngMs: -1000 };
      const would = await mainline.collect({ ...order, dryRun: true });
      for (const each of gone) await mainline.readBlob(each);
      expect(await mainline.collect({ ...order, dryRun: false })).toEqual(would);
      expect(would.objects).toBeGreaterThanOrEqual(gone.length);
      for (const each of gone) await expectFault(mainline.readBlob(each), "blob-missing");
      for (const each of [...named, back, await blob("fresh"), await blob("kept")]) await mainline.readBlob(each);
      for (const commit of [candidate, newer, theirs ?? ""]) await mainline.listTree(commit);
      // What went is written anew as if it had never been there.
      expect(await make([newer], { "deep/er/a": "dropped" })).toBe(dropped);
      expect(await mainline.sizeOf([...gone, ...gone])).toBeGreaterThan(0);
      expect(await mainline.sizeOf(["2".repeat(40)])).toBe(0);
    });
  });
}

function helpersFor(mainline: Mainline): {
  blob: (text: string) => Promise<string>;
  make: (parents: readonly string[], files: Record<string, string | null>) => Promise<string>;
  textsOf: (commit: string) => Promise<Record<string, string>>;
} {
  const blob = async (text: string): Promise<string> => await mainline.writeBlob(Buffer.from(text));
  return {
    blob,
    make: async (parents, files) => {
      const changes = new Map<string, string | null>();
      for (const [path, text] of Object.entries(files))
        changes.set(path, text === null ? null : entryOf("100644", await blob(text)));
      return await mainline.commit({ parents, changes, message: "a change", author });
    },
    textsOf: async (commit) => {
      const texts: Record<string, string> = {};
      for (const [path, entry] of await mainline.listTree(commit)) {
        texts[path] = Buffer.from(await mainline.readBlob(entry.slice(entry.indexOf(":") + 1))).toString();
      }
      return texts;
    },
  };
}
