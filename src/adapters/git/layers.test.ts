import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { MainlineRig } from "../../../test/support/git/mainline-rig.ts";
import { canMount, expectedView, ordinaryUser, viewOf } from "../../../test/support/git/overlay-view.ts";
import { Person } from "../../../test/support/git/person.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Prng } from "../../base/prng.ts";
import { blobOf, modeOf } from "../../core/landing/entry.ts";

async function expectedOf({ mainline }: MainlineRig, commit: string): Promise<Record<string, string>> {
  const files: [string, string, Uint8Array][] = [];
  for (const [name, entry] of await mainline.listTree(commit)) {
    files.push([
      name,
      modeOf(entry),
      modeOf(entry) === "160000" ? new Uint8Array() : await mainline.readBlob(blobOf(entry)),
    ]);
  }
  return expectedView(files);
}

const users = [
  { who: "as whoever this is", user: null },
  { who: "as an ordinary user", user: ordinaryUser },
];

describe.each(users)("the stack of a commit, mounted $who,", ({ user }) => {
  const mounts = canMount(user);
  const begin = async (heightMax = 8): Promise<MainlineRig> => {
    const folder = makeTempFolder();
    chmodSync(folder, 0o711);
    const person = Person.withRepository(path.join(folder, "project"), {
      "a/b/c": "1",
      "a/b/d": "1",
      "a/e": "1",
      top: "1",
      "crlf.txt": "a\r\nb\n",
    });
    const layers = { folder: path.join(folder, "layers"), heightMax, ...(user === null ? {} : { owner: user }) };
    return await MainlineRig.of(folder, person, { layers });
  };

  test.skipIf(!mounts)("shows exactly its tree, whatever becomes of files and folders", async () => {
    const rig = await begin();
    const steps = [
      {},
      { "a/b/c": "2", "new/deep/file": "2", bin: new Uint8Array([0, 1, 2, 255]) },
      { "a/b/c": null },
      { "a/b/d": null },
      { a: "file", "a/e": null },
      { a: null, "a/b/c": "again" },
      { "a/b": ["120000", "../top"], "a/b/c": null },
      { "a/b": null, "a/b/x": ["100755", "#!/bin/sh\n"], "new/deep/file": ["160000", "1".repeat(40)] },
      { "new/deep/file": null, "new/deep/other": "", "odd\nname": "x", "-dash,:comma": "x" },
      { "new/deep": ["160000", "2".repeat(40)], "new/deep/other": null },
      { "new/deep": null, "new/deep/back": "1", ".gitattributes": "* text eol=crlf ident\n", "id.txt": "$Id$\n" },
    ] as const;
    const seen: [string, readonly string[]][] = [];
    for (const step of steps) {
      const commit = await rig.land(step);
      seen.push([commit, await rig.mainline.layersFor(commit, "u")]);
      expect(viewOf(seen.at(-1)![1], rig.folder, user)).toEqual(await expectedOf(rig, commit));
    }
    expect(Math.max(...seen.map(([, stack]) => stack.length))).toBeGreaterThan(5);
    // Old stacks show what they showed, also after all of that.
    for (const [commit, stack] of seen) expect(viewOf(stack, rig.folder, user)).toEqual(await expectedOf(rig, commit));
  });

  test.skipIf(!mounts)("shows its tree after any sequence of changes, also while stacks are flattened", async () => {
    const rig = await begin(3);
    const prng = new Prng(11);
    const pick = <T>(items: readonly T[]): T => items[prng.below(items.length)]!;
    for (let round = 0; round < 14; round++) {
      const head = await rig.mainline.head();
      const there = await rig.mainline.listTree(head);
      const files: Record<string, string | readonly [string, string] | null> = {};
      for (let n = 0; n < 4; n++) {
        const name = Array.from({ length: 1 + prng.below(3) }, () => pick(["p", "q", "r"])).join("/");
        if (
          Object.keys(files).some(
            (other) => files[other] !== null && (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)),
          )
        )
          continue;
        for (const old of there.keys()) if (old.startsWith(`${name}/`) || name.startsWith(`${old}/`)) files[old] = null;
        files[name] = pick([
          null,
          String(round),
          ["100755", "x"],
          ["120000", "p/q"],
          ["160000", "3".repeat(40)],
        ] as const);
      }
      const commit = await rig.land(files);
      const stack = await rig.mainline.layersFor(commit, `u${round}`);
      expect(viewOf(stack, rig.folder, user)).toEqual(await expectedOf(rig, commit));
      if (round > 3) await rig.mainline.releaseLayers(`u${round - 3}`);
    }
    await rig.mainline.settle();
    expect((await rig.mainline.layersFor(await rig.mainline.head(), "last")).length).toBeLessThan(24);
  });
});

test("[AG86] whoever cannot stack has one whole folder, whatever others stand on", async () => {
  const folder = makeTempFolder();
  const person = Person.withRepository(path.join(folder, "project"), { top: "1", "a/b/c": "1" });
  const rig = await MainlineRig.of(folder, person);
  await rig.mainline.layersFor(await rig.mainline.head(), "others");
  const landed = await rig.land({ top: null, "new/file": "1" });
  expect(await rig.mainline.layersFor(landed, "others")).toHaveLength(2);
  const [whole, ...none] = await rig.mainline.layersFor(landed, "u", { isWhole: true });
  expect(none).toEqual([]);
  expect(readFileSync(path.join(whole!, "new/file"), "utf8")).toBe("1");
  expect(existsSync(path.join(whole!, "top"))).toBe(false);
  expect(existsSync(path.join(whole!, "a/b/c"))).toBe(true);
});

test("files have the modes of git, belong to whom they should, and are the bytes of the blobs", async () => {
  const owner = process.getuid?.() === 0 ? ordinaryUser : { uid: process.getuid!(), gid: process.getgid!() };
  const folder = makeTempFolder();
  const person = Person.withRepository(path.join(folder, "project"), {
    plain: "a\r\n",
    ".gitattributes": "* text=auto eol=crlf\n",
  });
  const rig = await MainlineRig.of(folder, person, { layers: { folder: path.join(folder, "layers"), owner } });
  const before = process.umask(0o077);
  try {
    const commit = await rig.land({ run: ["100755", "x"], "d/e": "lf\n", link: ["120000", "/etc/passwd"] });
    const [layer] = await rig.mainline.layersFor(commit, "u");
    const found = ["", "plain", "run", "d", "d/e", "link"].map((name) => lstatSync(path.join(layer!, name)));
    expect(found.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(["755", "644", "755", "755", "644", "777"]);
    for (const { uid, gid } of found) expect({ uid, gid }).toEqual(owner);
    expect(readFileSync(path.join(layer!, "d/e"), "utf8")).toBe("lf\n");
  } finally {
    process.umask(before);
  }
});

test("a stack stays while somebody uses it, also across restarts, and goes when nobody does", async () => {
  const layers = { folder: "", heightMax: 3 };
  const folder = makeTempFolder();
  layers.folder = path.join(folder, "layers");
  const rig = await MainlineRig.of(folder, Person.withRepository(path.join(folder, "project")), { layers });
  const first = await rig.mainline.layersFor(await rig.mainline.head(), "agent-1");
  for (let n = 0; n < 3; n++)
    expect(await rig.mainline.layersFor(await rig.land({ n: String(n) }), "agent-2")).toHaveLength(n + 2);
  await rig.mainline.settle();
  await rig.mainline.close();
  const again = await rig.reopen({ layers });
  const stack = await again.mainline.layersFor(await again.mainline.head(), "agent-3");
  expect(stack).toHaveLength(1);
  await again.mainline.releaseLayers("agent-2");
  const left = (): string[] => readdirSync(layers.folder).filter((name) => /^[fd]-/.test(name));
  expect(left().toSorted()).toEqual([...first, ...stack].map((layer) => path.basename(path.dirname(layer))).toSorted());
  await again.mainline.releaseLayers("agent-1");
  await again.mainline.releaseLayers("nobody");
  expect(left()).toHaveLength(1);
  expect(existsSync(stack[0]!)).toBe(true);
});

test("whoever asks again for what they use already waits for no disk; what could not be written down is, the next time", async () => {
  const rig = await MainlineRig.withRepository({ a: "1" });
  const head = await rig.mainline.head();
  const uses = path.join(rig.folder, "layers/uses.json");
  await rig.mainline.layersFor(head, "u");
  const { ino } = statSync(uses);
  await rig.mainline.layersFor(head, "u");
  expect(statSync(uses).ino).toBe(ino);
  // A folder in the way of the file that it is written to first.
  mkdirSync(`${uses}.new`);
  await expect(rig.mainline.layersFor(head, "v")).rejects.toThrow("could not be laid out");
  rmdirSync(`${uses}.new`);
  await rig.mainline.layersFor(head, "v");
  expect(Object.keys(JSON.parse(readFileSync(uses, "utf8")) as object)).toEqual(["u", "v"]);
});

test("what a crash left half made is removed, and made again", async () => {
  const rig = await MainlineRig.withRepository({ a: "1" });
  const half = path.join(rig.folder, "layers/tmp-f-0123-1/files");
  mkdirSync(half, { recursive: true });
  writeFileSync(path.join(half, "a"), "half");
  const { mainline } = await rig.reopen();
  const [layer] = await mainline.layersFor(await mainline.head(), "u");
  expect(readFileSync(path.join(layer!, "a"), "utf8")).toBe("1");
  expect(readdirSync(path.join(rig.folder, "layers")).filter((name) => name.startsWith("tmp-"))).toEqual([]);
  expect(await mainline.layersFor(await mainline.head(), "v")).toEqual([layer]);
});

test("a layer that was not synced when the machine went down is made again under its name", async () => {
  const rig = await MainlineRig.withRepository(
    Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, String(n)])),
  );
  const stack = await rig.mainline.layersFor(await rig.mainline.head(), "u");
  const taller = await rig.mainline.layersFor(await rig.land({ f1: "new" }), "u");
  await rig.mainline.settle();
  await rig.mainline.close();
  const home = path.dirname(stack[0]!);
  expect(existsSync(path.join(home, "synced"))).toBe(true);
  const forget = (): void => {
    const layer = JSON.parse(readFileSync(path.join(home, "layer.json"), "utf8")) as object;
    writeFileSync(path.join(home, "layer.json"), JSON.stringify({ ...layer, boot: "another" }));
    writeFileSync(path.join(home, "files/f7"), "");
  };
  forget();
  const trusted = await rig.reopen();
  expect(await trusted.mainline.layersFor(await trusted.mainline.head(), "u")).toEqual(taller);
  expect(readFileSync(path.join(stack[0]!, "f7"), "utf8")).toBe("");
  await trusted.mainline.close();
  rmSync(path.join(home, "synced"));
  const doubtful = await rig.reopen();
  expect(await doubtful.mainline.layersFor(await doubtful.mainline.head(), "u")).toEqual(taller);
  expect(readFileSync(path.join(stack[0]!, "f7"), "utf8")).toBe("7");
});

test("ten thousand files are laid out, and a commit after that costs only what it changes", async () => {
  const folder = makeTempFolder();
  const person = new Person(path.join(folder, "project"));
  person.git("init", "--quiet", "--initial-branch=main");
  person.importFiles(Array.from({ length: 10_000 }, (_, n) => [`d${n % 100}/e${n % 10}/f${n}`, `file ${n}\n`]));
  const rig = await MainlineRig.of(folder, person);
  const [whole] = await rig.mainline.layersFor(await rig.mainline.head(), "u");
  const landed = await rig.land({ "d1/e1/f1": "2", "d2/e2/f2": null, "d3/new": "2" });
  const [top, below] = await rig.mainline.layersFor(landed, "u");
  expect(below).toBe(whole);
  expect((readdirSync(top!, { recursive: true }) as string[]).toSorted()).toEqual([
    "d1",
    "d1/e1",
    "d1/e1/f1",
    "d2",
    "d2/e2",
    "d2/e2/f2",
    "d3",
    "d3/new",
  ]);
  expect(readdirSync(whole!, { recursive: true }).length).toBe(10_000 + 200);
});

test("users who leave at once are gone, and one who came back meanwhile is there", async () => {
  const folder = makeTempFolder();
  const layers = path.join(folder, "layers");
  const person = Person.withRepository(path.join(folder, "project"), { a: "1" });
  const { mainline } = await MainlineRig.of(folder, person, { layers: { folder: layers } });
  const head = await mainline.head();
  const users = (): string[] =>
    Object.keys(JSON.parse(readFileSync(path.join(layers, "uses.json"), "utf8")) as Record<string, unknown>);
  for (const user of ["a", "b", "c", "d"]) await mainline.layersFor(head, user);
  const release = (user: string): Promise<void> => mainline.releaseLayers(user);
  await Promise.all([release("a"), release("b"), mainline.layersFor(head, "b"), release("c"), release("nobody")]);
  expect(users().toSorted()).toEqual(["b", "d"]);
});
