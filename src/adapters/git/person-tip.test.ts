import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { MainlineRig } from "../../../test/support/git/mainline-rig.ts";
import { Person } from "../../../test/support/git/person.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";

/** A git that notes what it is started for. */
function notingGit(): { readonly program: string; readonly started: () => string } {
  const folder = makeTempFolder();
  const [program, log] = [path.join(folder, "git"), path.join(folder, "log")];
  writeFileSync(program, `#!/bin/sh\necho "$*" >> ${log}\nexec git "$@"\n`);
  chmodSync(program, 0o755);
  const started = (): string => {
    const text = existsSync(log) ? readFileSync(log, "utf8") : "";
    rmSync(log, { force: true });
    return text;
  };
  return { program, started };
}

describe("a person's branch", () => {
  test("[LD48] that has not moved is looked at without starting git, loose or packed", async () => {
    const { program, started } = notingGit();
    const rig = await MainlineRig.withRepository({ a: "1" }, { program });
    const first = await rig.mainline.fetchPersons();
    started();
    expect([await rig.mainline.fetchPersons(), started()]).toEqual([first, ""]);
    rig.person.git("pack-refs", "--all");
    expect([await rig.mainline.fetchPersons(), started()]).toEqual([first, ""]);
    const second = rig.person.commit({ a: "2" });
    expect(await rig.mainline.fetchPersons()).toBe(second);
    expect(started()).toContain("fetch");
    // What is packed is older than what has a file of its own.
    expect([await rig.mainline.fetchPersons(), started()]).toEqual([second, ""]);
  });

  test("[LD48] that has moved is fetched, however it moved", async () => {
    const rig = await MainlineRig.withRepository({ a: "1" });
    const fetched = async (): Promise<string | null> => await rig.mainline.fetchPersons();
    const first = await fetched();
    const second = rig.person.commit({ a: "2" });
    rig.person.git("pack-refs", "--all");
    expect(await fetched()).toBe(second);
    rig.person.git("reset", "--quiet", "--hard", first ?? "");
    expect(await fetched()).toBe(first);
    // A name for another branch, in a file that says no commit.
    rig.person.git("branch", "other", second);
    rig.person.git("symbolic-ref", "refs/heads/main", "refs/heads/other");
    expect(await fetched()).toBe(second);
    rig.person.git("update-ref", "refs/heads/other", first ?? "");
    expect(await fetched()).toBe(first);
  });

  test("[LD48] is that of the repository which a worktree belongs to", async () => {
    const folder = makeTempFolder();
    const owner = Person.withRepository(path.join(folder, "owner"), { a: "1" });
    owner.git("worktree", "add", "--quiet", "-b", "feature", path.join(folder, "project"));
    const person = new Person(path.join(folder, "project"));
    const { program, started } = notingGit();
    const { mainline } = await MainlineRig.of(folder, person, { program });
    const first = await mainline.fetchPersons();
    started();
    expect([await mainline.fetchPersons(), started()]).toEqual([first, ""]);
    const second = person.commit({ a: "2" });
    expect(await mainline.fetchPersons()).toBe(second);
  });

  test("is none any more where its repository has gone or became somebody else's kind", async () => {
    const rig = await MainlineRig.withRepository({ a: "1" });
    expect(await rig.mainline.fetchPersons()).not.toBeNull();
    rmSync(path.join(rig.person.root, ".git"), { recursive: true });
    await expect(rig.mainline.fetchPersons()).rejects.toMatchObject({ code: "not-a-repository" });
  });
});

test("[LD42] a folder is looked at by two gits at once and by no third where nothing has changed", async () => {
  const rig = await MainlineRig.withFolder({ a: "1", "b/c": "2" });
  const { program, started } = notingGit();
  const again = await rig.reopen({ program });
  const first = await again.mainline.fetchPersons();
  started();
  expect(await again.mainline.fetchPersons()).toBe(first);
  expect(started()).not.toContain("write-tree");
  again.person.write({ a: "one", new: "3", "b/c": null });
  const second = await again.mainline.fetchPersons();
  expect(second).not.toBe(first);
  expect([...(await again.mainline.listTree(second ?? "")).keys()]).toEqual(["a", "new"]);
  expect(await again.mainline.fetchPersons()).toBe(second);
  again.person.write({ new: null });
  const third = await again.mainline.fetchPersons();
  expect([...(await again.mainline.listTree(third ?? "")).keys()]).toEqual(["a"]);
});
