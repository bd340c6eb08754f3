// Runs that work in an image, with everything real: podman, keepers, cages, landing.

import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Person } from "../../../test/support/git/person.ts";
import { noCages } from "../../../test/support/keeper-rig.ts";
import { NodeRig } from "../../../test/support/node-rig.ts";
import { noPodman, Podman } from "../../../test/support/podman.ts";
import { WorkspaceRig } from "../../../test/support/workspace-rig.ts";
import { usualLandBytesMax } from "../../protocol/keeper/keeper-wire.ts";

const base = "localhost/base:1";
const inImage = "cat /opt/of-the-image && ! ls /usr/bin/setpriv";

describe.skipIf(noPodman || noCages)("runs in images", () => {
  let podman: Podman;

  beforeAll(() => {
    podman = new Podman();
    podman.make(base, ["ENV OF=base"], ["sh", "cat", "ls", "cp", "truncate"]);
  });
  afterAll(() => podman.end());

  test("[IM2] [IM4] [IM7] commands, acceptance and landing test find it, and a person has approved what is built", async () => {
    const rig = await NodeRig.open({ imageEnv: podman.env });
    const text = (version: string): string => `FROM ${base}\\nCOPY tool /opt/tool\\nENV VERSION=${version}\\n`;
    const check = (version: string): string[] => ["/bin/sh", "-c", `${inImage} && [ $VERSION = ${version} ]`];
    const files = { tool: "tool\n" };
    const project = await rig.project({ build: check("1") }, { files, git: true, landingTest: check("2") });
    // Committed after the project was added: mainline gets it when the image is built.
    rig.person(project).commit({ Dockerfile: text("1").replaceAll("\\n", "\n") });
    await rig.ok({ type: "project.change", project, image: { dockerfile: "Dockerfile" } });
    const change = `run: "cat tool /opt/tool > seen; echo $VERSION $OF >> seen; printf '${text("2")}' > Dockerfile"`;
    const run = await rig.submit(project, `${change}\nprocess: build`, { acceptance: check("1") });
    await rig.untilState(run, "review");
    expect(rig.run(run).because).toMatch(/^it changes what Dockerfile is built of.* a person looks at it first$/);
    await rig.ok({ type: "run.approve", run, approved: null });
    expect(await rig.ended(run)).toBe("done");
    expect(await rig.file("seen")).toBe("tool\ntool\n1 base\n");

    const own = { image: { name: base }, acceptance: ["/bin/sh", "-c", "[ -z $VERSION ] && [ $OF = base ]"] };
    expect(await rig.ended(await rig.submit(project, "say: the run's own word counts more", own))).toBe("done");
    const none = { image: "none", acceptance: ["/usr/bin/setpriv", "--version"] } as const;
    expect(await rig.ended(await rig.submit(project, "say: also where it wants none", none))).toBe("done");
    await rig.close();
  });

  test("[IM1] [IM3] whoever has begun keeps the system that they began with, whatever is said of the project since", async () => {
    const rig = await WorkspaceRig.open("overlay", podman.env);
    onTestFinished(() => rig.end());
    const { project } = await rig.project("p", (root) => Person.withRepository(root, { "a.txt": "a" }));
    const image = { name: base };
    await rig.workspaces.of("inside", project, { image });
    await rig.workspaces.of("outside", project);
    // As after a power cut: nothing lives, and their files are there.
    for (const agent of ["inside", "outside"]) await rig.workspaces.end(agent, true);
    await rig.reopen();
    const inside = await rig.workspaces.of("inside", project, { image: null });
    expect(await rig.said(inside, inImage)).toMatch(/^yes\n/);
    const outside = await rig.workspaces.of("outside", { ...project, image });
    expect(await rig.said(outside, "ls /usr/bin/setpriv")).toBe("/usr/bin/setpriv\n");
    const fresh = await rig.workspaces.of("fresh", { ...project, image });
    expect(await rig.said(fresh, inImage)).toMatch(/^yes\n/);
  });

  test("[LD57] [IM2] a large file that a command made in there lands, and one beyond the limit is scratch that is named", async () => {
    const rig = await NodeRig.open({ imageEnv: podman.env });
    const landingTest = ["/bin/sh", "-c", "cat /opt/of-the-image && [ -s large ] && ! [ -e beyond ]"];
    const project = await rig.project({}, { git: true, files: { a: "a\n" }, landingTest });
    await rig.ok({ type: "project.change", project, image: { name: base } });
    const beyond = usualLandBytesMax + 1;
    const make = `run: "cat /opt/of-the-image && truncate -s 70M large && truncate -s ${beyond} beyond"`;
    // The second command finds both as the first has left them.
    const look = `run: "[ -s large ] && [ -s beyond ] && cp large copy && truncate -s 5M copy"`;
    const run = await rig.submit(project, `${make}\n${look}\nedit: { path: a, find: a, replace: b }`);
    expect(await rig.ended(run)).toBe("done");
    expect(rig.log.find((event) => event.type === "call.finished")).toMatchObject({
      ...{ tool: "run", ok: true, oversized: [{ path: "beyond", bytes: beyond }] },
    });
    expect(rig.log.findLast((event) => event.type === "run.landed")).toMatchObject({
      entries: [{ path: "a" }, { path: "copy" }, { path: "large" }],
    });
    await rig.until((state) => state.projects.get(project)?.published === state.projects.get(project)?.mainline);
    const { root } = rig.person(project);
    expect(["large", "copy"].map((name) => statSync(join(root, name)).size)).toEqual(
      [70, 5].map((mib) => mib * 2 ** 20),
    );
    await rig.close();
  });

  test("[IM5] what is in the way of an image is how the run fails", async () => {
    const rig = await NodeRig.open({ imageEnv: { PATH: "/nowhere" } });
    const project = await rig.project({}, { files: {} });
    const run = await rig.submit(project, "say: never", { image: { name: base } });
    expect(await rig.ended(run)).toMatch(/^failed: neither podman nor docker works on this machine/);
    expect(rig.said(run)).toEqual([]);
    await rig.close();
  });
});
