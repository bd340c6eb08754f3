// What of the machine is seen inside the cage: the system, read-only, and devices that do nothing. The keeper makes these
// while it waits in the pool.

import { lstatSync, mkdirSync, readlinkSync } from "node:fs";
import { mustRun } from "../os/run-program.ts";

const rootFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

const devices = ["null", "zero", "full", "random", "urandom", "tty"];

const makeDevices = `set -e
mount -t tmpfs -o mode=755,nosuid,size=64k dev "$0"
cd "$0"
mkdir pts shm
for name in ${devices.join(" ")}; do : > $name; mount --bind /dev/$name $name; done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,nosuid,noexec devpts pts
mount -t tmpfs -o mode=1777,nosuid,nodev,size=50% shm shm
ln -s pts/ptmx ptmx
ln -s /proc/self/fd fd
ln -s /proc/self/fd/0 stdin
ln -s /proc/self/fd/1 stdout
ln -s /proc/self/fd/2 stderr
mount -o remount,bind,ro,nosuid .`;

/** Arguments for bwrap that show the system. */
export function systemArgs(): string[] {
  const args = ["--ro-bind", "/usr", "/usr"];
  for (const folder of rootFolders) {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (stat.isSymbolicLink()) args.push("--symlink", readlinkSync(folder), folder);
    else args.push("--ro-bind", folder, folder);
  }
  return args;
}

/** Mounts a small /dev of the keeper's own. All commands share it, with its terminals and shared memory. */
export async function mountDevices(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await mustRun("cage-unavailable", "sh", ["-c", makeDevices, folder]);
}
