import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KeeperRig, noCages, whos, writeFiles } from "../../../test/support/keeper-rig.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { type ScanAnswer, usualLandBytesMax } from "../../protocol/keeper/keeper-wire.ts";
import { Workspace } from "./workspace.ts";

const entry = (text: string, mode = "100644", kind = "sha1"): string =>
  `${mode}:${createHash(kind)
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex")}`;

async function openCopy(
  files: Readonly<Record<string, string>>,
  kind: "sha1" | "sha256" = "sha1",
  landBytesMax = usualLandBytesMax,
) {
  const base = makeTempFolder();
  const [root, layer] = [join(base, "root"), join(base, "layer")];
  writeFiles(layer, files);
  execFileSync("cp", ["-a", layer, root]);
  const mounted = { root, upper: undefined, lowers: [layer], fresh: true };
  const folders = { journal: join(base, "journal"), loans: join(base, "loans"), manifest: join(base, "copied") };
  return { root, base, workspace: await Workspace.open(mounted, { kind, landBytesMax }, folders), mounted, folders };
}

describe("reading", () => {
  test("gives the entry and the bytes; large ones in a file; folders and pipes are no files", async () => {
    const { root, workspace } = await openCopy({ a: "hello\n", "dir/b": "b", l: "-> a" });
    expect(await workspace.read("a")).toEqual({
      ...{ entry: entry("hello\n"), size: 6 },
      bytes: { base64: Buffer.from("hello\n").toString("base64") },
    });
    expect((await workspace.read("l")).entry).toBe(entry("a", "120000"));
    expect(await workspace.read("none/none")).toEqual({ entry: null, size: 0, bytes: null });
    await expect(workspace.read("dir")).rejects.toMatchObject({ code: "not-a-file" });
    execFileSync("mkfifo", [join(root, "pipe")]);
    await expect(workspace.read("pipe")).rejects.toMatchObject({ code: "not-a-file" });
    const text = "x".repeat(5_000_000);
    writeFileSync(join(root, "large"), text);
    const large = await workspace.read("large");
    expect(large).toMatchObject({ entry: entry(text), size: 5_000_000 });
    expect(large.bytes !== null && "file" in large.bytes && statSync(large.bytes.file).size).toBe(5_000_000);
    await workspace.close();
  });

  test("names blobs by sha256 where the project does", async () => {
    const { workspace } = await openCopy({ a: "hello\n" }, "sha256");
    expect((await workspace.read("a")).entry).toBe(entry("hello\n", "100644", "sha256"));
  });
});

describe("listing and searching", () => {
  const files = {
    ".gitignore": "node_modules/\n*.log\n!keep.log\n/build\n",
    ...{ "a.ts": "const needle = 1;\n", "src/b.ts": "// nothing\nneedle()\n", "src/.gitignore": "gen\n" },
    ...{
      "src/gen/c.ts": "needle",
      "src/y.log": "needle",
      "node_modules/x/i.js": "needle",
      "x.log": "needle",
      "keep.log": "needle",
    },
    ...{ "build/o": "needle", "src/build/o": "needle", bin: "needle\0" },
  };

  test("lists down to a depth, up to a number", async () => {
    const { workspace } = await openCopy(files);
    const { paths, more } = workspace.list({ path: "", depth: 1, limit: 100 });
    expect(more).toBe(false);
    expect(paths).toContainEqual({ path: "src", kind: "folder", size: 0 });
    expect(workspace.list({ path: "src", depth: 2, limit: 100, all: true }).paths.map(({ path }) => path)).toEqual([
      ...["src/.gitignore", "src/b.ts", "src/build", "src/gen", "src/y.log", "src/build/o", "src/gen/c.ts"],
    ]);
    expect(workspace.list({ path: "", depth: 9, limit: 3 })).toMatchObject({ more: true, paths: { length: 3 } });
  });

  test("leaves out what is ignored and counts it, unless that is what was asked for", async () => {
    const { workspace } = await openCopy(files);
    const listed = (path: string): unknown => {
      const { paths, ignored } = workspace.list({ path, depth: 9, limit: 100 });
      return [paths.filter(({ kind }) => kind === "file").map((each) => each.path), ignored];
    };
    expect(listed("")).toEqual([
      [".gitignore", "a.ts", "bin", "keep.log", "src/.gitignore", "src/b.ts", "src/build/o"],
      5,
    ]);
    expect(listed("src")).toEqual([["src/.gitignore", "src/b.ts", "src/build/o"], 2]);
    expect(listed("node_modules/x")).toEqual([["node_modules/x/i.js"], 0]);
  });

  test("finds text and patterns in what is not ignored", async () => {
    const { workspace } = await openCopy(files);
    const found = async (text: string, regex = false, under = ""): Promise<string[]> =>
      (await workspace.search({ text, regex, under, limit: 50 })).matches.map(({ path, line }) => `${path}:${line}`);
    expect(await found("needle")).toEqual(["a.ts:1", "keep.log:1", "src/b.ts:2", "src/build/o:1"]);
    expect(await found("needle\\(", true, "src")).toEqual(["src/b.ts:2"]);
    expect(await workspace.search({ text: "needle", regex: false, under: "", limit: 1 })).toMatchObject({ more: true });
    expect(await found("needle", false, "src")).toEqual(["src/b.ts:2", "src/build/o:1"]);
    expect(await found("needle", false, "node_modules/x")).toEqual(["node_modules/x/i.js:1"]);
    await expect(found("(", true)).rejects.toMatchObject({ code: "bad-pattern" });
    await workspace.close();
  });

  test("a pattern that takes for ever is ended, and the next search works", async () => {
    const { workspace } = await openCopy({ a: `${"a".repeat(60)}!\n`, b: "b\n" });
    const wish = { text: "^(a+)+$", regex: true, under: "", limit: 5 };
    await expect(workspace.search(wish)).rejects.toMatchObject({ code: "search-too-slow" });
    expect((await workspace.search({ ...wish, text: "b", regex: false })).matches).toHaveLength(1);
    await workspace.close();
  });
});

describe("scanning a copy", () => {
  test("finds what differs, whatever its times say", async () => {
    const { root, workspace, mounted, folders } = await openCopy({ a: "aaa", b: "b", c: "c", "d/e": "e", same: "s" });
    expect(await workspace.scan()).toEqual({ paths: [] });
    const { atime, mtime } = statSync(join(root, "a"));
    writeFileSync(join(root, "a"), "AAA");
    utimesSync(join(root, "a"), atime, mtime);
    rmSync(join(root, "b"));
    rmSync(join(root, "d"), { recursive: true });
    writeFileSync(join(root, "d"), "now a file");
    writeFileSync(join(root, "same"), "s");
    mkdirSync(join(root, "new/.git"), { recursive: true });
    writeFileSync(join(root, "new/.git/config"), "x");
    writeFileSync(join(root, "new/f"), "f");
    symlinkSync("nowhere", join(root, "link"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    const expected = [
      ["a", entry("AAA")],
      ["b", null],
      ["d", entry("now a file")],
      ["d/e", null],
      ["link", entry("nowhere", "120000")],
      ["new/f", entry("f")],
    ];
    const toPairs = ({ paths }: Awaited<ReturnType<Workspace["scan"]>>): unknown[] =>
      paths.map((each) => [each.path, each.entry]);
    expect(toPairs(await workspace.scan())).toEqual(expected);
    expect(toPairs(await workspace.scan())).toEqual(expected);
    const later = await Workspace.open(
      { ...mounted, fresh: false },
      { kind: "sha1", landBytesMax: usualLandBytesMax },
      folders,
    );
    expect(toPairs(await later.scan())).toEqual(expected);
    appendFileSync(join(root, "new/f"), "g");
    renameSync(join(root, "link"), join(root, "renamed"));
    expect(toPairs(await later.scan())).toContainEqual(["new/f", entry("fg")]);
  });
});

test("[EN52] what something else has put into the outbox is replaced by what is kept", async () => {
  const { base, workspace } = await openCopy({ a: "a" });
  const outbox = join(base, "outbox");
  mkdirSync(outbox);
  const [kept] = (await workspace.keep(["a"], outbox)).paths;
  const file = join(outbox, kept?.entry?.split(":")[1] ?? "");
  rmSync(file);
  execFileSync("mkfifo", [file]);
  await workspace.keep(["a"], outbox);
  expect(lstatSync(file).isFile()).toBe(true);
});

describe("a large file", () => {
  const large = 70 * 1024 * 1024;

  test("[LD57] is copied to safety in pieces, under the name of what was copied", async () => {
    const { root, base, workspace } = await openCopy({ a: "a" });
    const outbox = join(base, "outbox");
    mkdirSync(outbox);
    writeFileSync(join(root, "large"), "beginning");
    truncateSync(join(root, "large"), large);
    const git = (file: string): string =>
      execFileSync("git", ["hash-object", "--no-filters", file], { encoding: "utf8" });
    const { paths } = await workspace.keep(["a", "large"], outbox);
    const name = paths[1]?.entry?.split(":")[1] ?? "";
    expect(paths[1]).toEqual({ path: "large", entry: `100644:${git(join(root, "large")).trim()}`, size: large });
    expect(git(join(outbox, name)).trim()).toBe(name);
    expect(readdirSync(outbox)).toHaveLength(2);
    // Too much to be held in memory for whoever asks; only its name is told.
    expect(await workspace.read("large")).toEqual({ entry: paths[1]?.entry, size: large, bytes: null });
  });

  test("[LD57] of which a keeper that died had copied a part leaves nothing of that part behind", async () => {
    const { base, workspace } = await openCopy({ a: "a", b: "b" });
    const outbox = join(base, "outbox");
    mkdirSync(outbox);
    const blob = (text: string): string => entry(text).slice("100644:".length);
    for (const name of ["large.123", `${blob("b")}.456`, blob("c")]) writeFileSync(join(outbox, name), "c");
    await workspace.keep(["a"], outbox);
    // What is whole may be on its way to the repository.
    expect(readdirSync(outbox).toSorted()).toEqual([blob("a"), blob("c")].toSorted());
    // What this keeper is copying itself is left alone.
    writeFileSync(join(outbox, "large.789"), "");
    await workspace.keep(["b"], outbox);
    expect(readdirSync(outbox)).toContain("large.789");
  });

  test("[LD57] that grows and shrinks while it is copied is copied as it was at one size", async () => {
    const { root, base, workspace } = await openCopy({ a: "a" });
    const outbox = join(base, "outbox");
    mkdirSync(outbox);
    const file = join(root, "large");
    writeFileSync(file, "");
    truncateSync(file, large);
    let size = large;
    const meddling = setInterval(() => {
      size = size > large ? large - 1024 : size + 4096;
      truncateSync(file, size);
    });
    const { paths } = await workspace.keep(["large"], outbox).finally(() => clearInterval(meddling));
    const name = paths[0]?.entry?.split(":")[1] ?? "";
    expect(execFileSync("git", ["hash-object", "--no-filters", join(outbox, name)], { encoding: "utf8" }).trim()).toBe(
      name,
    );
    expect(statSync(join(outbox, name)).size).toBe(paths[0]?.size);
    expect(readdirSync(outbox)).toEqual([name]);
  });

  test("[LD57] beyond the limit is not looked into: it is no change, and is named with its size", async () => {
    const { root, base, workspace } = await openCopy({ had: "h", other: "o" }, "sha1", 1000);
    const outbox = join(base, "outbox");
    mkdirSync(outbox);
    // Nobody could read so much.
    for (const name of ["had", "new"]) {
      writeFileSync(join(root, name), "");
      truncateSync(join(root, name), 2 ** 42);
    }
    writeFileSync(join(root, "just"), "x".repeat(1000));
    const oversized = [
      { path: "had", size: 2 ** 42 },
      { path: "new", size: 2 ** 42 },
    ];
    const scanned = await workspace.scan();
    expect(scanned).toEqual({ paths: [{ path: "just", entry: entry("x".repeat(1000)), size: 1000 }], oversized });
    // It may have grown since somebody looked.
    expect(await workspace.keep(["had", "just", "new"], outbox)).toEqual({ paths: scanned.paths, oversized });
    await expect(workspace.read("new")).rejects.toThrow(
      /^new has 4398046511104 bytes, and with more than 1000 it is scratch/,
    );
    expect(readdirSync(outbox)).toHaveLength(1);
    // No tool replaces it, whatever is expected there; mainline does, for it is nobody's work.
    const put = {
      path: "had",
      expect: entry("h"),
      to: entry("n"),
      bytes: { base64: Buffer.from("n").toString("base64") },
    };
    const changes = [put, { path: "new", expect: null, to: null }];
    for (const change of [...changes, { path: put.path, to: put.to, bytes: put.bytes }]) {
      const placing = workspace.place("t", [change]);
      await expect(placing).rejects.toMatchObject({
        code: "too-large",
        message: expect.stringContaining("4398046511104") as unknown,
      });
    }
    expect((await workspace.scan()).oversized).toEqual(oversized);
    expect(await workspace.place("t", changes, { evenOversized: true })).toEqual({
      placed: [
        { path: "had", before: null, entry: entry("n") },
        { path: "new", before: null, entry: null },
      ],
    });
    expect((await workspace.scan()).paths.map(({ path }) => path)).toEqual(["had", "just"]);
  });
});

describe.skipIf(noCages).each(whos)("scanning an overlay, as %s", (who) => {
  test("leaves out new files that are ignored, but not those that the project has", async () => {
    const rig = await KeeperRig.open(who, { files: { ".gitignore": "out/\n*.log\n", "out/kept": "k", "a.log": "a" } });
    await rig.run(
      "echo x > out/kept; echo x > out/new; echo x > a.log; echo x > b.log; mkdir -p d/out; echo x > d/out/x; echo x > d/y",
    );
    const paths = async (all: boolean): Promise<string[]> =>
      (await rig.client.scan({ all })).paths.map(({ path }) => path);
    // A new file in a folder that the project has is told even so: too much is safe, too little is not.
    expect(await paths(false)).toEqual(["a.log", "d/y", "out/kept", "out/new"]);
    expect(await paths(true)).toEqual(["a.log", "b.log", "d/out/x", "d/y", "out/kept", "out/new"]);
    // What the project has got since is not new, and who asks about paths hears the same.
    const tracked = ["d/out/x"];
    const since = await rig.client.request<ScanAnswer>({ op: "scan", tracked });
    expect(since.paths.map(({ path }) => path)).toEqual(["a.log", "d/out/x", "d/y", "out/kept", "out/new"]);
    const asked = ["a.ts", "c.log", "d/out/z", "out/new", "e/out/x", "sub/d.log"];
    const ignored = (more: object): Promise<unknown> => rig.client.request({ op: "ignored", paths: asked, ...more });
    expect(await ignored({})).toEqual({ ignored: ["c.log", "d/out/z", "e/out/x", "sub/d.log"] });
    expect(await ignored({ tracked })).toEqual({ ignored: ["c.log", "e/out/x", "sub/d.log"] });
  });

  test("an answer that is too long for a line comes in a file", async () => {
    const rig = await KeeperRig.open(who, { order: { binds: [process.execPath] } });
    const many = `for (let n = 0; n < 40000; n++) require("fs").writeFileSync("a-rather-long-name-for-a-file-that-is-one-of-many-" + n, "")`;
    await rig.run(`${process.execPath} -e '${many}'`);
    expect((await rig.client.scan()).paths).toHaveLength(40_000);
    expect(readdirSync(rig.client.folder).filter((name) => name.startsWith("answer"))).toEqual([]);
  });

  test("agrees with git on a hard case", async () => {
    const files = {
      ...{
        "keep/me": "k",
        "opaque/old": "o",
        "opaque/sub/old": "o",
        "gone/a": "a",
        "gone/b/c": "c",
        file: "f",
        "dir/in": "i",
      },
      ...{ link: "-> file", touched: "t", mode: "m", "odd name\n\t'x": "o" },
    };
    const rig = await KeeperRig.open(who, { files });
    await rig.run(`rm -rf opaque && mkdir opaque && echo new > opaque/new
      rm -rf gone; rm file; mkdir file; echo f > file/f; rm -rf dir; echo d > dir; rm link; echo l > link
      touch touched; cp touched t2; mv t2 touched; chmod 755 mode; echo x >> "odd name
	'x"; ln -s a b; mkfifo p; git init -q nested; echo n > nested/n; mkdir -p empty/er`);
    const { paths } = await rig.client.scan();
    // Git itself, in a copy of what the agent sees, against the layer.
    const said = await rig.said(`rm -rf nested/.git p; cp -a . /tmp/copy; cd /tmp/copy; export GIT_DIR=/tmp/g
      git -c init.defaultBranch=x init -q --bare /tmp/g; git -c core.bare=false --work-tree=. add -A; git ls-files -sz | tr '\\0' '\\1'`);
    const after = new Map(
      said
        .split("\u0001")
        .filter(Boolean)
        .map((line) => {
          const [, mode = "", blob = "", path = ""] = /^(\d+) (\w+) \d\t([^]*)$/.exec(line) ?? [];
          return [path, `${mode}:${blob}`];
        }),
    );
    const before = new Map(
      Object.entries(files).map(([path, text]) => [
        path,
        text.startsWith("-> ") ? entry(text.slice(3), "120000") : entry(text),
      ]),
    );
    const names = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
    const expected = names.flatMap((path) => {
      const entryNow = after.get(path) ?? null;
      return entryNow === (before.get(path) ?? null) ? [] : [[path, entryNow]];
    });
    expect(expected.length).toBeGreaterThan(10);
    expect(paths.map((each) => [each.path, each.entry])).toEqual(expected);
  });
});
