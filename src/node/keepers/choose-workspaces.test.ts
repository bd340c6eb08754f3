import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { noCages } from "../../../test/support/keeper-rig.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { chooseWorkspaces } from "./choose-workspaces.ts";

describe("how workspaces are made", () => {
  test("is what a person says, and nothing else is tried then", async () => {
    const nowhere = { as: null, folder: "/nowhere" };
    expect(await chooseWorkspaces("clone", nowhere)).toMatchObject({ kind: "clone" });
    expect(await chooseWorkspaces("overlay", nowhere)).toMatchObject({ kind: "overlay" });
    await expectFault(chooseWorkspaces("worktree", nowhere), "bad-setting");
  });

  test.skipIf(noCages)("is stacked where that works, in the folder of the agents", async () => {
    const folder = makeTempFolder();
    expect(await chooseWorkspaces("auto", { as: null, folder })).toMatchObject({ kind: "overlay" });
  });

  test.skipIf(noCages)("is copied where there are no user namespaces, and keepers are started without", () => {
    const module = join(import.meta.dirname, "choose-workspaces.ts");
    const program = `import { chooseWorkspaces } from ${JSON.stringify(module)};
      console.log(JSON.stringify(await chooseWorkspaces("", { as: null, folder: ${JSON.stringify(makeTempFolder())} })));`;
    // A namespace in which no other may be made.
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync("unshare", ["-Ur", "sh", "-c", script, process.execPath, program], {
      encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toMatchObject({ kind: "clone", namespaces: false });
  });

  test.skipIf(noCages || process.getuid?.() !== 0)("is copied where it does not work, and says why", async () => {
    const folder = makeTempFolder();
    // Whom the agents are cannot walk through here.
    chmodSync(folder, 0o700);
    const chosen = await chooseWorkspaces(undefined, { as: { uid: 65534, gid: 65534 }, folder });
    expect(chosen).toMatchObject({ kind: "clone", why: expect.stringMatching(/^copies.*cd: /s) as string });
    expect(readdirSync(folder)).toEqual([]);
  });
});
