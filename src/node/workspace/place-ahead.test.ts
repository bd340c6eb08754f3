import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Person } from "../../../test/support/git/person.ts";
import { noCages } from "../../../test/support/keeper-rig.ts";
import { WorkspaceRig } from "../../../test/support/workspace-rig.ts";
import { entryOf } from "../../core/landing/entry.ts";
import type { Project } from "../../core/project/project.ts";
import type { ReadAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { readRecord, waitUntilGone } from "../keepers/keeper-pool.ts";
import type { Workspace } from "./workspace.ts";

type Kit = { readonly rig: WorkspaceRig; readonly person: Person; readonly project: Project };

async function kit(): Promise<Kit> {
  const rig = await WorkspaceRig.open("overlay", undefined, 2);
  onTestFinished(() => rig.end());
  const { person, project } = await rig.project("demo", (root) => Person.withRepository(root, { a: "one\n" }));
  await rig.workspaces.layAhead(project);
  return { rig, person, project };
}

const inodeOf = (path: string): bigint => statSync(path, { bigint: true }).ino;

async function textOf({ keeper }: Workspace, path: string): Promise<string | null> {
  const { bytes } = (await keeper.request({ op: "read", path })) as ReadAnswer;
  return bytes !== null && "base64" in bytes ? Buffer.from(bytes.base64, "base64").toString() : null;
}

/** What the person has committed comes to mainline. */
async function bring({ rig, project }: Kit): Promise<void> {
  const mainline = await rig.mainlineOf(project);
  const [head, tip] = [await mainline.head(), await mainline.fetchPersons()];
  expect(await mainline.swap(head, tip ?? "")).toBe(true);
}

describe.skipIf(noCages)("a place that is mounted ahead", () => {
  test("[EN48] is where the next run begins, and whoever comes at the same time has a place of their own", async () => {
    const { rig, project } = await kit();
    const ahead = inodeOf(rig.path("ahead", "upper"));
    const [first, second] = await Promise.all(["r_1", "r_2"].map((run) => rig.workspaces.of(run, project)));
    const inodes = ["r_1", "r_2"].map((run) => inodeOf(rig.path("agents", run, "upper")));
    expect(inodes.filter((inode) => inode === ahead)).toHaveLength(1);
    for (const each of [first, second]) {
      if (each === undefined) throw new Error("there is no workspace");
      expect(await rig.said(each, "cat a; echo mine > b; git status --porcelain")).toBe("one\n?? b\n");
      expect((await each.sweep()).map(({ path }) => path)).toEqual(["b"]);
    }
    for (const run of ["r_1", "r_2"]) await rig.workspaces.remove(run, project);
    expect([rig.left("r_1"), rig.left("r_2")]).toEqual([false, false]);
  });

  test("[EN48, LD3] is the run's with its journal, on the disk before it was anybody's, and the next daemon finds it there", async () => {
    const { rig, project } = await kit();
    const inodes = (folder: string): bigint[] =>
      ["bases.json", "warm.json", "journal", "home"].map((name) => inodeOf(join(folder, name)));
    const laid = inodes(rig.path("ahead"));
    const workspace = await rig.workspaces.of("r_1", project);
    await rig.said(workspace, "echo mine > b");
    expect(inodes(rig.path("agents", "r_1"))).toEqual(laid);
    await rig.reopen();
    const again = await rig.workspaces.of("r_1", project);
    expect([again.commit, await textOf(again, "b")]).toEqual([workspace.commit, "mine\n"]);
  });

  test("[EN48, LD36] is not for a run that begins as a step of another, nor where something of the run is there already", async () => {
    const { rig, project } = await kit();
    const ahead = inodeOf(rig.path("ahead", "upper"));
    const mainline = await rig.mainlineOf(project);
    const work = entryOf("100644", await mainline.writeBlob(Buffer.from("step\n")));
    const forked = await rig.workspaces.of("r_1", project, { works: [{ path: "b", base: null, work }] });
    expect(await textOf(forked, "b")).toBe("step\n");
    mkdirSync(rig.path("agents", "r_2", "home"), { recursive: true });
    expect(await textOf(await rig.workspaces.of("r_2", project), "a")).toBe("one\n");
    expect(inodeOf(rig.path("ahead", "upper"))).toBe(ahead);
    await rig.workspaces.of("r_3", project);
    expect(inodeOf(rig.path("agents", "r_3", "upper"))).toBe(ahead);
  });

  test("[EN48, LD48] is not where a run begins once mainline has moved on, and another takes its place", async () => {
    const made = await kit();
    const { rig, person, project } = made;
    const ahead = inodeOf(rig.path("ahead", "upper"));
    person.commit({ a: "two\n" });
    await bring(made);
    const first = await rig.workspaces.of("r_1", project);
    expect([await textOf(first, "a"), inodeOf(rig.path("agents", "r_1", "upper")) === ahead]).toEqual(["two\n", false]);
    await rig.workspaces.layAhead(project);
    const next = inodeOf(rig.path("ahead", "upper"));
    const second = await rig.workspaces.of("r_2", project);
    expect([await textOf(second, "a"), inodeOf(rig.path("agents", "r_2", "upper"))]).toEqual(["two\n", next]);
  });

  test("[EN48] is let go of where the run that took it cannot begin after all, and whoever tries again has it to themselves", async () => {
    const { rig, project } = await kit();
    const isMounting = (name: string): boolean => {
      const { pid } = readRecord(rig.path("keepers", name)) ?? {};
      const mounts = pid === undefined || !existsSync(`/proc/${pid}`) ? "" : `/proc/${pid}/mountinfo`;
      return mounts !== "" && readFileSync(mounts, "utf8").includes(` ${rig.path("keepers", name, "w")} `);
    };
    const mounting = (): string[] => readdirSync(rig.path("keepers")).filter(isMounting);
    expect(mounting()).toHaveLength(1);
    const ways = (): Promise<never> => Promise.reject(new Error("no way"));
    await expect(rig.workspaces.of("r_1", project, { ways })).rejects.toThrow("no way");
    expect([mounting(), existsSync(rig.path("agents", "r_1", "upper"))]).toEqual([[], true]);
    expect(await textOf(await rig.workspaces.of("r_1", project), "a")).toBe("one\n");
  });

  test("[EN48] whose keeper was lost is none, and one that a daemon left is thrown away", async () => {
    const { rig, project } = await kit();
    for (const name of readdirSync(rig.path("keepers")).filter((each) => each.startsWith("k"))) {
      const folder = rig.path("keepers", name);
      const { pid } = readRecord(folder) ?? {};
      if (pid !== undefined) process.kill(pid, "SIGKILL");
      await waitUntilGone(folder);
    }
    const workspace = await rig.workspaces.of("r_1", project);
    expect(await textOf(workspace, "a")).toBe("one\n");
    await rig.workspaces.layAhead(project);
    const left = inodeOf(rig.path("ahead", "upper"));
    await rig.reopen();
    expect(existsSync(rig.path("ahead", "upper"))).toBe(true);
    const again = await rig.workspaces.of("r_2", project);
    expect(inodeOf(rig.path("agents", "r_2", "upper"))).not.toBe(left);
    expect(await textOf(again, "a")).toBe("one\n");
  });
});
