import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeProject } from "../../test/support/wire-samples.ts";
import { findByFolder, isPath } from "./resolve-project.ts";
import { tryCli } from "./testing/try-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "shop/api/src"), { recursive: true });
mkdirSync(join(folder, "shopping"));
symlinkSync(join(folder, "shop"), join(folder, "link"));

const project = (name: string, root: string) => makeProject(name, { root });
const projects = [project("shop", join(folder, "shop")), project("api", join(folder, "shop/api"))];

describe("the project of a folder", () => {
  test.each([
    ["shop", "shop"],
    ["shop/api", "api"],
    ["shop/api/src", "api"],
    ["link/api/src", "api"],
    ["link", "shop"],
  ])("%s belongs to %s", (path, name) => {
    expect(findByFolder(projects, join(folder, path))?.name).toBe(name);
  });

  test("a name that merely begins alike is another folder", () => {
    expect(findByFolder(projects, join(folder, "shopping"))).toBeUndefined();
    expect(findByFolder([project("all", "/")], "/anything")?.name).toBe("all");
  });

  test("names have no slash", () => {
    expect([".", "..", "./a", "~", "/a"].map(isPath)).toEqual([true, true, true, true, true]);
    expect(["shop", "p_1", "a.b"].map(isPath)).toEqual([false, false, false]);
  });

  test("a command takes the project of where it stands", async () => {
    const answers = { "project.list": { projects }, locks: { leases: [], queue: [], waits: [] }, "unit.clear": {} };
    const { calls } = await tryCli(["clear", "process:x"], answers, { cwd: join(folder, "shop/api/src") });
    expect(calls.at(-1)).toEqual(["unit.clear", { project: "p_api", unit: "process:x" }]);
  });

  test("a folder of no project is told what to do", async () => {
    const answers = { "project.list": { projects } };
    const { exitCode, stderr } = await tryCli(["clear", "process:x"], answers, { cwd: folder });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("belongs to no project. Name one (there are: shop, api)");
    expect(stderr).toContain("signalbox project add .");
  });
});
