// Tries, for real, each part of a cage on this machine, and says what is used instead of a part that does not work.

import { spawn } from "node:child_process";
import { chownSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { socketPathBytesMax } from "../../base/socket-path.ts";
import { asUser, systemFolders } from "../../protocol/keeper/keeper-command.ts";
import type { CageOrder, CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import { EgressProbe } from "../egress/egress-probe.ts";
import { inTrialFolder } from "../trial-folder.ts";
import type { KeeperClient } from "./keeper-client.ts";
import { groupTier } from "./keeper-groups.ts";
import { KeeperPool, waitUntilGone } from "./keeper-pool.ts";

export type CagePart = {
  readonly part: "namespaces" | "overlay" | "bwrap" | "cage" | "seccomp" | "limits" | "loopback" | "egress";
  readonly ok: boolean;
  /** False where the fallback is as good as it gets on such machines: agents run all the same. */
  readonly needed: boolean;
  readonly detail: string;
  /** What is done without it, null where it works. */
  readonly fallback: string | null;
};

export type ProbeOptions = {
  readonly as: { readonly uid: number; readonly gid: number } | null;
  /** Where to try it, where that is known: below the ground of a home. */
  readonly folder?: string | undefined;
};

const noCage = "nothing starts without a person's word for it (--no-cage)";
const bwrapMin = [0, 8];
/** How much longer than the folder in which it is tried the path of a keeper's socket is. */
const socketBytesMore = 45;

export async function probeCage({ as, folder }: ProbeOptions): Promise<readonly CagePart[]> {
  const elsewhere = realpathSync(await findPlace(as));
  const isShort = folder !== undefined && Buffer.byteLength(folder) + socketBytesMore <= socketPathBytesMax;
  return inTrialFolder(isShort ? [folder, elsewhere] : [elsewhere], async (base) => {
    const parts = [await tryNamespaces(as), await tryOverlay(as, base), await tryBwrap(), await tryLimits()];
    return [...parts, ...(await tryWhole(as, base, parts.find(({ part }) => part === "overlay")?.ok === true))];
  });
}

type As = ProbeOptions["as"];

/** A folder for what is tried, where agents can go: a person's own temporary folder may be closed to them. */
export async function findPlace(as: As): Promise<string> {
  for (const place of [tmpdir(), "/tmp", "/var/tmp"])
    if ((await run(asUser(as, ["test", "-x", place]))).status === 0) return place;
  return tmpdir();
}

export async function tryNamespaces(as: As): Promise<CagePart> {
  const { status, output } = await run(asUser(as, ["unshare", "-Urm", "--propagation", "private", "true"]));
  const detail = status === 0 ? "a user and a mount namespace could be made" : output;
  const fallback = `allow user namespaces (sysctl user.max_user_namespaces, or AppArmor); else ${noCage}`;
  return { part: "namespaces", ok: status === 0, needed: true, detail, fallback: status === 0 ? null : fallback };
}

/** Mounts layers over one another in a folder: whether that works depends on the file system, too. */
export async function tryOverlay(as: As, base: string): Promise<CagePart> {
  const folder = makeOwn(as, base, "overlay");
  for (const name of ["l", "u", "k", "w"]) makeOwn(as, folder, name);
  const mount = "mount -t overlay overlay -o userxattr,lowerdir=l,upperdir=u,workdir=k w";
  // The kernel leaves a folder behind that could not be removed as it is.
  const script = `cd "$0" && ${mount} && echo x > w/f && cat u/f && umount w && chmod 700 k/work`;
  const { status, output } = await run(
    asUser(as, ["unshare", "-Urm", "--propagation", "private", "sh", "-c", script, folder]),
  );
  const detail = status === 0 ? "layers could be mounted over one another" : output;
  const fallback = "workspaces are copied instead, which takes longer and more of the disk";
  return { part: "overlay", ok: status === 0, needed: true, detail, fallback: status === 0 ? null : fallback };
}

export async function tryBwrap(): Promise<CagePart> {
  const { status, output } = await run(["bwrap", "--version"]);
  const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(output)?.slice(1).map(Number) ?? [];
  const ok = status === 0 && (major > (bwrapMin[0] ?? 0) || minor >= (bwrapMin[1] ?? 0));
  const fallback = `install bubblewrap ${bwrapMin.join(".")} or newer (apt-get install bubblewrap); else ${noCage}`;
  return {
    part: "bwrap",
    ok,
    needed: true,
    detail: output || "bwrap is not installed",
    fallback: ok ? null : fallback,
  };
}

async function tryLimits(): Promise<CagePart> {
  const tier = await groupTier();
  const names = {
    cgroup2: "control groups",
    cgroup1: "control groups of the older kind",
    prlimit: "limits of each process",
  };
  const fallback = "each process is limited by itself, an agent as a whole is not";
  return {
    part: "limits",
    ok: tier !== "prlimit",
    needed: false,
    detail: names[tier],
    fallback: tier === "prlimit" ? fallback : null,
  };
}

/** A real keeper, with a real command in it. */
async function tryWhole(as: As, base: string, overlay: boolean): Promise<CagePart[]> {
  const pool = new KeeperPool({
    ...{ folder: makeOwn(as, base, "k"), warm: 0, as, namespaces: true },
    cache: makeOwn(as, base, "cache"),
  });
  let client: KeeperClient | undefined;
  const probe = await EgressProbe.start(makeOwn(as, base, "ways"), as);
  try {
    client = await pool.take();
    const { seccomp } = await client.open({ ...orderIn(as, base, overlay), ...probe.order });
    const argv = ["/bin/sh", "-c", "grep '^Seccomp:' /proc/self/status; cat /proc/net/dev; pwd; id -u"];
    const { exit, why, tail } = await runIn(client, "probe", argv);
    const isInside = exit === 0 && tail.endsWith("/srv/project\n1000\n");
    const isFiltered = seccomp && /^Seccomp:\s*2$/m.test(tail);
    const hasLoopback = /^\s*lo:/m.test(tail) && !/^\s*(eth|en|wl)/m.test(tail);
    return [
      {
        part: "cage",
        ok: isInside,
        needed: true,
        detail: isInside ? "a command ran inside" : `${why} with ${exit}: ${tail}`,
        fallback: isInside ? null : noCage,
      },
      {
        ...toPart("seccomp", isFiltered, "system calls are filtered", "walls hold without it, with one layer less"),
        needed: false,
      },
      toPart("loopback", hasLoopback, "a network of its own, with nothing but itself", noCage),
      await tryEgress(client, probe),
    ];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ part: "cage", ok: false, needed: true, detail, fallback: noCage }];
  } finally {
    await client?.close(0, { timeoutMs: 20_000 }).catch(() => undefined);
    if (client !== undefined && (await waitUntilGone(client.folder))) pool.discard(client.folder);
    await pool.close();
    await probe.end();
  }
}

/** Somebody is reached from inside, and somebody else is not. */
async function tryEgress(client: KeeperClient, probe: EgressProbe): Promise<CagePart> {
  const { exit, tail } = await runIn(client, "egress", probe.argv);
  const ok = exit === 0 && probe.isRight(tail);
  const detail = ok ? "a listed host was reached from inside, another one was not" : `not so: ${tail}`;
  return { part: "egress", ok, needed: true, detail, fallback: ok ? null : "runs with --egress none need no way out" };
}

async function runIn(client: KeeperClient, call: string, argv: readonly string[]): Promise<CommandEnd> {
  await client.start({ call, argv, cwd: null, env: {}, timeoutMs: 20_000 });
  return client.wait(call, { timeoutMs: 30_000 });
}

function toPart(part: CagePart["part"], ok: boolean, detail: string, fallback: string): CagePart {
  const tried = { part, ok, needed: true };
  return ok ? { ...tried, detail, fallback: null } : { ...tried, detail: `not so: ${detail}`, fallback };
}

function orderIn(as: As, base: string, overlay: boolean): CageOrder {
  const own = (name: string): string => makeOwn(as, base, name);
  const layers = [own("layer")];
  writeFileSync(join(base, "layer", "file"), "x");
  return {
    ...{ agent: "probe", root: "/srv/project", journal: own("journal"), home: own("home"), tmp: own("tmp") },
    workspace: overlay
      ? { kind: "overlay", layers, upper: own("upper"), work: own("work") }
      : { kind: "clone", layers, folder: own("clone") },
    ...{ binds: [], env: {}, network: "none", caged: true, git: null },
    limits: { memoryBytes: null, processes: null, files: null, fileBytes: null },
  };
}

/** A folder of whoever keepers run as. */
function makeOwn(as: As, above: string, name: string): string {
  const folder = join(above, name);
  mkdirSync(folder, { recursive: true });
  for (const each of as === null ? [] : [above, folder]) chownSync(each, as?.uid ?? 0, as?.gid ?? 0);
  return folder;
}

/** With the programs of the system: keepers take no others, whatever comes first on the daemon's PATH. */
function run([program = "", ...args]: readonly string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: systemFolders.join(":"), LC_ALL: "C.UTF-8" };
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], cwd: "/", env, timeout: 20_000 });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.once("error", (error) => resolve({ status: null, output: error.message }));
    child.once("close", (status) => resolve({ status, output: output.trim().slice(0, 500) }));
  });
}
