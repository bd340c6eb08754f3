import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { readTree, writeFiles } from "../../../test/support/keeper-rig.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { PlaceChange } from "../../protocol/keeper/keeper-wire.ts";
import { usualLandBytesMax } from "../../protocol/keeper/keeper-wire.ts";
import { Placer } from "./place.ts";
import { Tree } from "./tree.ts";

const keeping = { kind: "sha1", landBytesMax: usualLandBytesMax } as const;

const blob = (text: string): string =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex");
const entry = (text: string, mode = "100644"): string => `${mode}:${blob(text)}`;

function put(path: string, text: string, more: Partial<PlaceChange> & { mode?: string } = {}): PlaceChange {
  const { mode, ...rest } = more;
  return { path, to: entry(text, mode), bytes: { base64: Buffer.from(text).toString("base64") }, ...rest };
}

function make(files: Readonly<Record<string, string>> = {}): { root: string; placer: Placer; again: () => Placer } {
  const [root, journal] = [makeTempFolder(), makeTempFolder()];
  writeFiles(root, files);
  const again = (): Placer => new Placer(new Tree(root), keeping, journal);
  return { root, placer: again(), again };
}

describe("placing where a large file stands", () => {
  const bytes = 48 * 1024 * 1024;
  const zeros = `100644:${createHash("sha1").update(`blob ${bytes}\0`).update(Buffer.alloc(bytes)).digest("hex")}`;
  function withLarge(): { root: string; file: string; placer: Placer } {
    const { root, placer } = make({ large: "" });
    const file = join(root, "large");
    truncateSync(file, bytes);
    return { root, file, placer };
  }

  test("[LD57] others get their turn while it is read, and it is read once", async () => {
    const { file, placer } = withLarge();
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const { placed } = await placer
      .place("t1", [put("large", "small", { expect: zeros })])
      .finally(() => (isOver = true));
    expect([placed, readFileSync(file, "utf8")]).toEqual([
      [{ path: "large", before: zeros, entry: entry("small") }],
      "small",
    ]);
    // It is read a mebibyte at a time.
    expect(turns).toBeGreaterThan(40);
  });

  test.each([
    ["more is added", (file: string) => appendFileSync(file, "x")],
    [
      "it is changed in place, and its times are put back",
      (file: string): void => {
        const { atime, mtime } = statSync(file);
        const fd = openSync(file, "r+");
        writeSync(fd, "x", 10);
        closeSync(fd);
        utimesSync(file, atime, mtime);
      },
    ],
  ])("[EN47] nothing is placed where %s while it is read", async (_, change) => {
    const { file, placer } = withLarge();
    const placing = expectFault(placer.place("t1", [put("large", "small", { expect: zeros })]), "changed");
    while (!process.getActiveResourcesInfo().includes("FSReqCallback")) await new Promise((done) => setImmediate(done));
    change(file);
    await placing;
    expect(statSync(file).size).toBeGreaterThanOrEqual(bytes);
  });
});

describe("placing", () => {
  test("puts, replaces and takes away, with modes and links, and says what was there", async () => {
    const { root, placer } = make({ "a.txt": "old", "dir/gone": "gone", "dir/sub/gone": "gone" });
    const answer = await placer.place("t1", [
      put("a.txt", "new", { expect: entry("old") }),
      put("deep/er/b.sh", "#!/bin/sh\n", { expect: null, mode: "100755" }),
      put("link", "a.txt", { mode: "120000" }),
      { path: "dir/gone", to: null, expect: entry("gone") },
      { path: "dir/sub/gone", to: null },
      { path: "never", to: null, expect: null },
    ]);
    expect(answer.placed.map(({ before }) => before)).toEqual([
      entry("old"),
      null,
      null,
      entry("gone"),
      entry("gone"),
      null,
    ]);
    expect(readTree(root)).toEqual({ "a.txt": "new", "deep/er/b.sh": "#!/bin/sh\n" });
    expect(lstatSync(join(root, "deep/er/b.sh")).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(root, "link"))).toBe("a.txt");
    // Folders that are empty without it go, too; nothing of ours stays.
    expect(existsSync(join(root, "dir"))).toBe(false);
    expect(existsSync(join(root, ".signalbox-stage"))).toBe(false);
  });

  test("however many files come at once, few of them are open", async () => {
    const { root, placer } = make();
    const lent = makeTempFolder();
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, `${at}`]));
    writeFiles(lent, files);
    const open = (): number => readdirSync("/proc/self/fd").length;
    const [before, seen] = [open(), [] as number[]];
    const looking = setInterval(() => seen.push(open()));
    const changes = Object.entries(files).map(([path, text]) => ({
      path,
      to: entry(text),
      bytes: { file: join(lent, path) },
    }));
    const placing = placer.place("t", changes);
    // What is opened at once is open by now.
    seen.push(open());
    await placing.finally(() => clearInterval(looking));
    expect(Math.max(...seen) - before).toBeLessThan(100);
    expect(readTree(root)).toEqual(files);
  });

  test("what is not as expected refuses all of it, and says what is there", async () => {
    const { root, placer } = make({ a: "a", b: "b" });
    const changes = [put("a", "new", { expect: entry("a") }), put("b", "new", { expect: entry("other") })];
    await expect(placer.place("t", changes)).rejects.toMatchObject({
      code: "changed",
      data: { changed: [{ path: "b", entry: entry("b") }] },
    });
    expect(readTree(root)).toEqual({ a: "a", b: "b" });
    // What is already as it shall be is no change.
    await placer.place("t2", [put("a", "a", { expect: entry("long ago") })]);
  });

  test("the same name again gives the same answer and does nothing", async () => {
    const { root, placer, again } = make({ a: "a" });
    const first = await placer.place("t", [put("a", "b", { expect: entry("a") })]);
    writeFileSync(join(root, "a"), "c");
    expect(await placer.place("t", [put("a", "b", { expect: entry("a") })])).toEqual(first);
    expect(await again().place("t", [put("a", "b", { expect: entry("a") })])).toEqual(first);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("c");
  });

  test("of two edits of one file at once, one gets an error", async () => {
    const { root, placer } = make({ a: "0" });
    const tries = Array.from({ length: 20 }, (_, index) =>
      placer.place(`t${index}`, [put("a", `${index + 1}`, { expect: entry("0") })]),
    );
    const settled = await Promise.allSettled(tries);
    const won = settled.flatMap(({ status }, index) => (status === "fulfilled" ? [index] : []));
    expect(won).toHaveLength(1);
    expect(readFileSync(join(root, "a"), "utf8")).toBe(`${(won[0] ?? 0) + 1}`);
  });

  test("a file becomes a folder and a folder a file, when what was in it leaves", async () => {
    const { root, placer } = make({ x: "file", "y/one": "1", "y/two/three": "3" });
    await placer.place("t", [
      { path: "x", to: null },
      put("x/inside", "in"),
      { path: "y/one", to: null },
      { path: "y/two/three", to: null },
      put("y", "now a file"),
    ]);
    expect(readTree(root)).toEqual({ "x/inside": "in", y: "now a file" });
    mkdirSync(join(root, "empty/deep"), { recursive: true });
    await placer.place("t2", [put("empty", "file")]);
    expect(readFileSync(join(root, "empty"), "utf8")).toBe("file");
  });

  test("what is in the way stays, and nothing happens", async () => {
    const { root, placer } = make({ "y/scratch": "mine", z: "file" });
    await expect(placer.place("t", [put("a", "a"), put("y", "file")])).rejects.toMatchObject({ code: "in-the-way" });
    await expect(placer.place("t", [put("a", "a"), put("z/below", "x")])).rejects.toMatchObject({ code: "in-the-way" });
    symlinkSync("/tmp", join(root, "out"));
    await expect(placer.place("t", [put("out/x", "x")])).rejects.toMatchObject({ code: "in-the-way" });
    expect(readTree(root)).toEqual({ "y/scratch": "mine", z: "file" });
  });

  test("only the mode changes, without bytes", async () => {
    const { root, placer } = make({ a: "a" });
    await placer.place("t", [{ path: "a", to: entry("a", "100755") }]);
    expect(lstatSync(join(root, "a")).mode & 0o777).toBe(0o755);
    await expect(placer.place("t2", [{ path: "b", to: entry("b") }])).rejects.toMatchObject({ code: "bad-request" });
    await expect(placer.place("t3", [{ ...put("b", "b"), to: entry("c") }])).rejects.toMatchObject({
      code: "bad-request",
    });
  });

  test("bytes may come in a file", async () => {
    const { root, placer } = make();
    const file = join(makeTempFolder(), "bytes");
    writeFileSync(file, "from a file");
    await placer.place("t", [{ path: "a", to: entry("from a file"), bytes: { file } }]);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("from a file");
  });

  test.each([
    ["twice the same", [put("a", "1"), put("a", "2")]],
    ["one below the other", [put("a", "1"), put("a/b", "2")]],
    ["no path", [put("", "1")]],
    ["upwards", [put("../a", "1")]],
    ["from the root", [put("/etc/a", "1")]],
  ])("%s is no set of changes", async (_, changes) => {
    const { placer } = make();
    await expect(placer.place("t", changes)).rejects.toMatchObject({ code: "bad-request" });
    await expect(placer.place("../t", [put("a", "1")])).rejects.toMatchObject({ code: "bad-request" });
  });
});

describe("a place that was interrupted", () => {
  const begun = (
    root: string,
    journal: string,
    spares: Readonly<Record<string, string>>,
    changes: readonly object[],
  ): void => {
    mkdirSync(join(journal, "places"), { recursive: true });
    const plan = { tag: "t", stage: [".signalbox-stage"], changes };
    writeFileSync(join(journal, "places", "t.begun"), JSON.stringify(plan));
    writeFiles(join(root, ".signalbox-stage"), spares);
  };

  const change = (path: string, before: string | null, to: string | null, spare: string | null): object => ({
    ...{ path, before: before === null ? null : entry(before), to: to === null ? null : entry(to), spare },
  });

  test.each([
    ["before the first name changed", { a: "1", b: "1", gone: "x" }, { "0": "2", "1": "2" }],
    ["in the middle", { a: "2", b: "1" }, { "1": "2" }],
    ["before it was marked as complete", { a: "2", b: "2" }, {}],
  ])("%s is completed", (_, files, spares) => {
    const [root, journal] = [makeTempFolder(), makeTempFolder()];
    writeFiles(root, files);
    begun(root, journal, spares, [
      change("a", "1", "2", "0"),
      change("b", "1", "2", "1"),
      change("gone", "x", null, null),
    ]);
    const placer = new Placer(new Tree(root), keeping, journal);
    expect(placer.recover()).toEqual(["t"]);
    expect(readTree(root)).toEqual({ a: "2", b: "2" });
    expect(placer.recover()).toEqual([]);
  });

  test.each([
    ["whose new files are not all there", { a: "1", b: "1" }, { "0": "2" }],
    ["on files that were changed since", { a: "1", b: "3" }, { "0": "2", "1": "2" }],
  ])("%s did not happen", (_, files, spares) => {
    const [root, journal] = [makeTempFolder(), makeTempFolder()];
    writeFiles(root, files);
    begun(root, journal, spares, [change("a", "1", "2", "0"), change("b", "1", "2", "1")]);
    const placer = new Placer(new Tree(root), keeping, journal);
    expect(placer.recover()).toEqual([]);
    expect(readTree(root)).toEqual(files);
    chmodSync(root, 0o700);
  });
});
