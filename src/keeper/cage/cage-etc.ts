// The /etc of cages: one ordinary user in it, and none of the machine's own secrets. It is the same for every cage of a user,
// so it is made once and bound read-only by all of their keepers; hundreds of small files for each would cost more than
// everything else that a keeper does before it is ready.

import { createHash, randomBytes } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isErrno } from "../os/errno.ts";
import { bootId } from "../os/processes.ts";
import { runProgram } from "../os/run-program.ts";

/** The one user inside. */
export const cageUser = { name: "agent", uid: 1000, home: "/home/agent" } as const;

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

/** Makes the /etc of cages where it is not there yet, and answers where it is. */
export async function makeEtc(cache: string): Promise<string> {
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const found = etcEntries.filter((name) => existsSync(join("/etc", name)));
  // No keeper outlives its machine, and what was not on the disk yet when the power went is not taken for whole.
  const ours = `etc-${createHash("sha256").update(hostname()).digest("hex").slice(0, 8)}-`;
  const prefix = `${ours}${bootId()}-`;
  const folder = join(cache, prefix + stampOf(found, shell));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // A home on a network disk is that of other machines, too, and theirs are in use.
  for (const name of readdirSync(cache)) {
    if (name.startsWith(ours) && !name.startsWith(prefix)) rmSync(join(cache, name), { recursive: true, force: true });
  }
  const fresh = `${folder}.${randomBytes(4).toString("hex")}`;
  mkdirSync(fresh, { mode: 0o755 });
  // Links stay links: most lead into /usr. What cannot be read by everyone is not for the cage either.
  const names = found.map((name) => `./${name}`);
  await runProgram("cp", ["-dR", "--parents", "--no-preserve=ownership", "--reflink=auto", ...names, fresh], {
    cwd: "/etc",
  });
  for (const [file, text] of Object.entries(ownFiles(shell))) writeFileSync(join(fresh, file), text);
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another keeper was first, with the very same.
    if (!isErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** Changes whenever anything in it would. */
function stampOf(names: readonly string[], shell: string): string {
  const hash = createHash("sha256").update(JSON.stringify(ownFiles(shell)));
  const look = (path: string): void => {
    // Somebody may be installing something: then the next keeper finds other stamps, and makes it again.
    const found = lstatSync(path, { throwIfNoEntry: false });
    hash.update(`${path} ${found?.mode} ${found?.size} ${found?.mtimeMs} ${found?.ctimeMs}\n`);
  };
  for (const name of names.map((entry) => join("/etc", entry))) {
    look(name);
    if (!lstatSync(name).isDirectory()) continue;
    const inside = readdirSync(name, { recursive: true, encoding: "utf8" });
    for (const entry of inside.toSorted()) look(join(name, entry));
  }
  return hash.digest("hex").slice(0, 16);
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
