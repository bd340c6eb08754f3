// Where the agent's view of the project comes from: layers that nobody changes and an upper folder of its own, mounted over
// one another in the keeper's namespace; or, where the kernel will not have that, a copy.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { WorkspaceOrder } from "../../protocol/keeper/keeper-wire.ts";
import { isErrno } from "../os/errno.ts";
import { mustRun } from "../os/run-program.ts";

export type MountedWorkspace = {
  /** The workspace as the keeper sees it. */
  readonly root: string;
  /** Only what the agent changed; undefined for a copy. */
  readonly upper: string | undefined;
  /** What was there before, from the top down; for an overlay always one. */
  readonly lowers: readonly string[];
  readonly fresh: boolean;
};

/** Makes the workspace visible to the keeper. */
export async function mountWorkspace(order: WorkspaceOrder, folder: string): Promise<MountedWorkspace> {
  return order.kind === "overlay" ? mountOverlay(order, folder) : copyLayers(order);
}

/**
 * One upper folder belongs to one keeper at a time: mounted twice, it is damaged. The kernel gives the name to one process
 * and takes it back when that process is gone, however it went.
 */
export async function takeWorkspace(order: WorkspaceOrder): Promise<Server> {
  const folder = order.kind === "overlay" ? order.upper : order.folder;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { dev, ino } = statSync(folder, { bigint: true });
  const name = createHash("sha256").update(`${dev}:${ino}`).digest("hex").slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      if (!isErrno(cause, "EADDRINUSE")) return reject(cause);
      const message = `the workspace ${folder} is kept by another process`;
      return reject(new Fault("workspace-busy", { retry: "later", message, cause }));
    });
    server.listen(`\0signalbox-workspace-${name}`, resolve);
  });
  server.unref();
  return server;
}

async function mountOverlay(
  order: Extract<WorkspaceOrder, { kind: "overlay" }>,
  folder: string,
): Promise<MountedWorkspace> {
  const names = join(folder, "layers");
  rmSync(names, { recursive: true, force: true });
  for (const path of [names, order.upper, order.work]) mkdirSync(path, { recursive: true, mode: 0o700 });
  // The kernel takes one page of options, in which a colon or a comma of a path would have a meaning: short links have
  // neither problem.
  const link = (target: string, name: string): string => {
    symlinkSync(target, join(names, name));
    return name;
  };
  const lower = order.layers.map((layer, index) => link(layer, `l${index}`)).join(":");
  const warm = (order.warm ?? []).map((layer, index) => `:${link(layer, `w${index}`)}`).join("");
  const options = `userxattr,lowerdir=${lower}${warm},upperdir=${link(order.upper, "u")},workdir=${link(order.work, "k")}`;
  const root = join(folder, "w");
  mkdirSync(root, { recursive: true });
  await mustRun("mount-failed", "mount", ["-t", "overlay", "overlay", "-o", options, root], { cwd: names });
  const [only] = order.layers;
  if (only === undefined) throw new Fault("bad-request", { retry: "never", message: "a workspace has a layer" });
  if (order.layers.length === 1) return { root, upper: order.upper, lowers: [only], fresh: false };
  const below = join(folder, "l");
  mkdirSync(below, { recursive: true });
  const lowerOptions = `ro,userxattr,lowerdir=${lower}`;
  await mustRun("mount-failed", "mount", ["-t", "overlay", "overlay", "-o", lowerOptions, below], { cwd: names });
  return { root, upper: order.upper, lowers: [below], fresh: false };
}

/** Copies what is warm into a copy that was just made: after it was looked at, so that it is scratch. */
export async function copyWarm(order: WorkspaceOrder, { fresh, root }: MountedWorkspace): Promise<void> {
  if (order.kind === "overlay" || !fresh) return;
  for (const layer of order.warm ?? [])
    await mustRun("mount-failed", "cp", ["-a", "--no-preserve=ownership", "--reflink=auto", `${layer}/.`, root]);
}

async function copyLayers(order: Extract<WorkspaceOrder, { kind: "clone" }>): Promise<MountedWorkspace> {
  const done = `${order.folder}.copied`;
  const fresh = !existsSync(done);
  if (fresh) {
    mkdirSync(order.folder, { recursive: true, mode: 0o700 });
    for (const layer of order.layers.toReversed()) {
      await mustRun("mount-failed", "cp", [
        "-a",
        "--no-preserve=ownership",
        "--reflink=auto",
        `${layer}/.`,
        order.folder,
      ]);
    }
    // The manifest vouches for these bytes: it must not outlive a power cut that they did not.
    await mustRun("mount-failed", "sync", ["-f", order.folder]);
  }
  return { root: order.folder, upper: undefined, lowers: order.layers, fresh };
}
