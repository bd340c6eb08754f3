// Looks at a stack of layers the way an agent will: through a real overlay mount in a user namespace.

import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import path from "node:path";

export const ordinaryUser = { uid: 4711, gid: 4711 };

type User = typeof ordinaryUser | null;

export function canMount(user: User): boolean {
  if (user !== null && process.getuid?.() !== 0) return false;
  try {
    inNamespace(
      user,
      "mkdir /tmp/.sb-probe-$$ && mount -t tmpfs none /tmp/.sb-probe-$$; rc=$?; umount /tmp/.sb-probe-$$; rmdir /tmp/.sb-probe-$$; exit $rc",
      [],
    );
    return true;
  } catch {
    return false;
  }
}

/** What the mount shows: mode and content of each file, target of each link, `folder` for empty folders. */
export function viewOf(layers: readonly string[], folder: string, user: User = null): Record<string, string> {
  const place = mkdtempSync(path.join(folder, "view-"));
  const [upper, work, mount, out] = ["upper", "work", "mount", "out"].map((name) => path.join(place, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const made of [place, upper, work, mount, out]) {
    mkdirSync(made, { recursive: true });
    chmodSync(made, 0o755);
    if (user !== null) chownSync(made, user.uid, user.gid);
  }
  // Everything is also touched, so that each file is copied up as it would be when an agent writes to it.
  const script = [
    'mount -t overlay overlay -o "userxattr,lowerdir=$1,upperdir=$2,workdir=$3" "$4"',
    'cp -a "$4/." "$5/"',
    'find "$4" -type f -exec chmod u+w {} +',
    'cd "$4" && rm -rf ./* ./.[!.]* && test -z "$(ls -A)"',
  ];
  inNamespace(user, script.join(" && "), [layers.join(":"), upper, work, mount, out]);
  const view = walk(out);
  if (user !== null) chmodSync(path.join(work, "work"), 0o700);
  rmSync(place, { recursive: true, force: true });
  return view;
}

function inNamespace(user: User, script: string, args: readonly string[]): void {
  const command = ["unshare", "-Urm", "--propagation", "private", "sh", "-c", script, "sh", ...args];
  const drop = user === null ? [] : ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
  const [program = "", ...rest] = [...drop, ...command];
  execFileSync(program, rest, { cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
}

function walk(folder: string, prefix = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const stats = lstatSync(file);
    if (stats.isDirectory()) {
      const beneath = walk(file, `${prefix}${name}/`);
      Object.assign(found, Object.keys(beneath).length === 0 ? { [prefix + name]: "folder" } : beneath);
    } else if (stats.isSymbolicLink()) found[prefix + name] = `link ${readlinkSync(file)}`;
    else found[prefix + name] = `${(stats.mode & 0o7777).toString(8)} ${hash(readFileSync(file))}`;
  }
  return found;
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What a view of such entries has to be. */
export function expectedView(files: Iterable<readonly [string, string, Uint8Array]>): Record<string, string> {
  const view: Record<string, string> = {};
  for (const [name, mode, bytes] of files) {
    if (mode === "160000") view[name] = "folder";
    else if (mode === "120000") view[name] = `link ${Buffer.from(bytes).toString()}`;
    else view[name] = `${mode.slice(3)} ${hash(bytes)}`;
  }
  return view;
}
