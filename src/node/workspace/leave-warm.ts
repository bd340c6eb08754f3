// What a workspace that has ended leaves of its dependencies to others. Should it be taken up again, it finds them as well: beneath
// its layers, or where it was copied its own.

import { join } from "node:path";
import type { Project } from "../../core/project/project.ts";
import { Fault } from "../../base/fault.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { WorkspaceOrder } from "../../protocol/keeper/keeper-wire.ts";
import { swapDurably } from "../../os/durable-file.ts";
import { readPin } from "../images/image-pin.ts";
import { basesName, copyName, readWarm, warmName } from "./agent-folder.ts";
import { BaseJournal } from "./base-journal.ts";
import { agentPinOf } from "./image-pins.ts";
import type { WarmStore } from "./warm-store.ts";

type Left = {
  /** Of its agent. */
  readonly folder: string;
  readonly kind: WorkspaceOrder["kind"];
  readonly project: Project;
  readonly mainline: Mainline;
};

export async function leaveWarm(warm: WarmStore, { folder, kind, project, mainline }: Left): Promise<void> {
  // What lies on a warm folder is a part of it only.
  if ((await readWarm(folder)).length > 0) return;
  const gone = (): Promise<never> =>
    Promise.reject(
      new Fault("workspace-unavailable", { retry: "never", message: `the workspace in ${folder} is gone` }),
    );
  const { bases } = await BaseJournal.open(join(folder, basesName), gone);
  const files = join(folder, kind === "overlay" ? "upper" : copyName);
  const image = await readPin(agentPinOf(folder));
  const taken: string[] = [];
  const take = async (path: string): Promise<void> => {
    taken.push(path);
    await swapDurably(join(folder, warmName), JSON.stringify(taken));
  };
  const how = kind === "overlay" ? { is: "moved" as const, take } : { is: "copied" as const };
  await warm.keep(project, { files, mainline, bases, image: image?.id ?? null, how });
}
