// What had landed, and a person took off their branch.

import { expect, test } from "vitest";
import { noCages } from "../../test/support/keeper-rig.ts";
import { NodeRig } from "../../test/support/node-rig.ts";
import { mustGet } from "../base/assert.ts";
import { droppedOf } from "./landing/dropped.ts";

test.skipIf(noCages)(
  "[LD42, LD58] what a person drops from their branch is found again, and can be had back",
  async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { git: true, files: { a: "a\n" } });
    const person = rig.person(project);
    const landed = await rig.submit(project, "write: { path: b, content: b }");
    expect(await rig.ended(landed)).toBe("done");
    await rig.until((state) => state.projects.get(project)?.published === state.projects.get(project)?.mainline);
    const [commit = ""] = person.git("rev-parse", "HEAD").split("\n");
    person.git("reset", "--quiet", "--hard", "HEAD~1");
    person.commit({ c: "c\n" });
    expect(await rig.ended(await rig.submit(project, "write: { path: d, content: d }"))).toBe("done");
    await rig.until((state) => state.projects.get(project)?.published === state.projects.get(project)?.mainline);
    expect(await rig.files()).toEqual(["a", "c", "d"]);
    const mainline = await rig.mainlines.of(mustGet(rig.state.projects, project, "project"));
    expect(await droppedOf(mainline)).toMatchObject([{ commit }]);
    expect((await mainline.factsOf(commit)).message).toContain(`Signalbox-Run: ${landed}`);
    person.git("fetch", "--quiet", mainline.folders?.repository ?? "", commit);
    const [dropped] = await droppedOf(mainline);
    person.git("cherry-pick", `${dropped?.since ?? ""}..FETCH_HEAD`);
    expect(person.git("show", "HEAD:b")).toBe("b");
    await rig.close();
  },
);
