// How workspaces are made on this machine: stacked where the kernel mounts layers over one another in the very folder that
// agents live in, else copied. A person may say which. Without user namespaces there is no stacking and no cage; copies for
// runs that a person lets out of the cage can still be kept.

import { Fault } from "../../base/fault.ts";
import type { WorkspaceOrder } from "../../protocol/keeper/keeper-wire.ts";
import { inTrialFolder } from "../trial-folder.ts";
import { type ProbeOptions, tryNamespaces, tryOverlay } from "./probe-cage.ts";

export type WorkspaceChoice = {
  readonly kind: WorkspaceOrder["kind"];
  /** For people: what is used, and why not the other. */
  readonly why: string;
  /** Whether keepers can have namespaces of their own. */
  readonly namespaces: boolean;
};

export const workspacesVariable = "SIGNALBOX_WORKSPACES";

export async function chooseWorkspaces(
  wish: string | undefined,
  { as, folder }: ProbeOptions & { readonly folder: string },
): Promise<WorkspaceChoice> {
  const namespaces = (await tryNamespaces(as)).ok;
  switch (wish) {
    case "overlay":
      return { kind: "overlay", why: `stacked layers, because ${workspacesVariable} says so`, namespaces };
    case "clone":
      return { kind: "clone", why: `copies, because ${workspacesVariable} says so`, namespaces };
    case undefined:
    case "":
    case "auto":
      return { ...(await choose(as, folder)), namespaces };
    default: {
      const message = `${workspacesVariable} is "${wish}"; it may be auto, overlay or clone`;
      throw new Fault("bad-setting", { retry: "never", message });
    }
  }
}

async function choose(as: ProbeOptions["as"], folder: string): Promise<Omit<WorkspaceChoice, "namespaces">> {
  const { ok, detail } = await inTrialFolder([folder], (base) => tryOverlay(as, base));
  if (ok) return { kind: "overlay", why: `stacked layers: ${detail}` };
  return { kind: "clone", why: `copies, which take longer and more of the disk: ${detail}` };
}
