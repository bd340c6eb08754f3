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

test.skipIf(noCages)(
  "[LD45] a candidate stands on what its own run has installed by the same lock file, until a landed run has left some",
  async () => {
    const rig = await NodeRig.open();
    // As `npm test` does from the first run on.
    const landingTest = ["/bin/sh", "-c", "cat node_modules/x"];
    const project = await rig.project({}, { git: true, files, landingTest });
    const submit = (steps: string): Promise<string> => rig.submit(project, steps);
    const without = await submit("write: { path: a.txt, content: b }");
    await rig.untilState(without, "review");
    expect(rig.run(without).because).toContain(
      "; it had no node_modules for package-lock.json: the run has to install ",
    );
    const other = await submit(`run: ${install}\nrun: echo 2 > package-lock.json\nask: go on?`);
    await rig.untilState(other, "awaiting-input");
    // What it has installed goes on being its own: it is asked for as it stood.
    const first = await submit(`run: ${install} && ln -s /etc node_modules/etc\nwrite: { path: a.txt, content: c }`);
    await rig.terminate(without);
    expect(await rig.ended(first)).toBe("done");
    expect(rig.log.findLast((event) => event.type === "run.landed")).toMatchObject({ run: first, tested: "passed" });
    expect(await rig.ended(await submit("write: { path: a.txt, content: d }"))).toBe("done");
    // Its lock file lands with it, so what stands beside that one is meant.
    await rig.ok({ type: "run.answer", run: other, text: "yes" });
    expect(await rig.ended(other)).toBe("done");
    expect(await rig.files()).toEqual([".gitignore", "a.txt", "package-lock.json"]);
    await rig.close();
  },
);

test.skipIf(noCages)(
  "[LD45, LD54] commands for derived files execute nothing that only their run has left",
  async () => {
    const rig = await NodeRig.open();
    const derived = [{ paths: ["sum"], command: ["/bin/sh", "-c", "cat node_modules/x > sum"] }];
    const project = await rig.project({}, { git: true, files, derived });
    const run = await rig.submit(project, `run: ${install}\nwrite: { path: a.txt, content: b }`);
    await rig.untilState(run, "review");
    expect(rig.run(run).because).toContain("node_modules/x");
    await rig.terminate(run);
    await rig.ended(run);
    await rig.close();
  },
);
