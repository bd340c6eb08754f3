import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Person } from "../../../test/support/git/person.ts";
import { noCages } from "../../../test/support/keeper-rig.ts";
import { WorkspaceRig } from "../../../test/support/workspace-rig.ts";
import type { Run } from "../../core/run/run-state.ts";
import type { State } from "../../core/state.ts";
import { idleRuns, pruneScratch } from "./idle-scratch.ts";

test("[MT7] idle are runs that wait with everything that works in their workspace, and have one that is their own", () => {
  const own = { sub: false, agent: null, caged: true, project: "p_1", workspace: { dirty: new Map() } };
  const changed = { dirty: new Map([["web/.gitignore", null]]) };
  const runs = [
    { ...own, id: "review", state: "review" },
    { ...own, id: "parked", state: "parked" },
    { ...own, id: "running", state: "running" },
    { ...own, id: "done", state: "done" },
    { ...own, id: "paused", state: "paused" },
    { ...own, id: "root", state: "parked", family: "f" },
    { ...own, id: "sub", state: "running", sub: true, family: "f" },
    { ...own, id: "in-agent", state: "review", agent: "ag_1" },
    { ...own, id: "bare", state: "review", caged: false },
    { ...own, id: "to-be-tested", state: "review", project: "p_2" },
    { ...own, id: "tested", state: "parked", project: "p_2" },
    { ...own, id: "own-ignores", state: "review", workspace: changed },
  ] as unknown as readonly Run[];
  const projects = new Map([["p_2", { landingTest: ["npm", "test"] }]]);
  const state = { runs: new Map(runs.map((run) => [run.id, run])), runOfFamily: new Map([["f", "root"]]), projects };
  expect(idleRuns(state as unknown as State).map(({ id }) => id)).toEqual(["review", "parked", "tested"]);
});

describe.skipIf(noCages).each(["overlay", "clone"] as const)(
  "scratch of a workspace (%s) that nobody works in",
  (kind) => {
    let rig: WorkspaceRig;
    beforeAll(async () => {
      rig = await WorkspaceRig.open(kind);
    });
    afterAll(() => rig.end());

    test("[MT7] dependency folders go, and nothing that is work, could be, or is somebody's own scratch", async () => {
      const files = {
        ".gitignore": "node_modules/\n.env\nbuild/\n/mixed/vendor/*\n!/mixed/vendor/keep\n",
        "package-lock.json": "{}",
        "web/package-lock.json": "{}",
        "linked/package-lock.json": "{}",
        "Cargo.lock": "",
        "mixed/composer.lock": "{}",
      };
      const { project } = await rig.project(`shop-${kind}`, (root) => Person.withRepository(root, files));
      const workspace = await rig.workspaces.of("r_1", project);
      const make =
        "mkdir -p node_modules/x web/node_modules target build mixed/vendor elsewhere/node_modules linked; " +
        "for f in node_modules/x/a web/node_modules/b target/out build/c .env mixed/vendor/keep elsewhere/node_modules/d new.txt; do echo $f > $f; done; " +
        "ln -s ../elsewhere/node_modules linked/node_modules";
      await rig.said(workspace, make);
      const before = await workspace.sweep();
      expect(await pruneScratch(workspace, project)).toEqual(["node_modules", "web/node_modules"]);
      expect(
        (await rig.said(workspace, "find . -path ./.git -prune -o \\( -type f -o -type l \\) -print | sort")).split(
          "\n",
        ),
      ).toEqual([
        "./.env",
        "./.gitignore",
        "./Cargo.lock",
        "./build/c",
        "./elsewhere/node_modules/d",
        "./linked/node_modules",
        "./linked/package-lock.json",
        "./mixed/composer.lock",
        "./mixed/vendor/keep",
        "./new.txt",
        "./package-lock.json",
        "./target/out",
        "./web/package-lock.json",
        "",
      ]);
      expect(await workspace.sweep()).toEqual(before);
      expect(await pruneScratch(workspace, project)).toEqual([]);
    });

    test("[MT7] nothing is touched while somebody has a process in there", async () => {
      const files = { ".gitignore": "node_modules/\n", "package-lock.json": "{}" };
      const { project } = await rig.project(`busy-${kind}`, (root) => Person.withRepository(root, files));
      const workspace = await rig.workspaces.of("r_2", project);
      await rig.said(workspace, "mkdir node_modules; echo x > node_modules/x");
      const start = { op: "start", call: "shell", cwd: null, env: {}, timeoutMs: null, stdin: true } as const;
      await workspace.keeper.request({ ...start, argv: ["cat"] });
      expect(await pruneScratch(workspace, project)).toEqual([]);
      expect(await rig.said(workspace, "cat node_modules/x")).toBe("x\n");
      await workspace.keeper.request({ op: "input", call: "shell", base64: "", end: true });
      await workspace.keeper.request({ op: "wait", call: "shell" });
      expect(await pruneScratch(workspace, project)).toEqual(["node_modules"]);
    });
  },
);
