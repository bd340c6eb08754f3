// A landing that met somebody else's change. Scripts resolve nothing, so the run is one that is moved from here, behind the daemon's
// own faces.

import path from "node:path";
import { FaceNode } from "../../test/support/faces/face-node.ts";
import { openFaceWorld } from "../../test/support/faces/face-world.ts";
import { root } from "../run.ts";
import type { Shot } from "./camera.ts";

const before = Array.from({ length: 40 }, (_, at) => `  ["item-${at + 1}", ${(at + 1) * 10}],\n`).join("");
const theirs = before.replace('["item-5", 50]', '["item-5", 55]');
const ours = before.replace('["item-5", 50]', '["item-5", 49.9]').replace('  ["item-30", 300],\n', "");
const live = ".app[data-link=live]";

export const conflictNames = ["landing-conflict", "run-conflict"] as const;

export type Conflict = {
  readonly loginUrl: string;
  readonly shots: readonly Shot[];
  readonly close: () => Promise<void>;
};

export async function openConflict(): Promise<Conflict> {
  const world = await openFaceWorld({ consoleFolder: path.join(root, "dist/console") });
  const node = new FaceNode(world);
  await world.http.call("project.add", { root: world.folder, name: "storefront" });
  await world.http.call("policy.set", { name: "ask", rules: { approvalRequired: true } });
  await node.commit({ "src/prices.ts": before });
  const script = JSON.stringify({ task: "prices", steps: [{ say: "I round the prices." }] });
  const { run } = await world.http.call("run.submit", { project: "storefront", title: "Round the prices", script });
  await node.start(run);
  await node.write(run, { "src/prices.ts": ours });
  await node.finish(run);
  await node.commit({ "src/prices.ts": theirs });
  await world.http.call("run.approve", { run });
  await node.conflict(run, "src/prices.ts");
  await node.start(run);
  await node.finish(run);
  return {
    loginUrl: world.server.makeLoginLink().url,
    shots: [
      {
        name: conflictNames[0],
        at: "/landing",
        ready: `${live} [data-conflict=${run}]`,
        after: async (page) => {
          await page.keyboard.press("j");
          await page.locator("[data-side=ours] li").first().waitFor();
        },
      },
      { name: conflictNames[1], at: `/runs/${run}`, ready: `${live} [data-note=unresolved]` },
    ],
    close: () => world.close(),
  };
}
