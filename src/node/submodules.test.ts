// Submodules and files that git keeps elsewhere, in a person's real repository.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noCages } from "../../test/support/keeper-rig.ts";
import { NodeRig } from "../../test/support/node-rig.ts";

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"4".repeat(64)}\nsize 12345\n`;
const attributes = "*.bin filter=lfs diff=lfs merge=lfs -text\n";

test.skipIf(noCages)(
  "[LD56] submodules are read-only and move with mainline; pointers stay what they are",
  async () => {
    const rig = await NodeRig.open();
    const files = { "a.txt": "a\n", ".gitattributes": attributes, "big.bin": pointer };
    const project = await rig.project({}, { git: true, files });
    const person = rig.person(project);
    const pin = (commit: string): void => {
      mkdirSync(join(person.root, "lib"), { recursive: true });
      person.git("update-index", "--add", "--cacheinfo", `160000,${commit.repeat(40)},lib`);
      person.git("commit", "--quiet", "--message", `lib at ${commit}`);
    };
    const lib = (): string => person.git("ls-tree", "HEAD", "lib").slice(0, 17);
    pin("1");

    const refused = await rig.submit(project, "write: { path: lib/x, content: x }");
    expect(await rig.ended(refused)).toMatch(
      /^failed: step 0 \(write\): read-only: lib\/x is in the submodule lib, which is read-only here/,
    );

    // What commands leave there is set aside; and a person who moves it meanwhile is no change of the run's.
    const steps = [
      "run: echo y > lib/y; echo b > b; grep -q oid big.bin",
      "ask: go on?",
      "edit: { path: a.txt, find: a, replace: c }",
    ];
    const run = await rig.submit(project, steps.join("\n"));
    await rig.untilState(run, "awaiting-input");
    expect(await rig.trash(run)).toEqual({ "lib/y": "y\n" });
    pin("2");
    await rig.ok({ type: "run.answer", run, text: "yes" });
    expect(await rig.ended(run)).toBe("done");
    expect([await rig.file("a.txt"), await rig.file("b"), await rig.file("big.bin")]).toEqual(["c\n", "b\n", pointer]);
    const landed = rig.log.findLast((event) => event.type === "run.landed");
    expect(landed).toMatchObject({ entries: [{ path: "a.txt" }, { path: "b" }] });
    await rig.until((state) => state.projects.get(project)?.published === state.projects.get(project)?.mainline);
    expect(lib()).toBe("160000 commit 222");

    // A file in its place is not the run's to make either.
    const replaced = await rig.submit(project, "run: rmdir lib && echo z > lib\nrun: test ! -f lib");
    expect(await rig.ended(replaced)).toBe("done");
    expect(await rig.trash(replaced)).toEqual({ lib: "z\n" });
    expect(lib()).toBe("160000 commit 222");
    await rig.close();
  },
);
