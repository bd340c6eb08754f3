import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../test/support/expect-fault.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { GitMainlines } from "../adapters/git/git-mainlines.ts";
import { mustBeApart } from "./own-folders.ts";

describe("the daemon's own folders", () => {
  const made = (): { folder: string; home: string } => {
    const folder = makeTempFolder();
    const home = join(folder, "state/signalbox");
    mkdirSync(join(home, "node/agents"), { recursive: true });
    writeFileSync(join(home, "token"), "a secret\n");
    return { folder, home };
  };

  test("[EN38] no project is, holds or lies in one of them, by whatever name", async () => {
    const { folder, home } = made();
    symlinkSync(home, join(folder, "link"));
    symlinkSync(join(folder, "state"), join(folder, "link-to-state"));
    const bad = [home, join(folder, "state"), folder, join(home, "node/agents"), join(folder, "link"), "/"];
    for (const root of [...bad, join(folder, "link-to-state"), join(folder, "link/node")])
      await expectFault(mustBeApart(root, [home]), "own-folder");
  });

  test("[EN38] the daemon's folders may be reached by links themselves, and need not be there", async () => {
    const { folder, home } = made();
    symlinkSync(join(folder, "state"), join(folder, "link"));
    const own = [join(folder, "nowhere"), join(folder, "link/signalbox")];
    await expectFault(mustBeApart(home, own), "own-folder");
    mkdirSync(join(folder, "state/signalbox-notes"));
    await mustBeApart(join(folder, "state/signalbox-notes"), own);
  });

  test("[EN38] nothing is taken in of such a folder, nor of one that was added before there was the rule", async () => {
    const { folder, home } = made();
    const projects = join(folder, "projects");
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const mainlines = new GitMainlines({ folder: projects, owner, check: (root) => mustBeApart(root, [home]) });
    await expectFault(mainlines.adopt(home), "own-folder");
    await expectFault(mainlines.of({ root: join(folder, "state") }), "own-folder");
    expect(existsSync(projects)).toBe(false);
    // Nor is anything left of a folder that is no project for another reason.
    await expectFault(mainlines.adopt(join(folder, "nowhere")), "not-a-folder");
    expect(readdirSync(projects)).toEqual([]);
  });
});
