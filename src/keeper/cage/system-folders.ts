// What of the machine is seen inside the cage: the system, read-only; devices that do nothing; and an /etc with one
// ordinary user in it and none of the machine's own secrets. The keeper makes these while it waits in the pool.

import { existsSync, lstatSync, mkdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, runProgram } from "../os/run-program.ts";

/** The one user inside. */
export const cageUser = { name: "agent", uid: 1000, home: "/home/agent" } as const;

const rootFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

// Public by nature: how libraries, certificates, names, time and fonts are found. Nothing of users, hosts or keys.
const etcEntries = [
  "alternatives",
  "bash.bashrc",
  "ca-certificates",
  "ca-certificates.conf",
  "crypto-policies",
  "debian_version",
  "default/locale",
  "fonts",
  "gai.conf",
  "host.conf",
  "inputrc",
  "java",
  "java-11-openjdk",
  "java-17-openjdk",
  "java-21-openjdk",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "locale.alias",
  "locale.conf",
  "localtime",
  "magic",
  "mime.types",
  "os-release",
  "perl",
  "pki/ca-trust",
  "pki/tls/certs",
  "profile",
  "profile.d",
  "protocols",
  "python3",
  "services",
  "shells",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
];

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

/** Writes the /etc of the cage. */
export async function makeEtc(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const found = etcEntries.filter((name) => existsSync(join("/etc", name))).map((name) => `./${name}`);
  // Links stay links: most lead into /usr. What cannot be read by everyone is not for the cage either.
  await runProgram("cp", ["-dR", "--parents", "--no-preserve=ownership", "--reflink=auto", ...found, folder], {
    cwd: "/etc",
  });
  for (const [file, text] of Object.entries(ownFiles(existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh")))
    writeFileSync(join(folder, file), text);
}

/** What the /etc of every cage says of users and hosts. */
export function ownFiles(shell = "/bin/sh"): Readonly<Record<string, string>> {
  const { name, uid, home } = cageUser;
  return {
    passwd: `${name}:x:${uid}:${uid}:${name}:${home}:${shell}\n`,
    group: `${name}:x:${uid}:\n`,
    hosts: "127.0.0.1 localhost\n::1 localhost ip6-localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    "resolv.conf": "",
    hostname: "signalbox\n",
  };
}
