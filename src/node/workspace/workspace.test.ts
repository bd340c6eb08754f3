import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { MemoryWorkspace, land } from "../../../test/support/memory-workspace.ts";
import { blobOf, entryOf } from "../../core/landing/entry.ts";

describe("a workspace", () => {
  test("[LD4] is dirty by content: what was written back to its base is clean", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b", c: "c" });
    world.keeper.write("a", "changed");
    world.keeper.write("b", null);
    world.keeper.write("d", "new");
    expect(await world.dirty()).toEqual({ a: "changed", b: null, d: "new" });
    world.keeper.write("a", "a");
    world.keeper.write("b", "b");
    world.keeper.write("d", null);
    expect(await world.dirty()).toEqual({});
  });

  test("[LD12, LD38] what a sweep finds is safe in the project's repository", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    world.keeper.write("a", "precious");
    const [work] = await world.workspace.sweep();
    const blob = work?.work?.split(":")[1] ?? "";
    world.keeper.write("a", "overwritten");
    expect(Buffer.from(await world.mainline.readBlob(blob)).toString()).toBe("precious");
  });

  test("[LD12] what something in the background writes meanwhile is told as it was kept", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    world.keeper.write("a", "seen");
    world.keeper.write("b", "seen");
    world.keeper.before = ({ op }) => {
      if (op !== "keep") return;
      world.keeper.write("a", "newer");
      world.keeper.write("b", "b");
    };
    const works = await world.workspace.sweep();
    expect(works.map(({ path }) => path)).toEqual(["a"]);
    const blob = works[0]?.work?.split(":")[1] ?? "";
    expect(Buffer.from(await world.mainline.readBlob(blob)).toString()).toBe("newer");
  });

  test("[LD57] what is too large is as its base, whatever mainline has made of it since", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    const commit = await land(world.mainline, { a: "new" });
    const entries = await world.mainline.entriesAt(commit, ["a"]);
    await world.workspace.move(commit, [{ path: "a", to: entries.get("a") ?? null }], new Map());
    world.keeper.oversized.set("a", 5000);
    world.keeper.oversized.set("fresh", 6000);
    expect(await world.dirty()).toEqual({});
    expect(world.workspace.oversized).toEqual([
      { path: "a", size: 5000 },
      { path: "fresh", size: 6000 },
    ]);
  });

  test("[LD57] what has grown too large since it was looked at is no change", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    world.keeper.write("a", "seen");
    world.keeper.write("b", "seen, too");
    world.keeper.before = ({ op }) => void (op === "keep" && world.keeper.oversized.set("a", 5000));
    expect((await world.workspace.sweep()).map(({ path }) => path)).toEqual(["b"]);
  });

  test("[LD57] what is safe already is not copied again", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    world.keeper.write("a", "changed");
    const works = await world.workspace.sweep();
    const before = world.keeper.asked.length;
    expect(await world.workspace.sweep()).toEqual(works);
    expect(world.keeper.asked.slice(before)).toEqual(["scan"]);
  });

  test("[LD32] what has landed is the base, whatever mainline has made of it since", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    world.keeper.write("a", "landed");
    const [work] = await world.workspace.sweep();
    await world.workspace.noteLanded(new Map([["a", work?.work ?? null]]));
    expect(await world.dirty()).toEqual({});
    world.keeper.write("a", "a");
    expect(await world.workspace.sweep()).toMatchObject([{ path: "a", base: work?.work }]);
    await world.reopen();
    expect(await world.workspace.baseOf("a")).toBe(work?.work);
  });

  test("[LD2] a path that its commit has and its layers have not stands at the commit", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    const commit = await land(world.mainline, { a: "new", fresh: "fresh" });
    const entries = await world.mainline.entriesAt(commit, ["a", "fresh"]);
    const puts = [...entries].map(([path, to]) => ({ path, to }));
    await world.workspace.move(commit, puts, new Map());
    expect(await world.dirty()).toEqual({});
    world.keeper.write("a", "a");
    // As the layers have it, and yet not as it should be.
    expect(await world.dirty()).toEqual({ a: "a" });
  });

  test("[LD3] where nothing is to be placed its journal is written once, and where nothing has moved not at all", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    const written = (): bigint => statSync(join(world.folder, "bases.json"), { bigint: true }).ino;
    const before = written();
    await world.workspace.move(world.workspace.commit, [], new Map());
    expect(written()).toBe(before);
    const commit = await land(world.mainline, {});
    await world.workspace.move(commit, [], new Map([["a", null]]));
    expect(written()).not.toBe(before);
    await world.reopen();
    expect([world.workspace.commit, await world.workspace.baseOf("a")]).toEqual([commit, null]);
  });

  test("[EN52] what something else has put in the place of a file on its way to safety is not followed", async () => {
    const of = await MemoryWorkspace.with({ "a.txt": "one\n" });
    const secret = join(of.folder, "secret");
    writeFileSync(secret, "two\n");
    const work = { path: "a.txt", base: null, work: entryOf("100644", of.mainline.nameOfBlob(Buffer.from("two\n"))) };
    const file = join(of.folder, "outbox", blobOf(work.work));
    const { path, work: entry } = work;
    of.keeper.request = () => Promise.resolve({ paths: [{ path, entry, size: 4 }] });
    for (const put of [() => symlinkSync(secret, file), () => execFileSync("mkfifo", [file])]) {
      put();
      await expectFault(of.workspace.bringHome([work]), "not-a-file", "no plain file");
      rmSync(file);
    }
  });

  test("[EN52] a file that its keeper lends is read from the keeper's folder, and no link is followed there", async () => {
    const of = await MemoryWorkspace.with({ "a.txt": "one\n" });
    const secret = join(of.folder, "secret");
    writeFileSync(secret, "secret");
    const loans = join(of.folder, "loans");
    mkdirSync(loans);
    let file = secret;
    of.keeper.request = () => Promise.resolve({ entry: null, size: 6, bytes: { file } });
    Object.assign(of.keeper, { folder: of.folder });
    await expectFault(of.workspace.read("a.txt"), "not-a-file", "elsewhere");
    file = join(loans, "a");
    symlinkSync(secret, file);
    await expectFault(of.workspace.read("a.txt"), "not-a-file", "no plain file");
    rmSync(file);
    writeFileSync(file, "lent");
    expect(Buffer.from((await of.workspace.read("a.txt")).bytes ?? []).toString()).toBe("lent");
  });

  test("one thing at a time happens in it, and one that fails does not stop the next", async () => {
    const { workspace } = await MemoryWorkspace.with({});
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = workspace.alone(async () => {
      await gate.promise;
      seen.push("first");
      throw new Error("no");
    });
    const second = workspace.alone(async () => seen.push("second"));
    gate.resolve();
    await expect(first).rejects.toThrow("no");
    await second;
    expect(seen).toEqual(["first", "second"]);
  });
});
