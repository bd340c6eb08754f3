import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { land } from "../../../test/support/memory-workspace.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { MemoryMainline } from "../../adapters/git/memory-mainline.ts";
import { GroundDisk, type Space } from "../disk/ground-disk.ts";
import type { Project } from "../../core/project/project.ts";
import { WarmStore } from "./warm-store.ts";

const project = { id: "p_1" } as Project;
type Leaving = Parameters<WarmStore["keep"]>[1]["how"];

async function begin(files: Readonly<Record<string, string>>, used: readonly string[] = []) {
  const [folder, mainline] = [makeTempFolder(), new MemoryMainline()];
  const commit = await land(mainline, files);
  const left = join(folder, "left");
  mkdirSync(left);
  const free = { bytes: 1e12 };
  const space = async (): Promise<Space> => ({ freeBytes: free.bytes, totalBytes: 1e12 });
  const disk = new GroundDisk({ folder, space });
  const store = new WarmStore(join(folder, "warm"), () => Promise.resolve(new Set(used)), disk);
  const moved = { is: "moved" as const, take: () => Promise.resolve() };
  const keep = (of = project, at = commit, image: string | null = null, how: Leaving = moved): Promise<void> =>
    store.keep(of, { files: left, mainline, bases: { layers: at, commit: at, own: {} }, image, how });
  const layers = (of = project, at = commit, image: string | null = null): Promise<string[]> =>
    store.layersFor(of, { mainline, commit: at, image });
  return { folder, mainline, commit, left, store, free, keep, layers };
}

describe("[LD45] dependencies that are kept", () => {
  test("are not copied where that would leave no room for whoever begins next", async () => {
    const { left, commit, free, keep, layers } = await begin({ "package-lock.json": "1", ".gitignore": "*" });
    mkdirSync(join(left, "node_modules"));
    writeFileSync(join(left, "node_modules", "x"), "x".repeat(100_000));
    free.bytes = 1024 ** 3;
    await keep(project, commit, null, { is: "copied" });
    expect(await layers()).toEqual([]);
    free.bytes += 1024 ** 2;
    await keep(project, commit, null, { is: "copied" });
    expect(await layers()).toHaveLength(1);
    expect(existsSync(join(left, "node_modules", "x"))).toBe(true);
  });

  test("are taken without following a link, wherever on the way it stands", async () => {
    const files = { "web/package-lock.json": "1", "yarn.lock": "1", "a/b/Cargo.lock": "1", ".gitignore": "*" };
    const { folder, left, keep, layers } = await begin(files);
    const outside = join(folder, "outside");
    mkdirSync(join(outside, "b", "target"), { recursive: true });
    mkdirSync(join(outside, "node_modules"));
    writeFileSync(join(outside, "node_modules", "x"), "the person's");
    symlinkSync(outside, join(left, "web"));
    symlinkSync(join(outside, "node_modules"), join(left, "node_modules"));
    symlinkSync(outside, join(left, "a"));
    await keep();
    expect(await layers()).toEqual([]);
    expect(existsSync(join(outside, "node_modules", "x"))).toBe(true);
    expect(existsSync(join(outside, "b", "target"))).toBe(true);
  });

  test("leave nothing behind where a daemon died while they were copied", async () => {
    const { folder, left, keep, layers } = await begin({ "package-lock.json": "1", ".gitignore": "node_modules\n" });
    const half = join(folder, "warm", project.id, "tmp-half");
    mkdirSync(join(half, "files/node_modules"), { recursive: true });
    mkdirSync(join(left, "node_modules"));
    await keep();
    expect([existsSync(half), await layers()]).toEqual([false, [expect.any(String)]]);
  });

  test("are such that the project ignores and does not track", async () => {
    const { left, keep, layers } = await begin({
      ...{ "package-lock.json": "1", "node_modules/own": "tracked", ".gitignore": "/node_modules\n" },
      ...{ "sub/uv.lock": "1", "other/uv.lock": "1", "other/.gitignore": "/.venv/\n" },
    });
    for (const name of ["node_modules/x", "sub/.venv", "other/.venv"]) mkdirSync(join(left, name), { recursive: true });
    await keep();
    const [only = "", ...more] = await layers();
    expect(more).toEqual([]);
    expect(existsSync(join(only, "other/.venv"))).toBe(true);
  });

  test("are those of further lock files, too, for as long as the project says so", async () => {
    const { left, keep, layers } = await begin({ "Gemfile.lock": "1", "Cargo.lock": "1", ".gitignore": "*\n" });
    for (const name of ["vendor/bundle", "target", "out"]) mkdirSync(join(left, name), { recursive: true });
    const told = { ...project, warm: { "Gemfile.lock": "vendor/bundle", "Cargo.lock": "out" } };
    await keep(told);
    const found = async (of: Project): Promise<boolean[]> => {
      const all = await layers(of);
      return ["vendor/bundle", "out", "target"].map((name) => all.some((layer) => existsSync(join(layer, name))));
    };
    expect(await found(told)).toEqual([true, true, false]);
    expect(await found(project)).toEqual([false, false, false]);
  });

  test("[IM6] are of one system each: what was built on one need not run on another", async () => {
    const { left, commit, keep, layers } = await begin({ "yarn.lock": "1", ".gitignore": "*\n" });
    for (const image of [null, "a", "b"]) {
      mkdirSync(join(left, "node_modules", `of-${image}`), { recursive: true });
      await keep(project, commit, image);
    }
    for (const image of [null, "a", "b"]) {
      const [only = "", ...more] = await layers(project, commit, image);
      expect(more).toEqual([]);
      expect(existsSync(join(only, "node_modules", `of-${image}`))).toBe(true);
    }
    expect(await layers(project, commit, "c")).toEqual([]);
  });

  test("[LD61] are such as can be found in bounded steps, whatever the ignore files are", async () => {
    const name = "a".repeat(200);
    const { left, keep, layers } = await begin({
      ...{ [`${name}/yarn.lock`]: "1", ".gitignore": `${"*a".repeat(40)}b\n` },
      ...{ "large/uv.lock": "1", "large/.gitignore": `.venv\n#${"-".repeat(2_000_000)}` },
      ...{ "web/Cargo.lock": "1", "web/.gitignore": "target\n" },
    });
    for (const way of [`${name}/node_modules`, "large/.venv", "web/target"])
      mkdirSync(join(left, way), { recursive: true });
    await keep();
    const [only = "", ...more] = await layers();
    expect(more).toEqual([]);
    expect(existsSync(join(only, "web/target"))).toBe(true);
  });

  test("[LD61] are those of the first lock files, where there are very many", async () => {
    const locks = Array.from({ length: 70 }, (_, at) => String(at).padStart(3, "0"));
    const files = Object.fromEntries(locks.map((at) => [`${at}/uv.lock`, "1"]));
    const { left, keep, layers } = await begin({ ...files, ".gitignore": ".venv\n" });
    for (const at of ["063", "064"]) mkdirSync(join(left, at, ".venv"), { recursive: true });
    await keep();
    const found = await layers();
    expect(found.map((layer) => existsSync(join(layer, "063/.venv")))).toEqual([true]);
  });

  test("are four at most, the newest, and those that somebody stands on", async () => {
    const { mainline, left, keep, store, layers } = await begin({ ".gitignore": "target\n" });
    const commits: string[] = [];
    for (let at = 0; at < 6; at++) {
      commits.push(await land(mainline, { "Cargo.lock": String(at) }));
      mkdirSync(join(left, "target"));
      await keep(project, commits.at(-1));
    }
    const kept = await Promise.all(commits.map(async (commit) => (await layers(project, commit)).length));
    expect(kept.reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(kept.at(-1)).toBe(1);
    await store.prune();
    expect((await Promise.all(commits.map((commit) => layers(project, commit)))).flat()).toEqual([]);
  });
});
