// Mounts in places and keepers' folders that nobody has any more. What keepers mount is seen by nobody else and goes with
// them; a mount that the machine sees there was left.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import type { Found } from "./found.ts";

export type MountsGround = {
  /** Folders of ours with one folder for each owner, and whether that owner is there. */
  readonly owned: readonly { readonly folder: string; readonly isThere: (name: string) => boolean }[];
};

export async function auditMounts({ owned }: MountsGround): Promise<Found[]> {
  const points = (await mountPoints()).map(({ point }) => point);
  // The innermost first: nothing can be unmounted beneath another.
  return points.toReversed().flatMap((point) => {
    const name = owned
      .map(({ folder, isThere }) => ({ inside: relative(folder, point).split(sep), isThere }))
      .find(({ inside: [first = ""], isThere }) => first !== "" && first !== ".." && !isThere(first))?.inside[0];
    return name === undefined ? [] : [toMount(point, name)];
  });
}

function toMount(point: string, owner: string): Found {
  return {
    kind: "mount",
    what: point,
    sinceMs: null,
    why: `it is mounted in the folder of ${owner}, which nobody has any more`,
    advice: null,
    reap: {
      would: "unmount it",
      act: async () => {
        await promisify(execFile)("umount", ["--", point]);
        return "it was unmounted";
      },
    },
  };
}

async function mountPoints(): Promise<{ readonly point: string }[]> {
  const lines = (await readFile("/proc/self/mountinfo", "utf8")).split("\n").filter(Boolean);
  return lines.map((line) => ({ point: unescape(line.split(" ")[4] ?? "") }));
}

/** Blanks and the like are written as three octal digits. */
function unescape(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** Where places and keepers have folders of their own. */
export function foldersWithOwners(
  ground: string,
  owners: { readonly owns: (agent: string) => boolean; readonly isKeeper: (name: string) => boolean },
): MountsGround["owned"] {
  return [
    { folder: join(ground, "agents"), isThere: owners.owns },
    { folder: join(ground, "keepers"), isThere: owners.isKeeper },
  ];
}
