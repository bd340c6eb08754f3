// What a run has built and does not mean to land, when somebody else has landed a file of the same name.

import { describe, expect, test } from "vitest";
import { noCages } from "../../test/support/keeper-rig.ts";
import { makeGround, NodeRig } from "../../test/support/node-rig.ts";

const files = { ".gitignore": "build\n", "a.txt": "a\n" };

describe.each([{ namespaces: true }, { namespaces: false }])("scratch that mainline comes to track, %j", (machine) => {
  const more = machine.namespaces ? {} : ({ noCage: true } as const);

  test.skipIf(machine.namespaces && noCages)(
    "[LD17, LD7] gives way when its run claims something else, which goes on and ends",
    async () => {
      const rig = await NodeRig.open({ ground: await makeGround(machine) });
      const project = await rig.project({}, { git: true, files });
      const run = await rig.submit(
        project,
        `run: mkdir build && echo mine > build/x && echo mine > build/y
        ask: ready?
        write: { path: a.txt, content: b }
        run: cat build/x > seen`,
        more,
      );
      await rig.untilState(run, "awaiting-input");
      const other = `write: { path: .gitignore, content: "build/y" }
        write: { path: build/x, content: theirs }`;
      expect(await rig.ended(await rig.submit(project, other, more))).toBe("done");
      await rig.ok({ type: "run.answer", run, text: "yes" });
      expect(await rig.ended(run)).toBe("done");
      expect(await rig.file("build/x")).toBe("theirs");
      expect([await rig.file("a.txt"), await rig.file("seen")]).toEqual(["b", "theirs"]);
      expect(await rig.trash(run)).toMatchObject({ "build/x": "mine\n" });
      await rig.close();
    },
  );
});
