// A person rewrites their own branch, with real git, where landings were published on it: amends one, drops one and goes on.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { bringPersons } from "../../src/node/landing/bring-persons.ts";
import { author, MainlineRig } from "../support/git/mainline-rig.ts";

const bring = (rig: MainlineRig): ReturnType<typeof bringPersons> =>
  bringPersons(rig.mainline, { foldCase: false }, author);

/** What the person has in their folder. */
function filesOf({ person }: MainlineRig): Record<string, string> {
  const names = readdirSync(person.root).filter((name) => name !== ".git");
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(person.root, name), "utf8")]));
}

/** A landing of two files is on the person's branch. */
async function published(): Promise<{ readonly rig: MainlineRig; readonly before: string; readonly landed: string }> {
  const rig = await MainlineRig.withRepository({ a: "1" });
  const before = rig.person.git("rev-parse", "HEAD");
  const landed = await rig.land({ b: "landed", c: "landed" });
  expect(await rig.mainline.publish()).toMatchObject({ published: true });
  return { rig, before, landed };
}

test("[LD42] a landing that was amended is the amended one, and the old one does not come back", async () => {
  const { rig, before, landed } = await published();
  rig.person.write({ b: "mended" });
  rig.person.git("rm", "--quiet", "c");
  rig.person.git("commit", "--quiet", "--all", "--amend", "--message", "as it should be");
  const amended = rig.person.git("rev-parse", "HEAD");
  expect(await bring(rig)).toEqual({ ok: true, value: { from: landed, to: amended } });
  await rig.land({ d: "next" });
  expect(await rig.mainline.publish()).toMatchObject({ published: true });
  expect(filesOf(rig)).toEqual({ a: "1", b: "mended", d: "next" });
  expect(rig.person.git("rev-list", `${before}..HEAD`).split("\n")).not.toContain(landed);
  // What went can be had again.
  const [gone] = await rig.mainline
    .changesBetween(amended, landed)
    .then((all) => all.filter((each) => each.path === "c"));
  expect(String(await rig.mainline.readBlob(gone?.after?.slice(7) ?? ""))).toBe("landed");
});

test("[LD42] a landing that was dropped stays away when the person goes on without it", async () => {
  const { rig, before, landed } = await published();
  rig.person.git("reset", "--quiet", "--hard", before);
  // A branch that was only taken back says nothing yet.
  expect(await bring(rig)).toEqual({ ok: true, value: null });
  expect(await rig.mainline.head()).toBe(landed);
  const own = rig.person.commit({ a: "2" });
  expect(await bring(rig)).toEqual({ ok: true, value: { from: landed, to: own } });
  expect(await rig.mainline.publish()).toEqual({ published: true, commit: own });
  expect(filesOf(rig)).toEqual({ a: "2" });
});

test("[LD40, LD42] what landed since is merged with it, and what was dropped stays away", async () => {
  const { rig, before } = await published();
  rig.person.git("reset", "--quiet", "--hard", before);
  await rig.land({ d: "later" });
  rig.person.commit({ a: "2" });
  expect(await bring(rig)).toMatchObject({ ok: true });
  expect(await rig.mainline.publish()).toMatchObject({ published: true });
  expect(filesOf(rig)).toEqual({ a: "2", d: "later" });
});

test("[LD40, LD42] where what landed since builds on what was dropped, nobody decides but the person", async () => {
  const { rig, before } = await published();
  rig.person.git("reset", "--quiet", "--hard", before);
  const head = await rig.land({ b: "landed on top" });
  rig.person.commit({ a: "2" });
  expect(await bring(rig)).toEqual({ ok: false, refusal: { code: "diverged", paths: ["b"] } });
  expect(await rig.mainline.head()).toBe(head);
});
