import { expect, test } from "vitest";
import { NodeRig } from "../../test/support/node-rig.ts";
import { noCages } from "../../test/support/keeper-rig.ts";

const files = { "package-lock.json": "1\n", ".gitignore": "node_modules\n", "a.txt": "a\n" };
const install = "mkdir -p node_modules && echo installed > node_modules/x";

test.skipIf(noCages)(
  "[LD45] only what landed from a cage is warm, and only for runs in cages and for candidates",
  async () => {
    const rig = await NodeRig.open();
    // A candidate is tried with what runs before it have left, as a project's own test needs it.
    const landingTest = ["/bin/sh", "-c", "test $(cat a.txt) != c || test -e node_modules/x"];
    const project = await rig.project({}, { git: true, files, landingTest });
    const write = (text: string): string => `write: { path: a.txt, content: ${text} }`;
    const end = async (steps: string, more = {}): Promise<string> => rig.ended(await rig.submit(project, steps, more));
    const isWarm = "run: test -e node_modules/x";
    expect(await end(`run: ${install}\n${write("x")}\nfail: no`)).toBe("failed: no");
    expect(await end(`run: ${install}`)).toBe("done");
    expect(await end(`run: ${install}\n${write("y")}`, { noCage: true })).toBe("done");
    expect(await end(isWarm)).toMatch(/^failed/);
    expect(await end(`run: ${install}\n${write("b")}`)).toBe("done");
    expect(await end(`${isWarm}\n${write("c")}`)).toBe("done");
    expect(await end(isWarm, { noCage: true })).toMatch(/^failed/);
    expect(await rig.files()).toEqual([".gitignore", "a.txt", "package-lock.json"]);
    await rig.close();
  },
);
