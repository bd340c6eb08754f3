// The agent's place: what its commands see, whom they can reach, and how one is started in there. Without a cage, by a
// person's word, commands run as the person in the same workspace, and are still found again and ended.

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { Bridge, CageOrder } from "../../protocol/keeper/keeper-wire.ts";
import { Bridges } from "../bridges/bridges.ts";
import { mustRun, plainEnv, programPath } from "../os/run-program.ts";
import { cageObjects } from "./disposable-git.ts";
import { Holder } from "./holder.ts";
import type { Limits } from "./limits.ts";
import { assemble, type OwnFolder, type Shown, wayInto } from "./mount-points.ts";
import { seccompProgram } from "./seccomp.ts";
import { cageUser, makeEtc, mountDevices, systemArgs } from "./system-folders.ts";

/** What to spawn. The handles come after the three that every process has; whoever spawns closes them. */
export type Spawnable = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly handles: readonly number[];
  readonly release: () => void;
};

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

// Joins the groups, sets the limits, and becomes the program: before that, nothing of the agent's choosing has run.
const enter = (words: string): string =>
  `n=$1; shift; while [ "$n" -gt 0 ]; do echo 0 > "$1" || exit 125; shift; n=$((n - 1)); done; ${words}; exec "$@"`;

/** Parts of a cage that do not depend on the agent. */
export class CageParts {
  /** Whether the keeper has namespaces of its own: only there may it mount. */
  readonly own: boolean;
  readonly #folder: string;
  #ready: Promise<void> | undefined;

  constructor(folder: string, ownNamespaces: boolean) {
    this.#folder = folder;
    this.own = ownNamespaces;
  }

  get etc(): string {
    return join(this.#folder, "etc");
  }

  get devices(): string {
    return join(this.#folder, "dev");
  }

  /** Where the agent's own folders are put together with what is shown inside them. */
  get assembled(): string {
    return join(this.#folder, "own");
  }

  get seccomp(): string | undefined {
    const path = join(this.#folder, "seccomp");
    return existsSync(path) ? path : undefined;
  }

  /** An open file with arguments for bwrap. It has no name any more. */
  openArgs(args: readonly string[]): number {
    const path = join(this.#folder, "args");
    writeFileSync(path, args.map((arg) => `${arg}\0`).join(""), { mode: 0o600 });
    const fd = openSync(path, "r");
    unlinkSync(path);
    return fd;
  }

  prepare(): Promise<void> {
    this.#ready ??= this.#make();
    return this.#ready;
  }

  async #make(): Promise<void> {
    const program = seccompProgram(process.arch);
    if (program !== undefined) writeFileSync(join(this.#folder, "seccomp"), program, { mode: 0o600 });
    await Promise.all([makeEtc(this.etc), mountDevices(this.devices)]);
  }
}

export class Cage {
  readonly #order: CageOrder;
  readonly #workspace: string;
  readonly #parts: CageParts;
  readonly #limits: Limits;
  readonly #record: { write(holder: Holder): void };
  #mounts: readonly string[] = [];
  #isAtItsPath = false;
  #holder: Holder | undefined;
  #starting: Promise<Holder> | undefined;
  #bridged: Promise<void> | undefined;

  constructor(
    order: CageOrder,
    workspace: string,
    parts: CageParts,
    limits: Limits,
    record: { write(holder: Holder): void },
  ) {
    this.#order = order;
    this.#workspace = workspace;
    this.#parts = parts;
    this.#limits = limits;
    this.#record = record;
  }

  get caged(): boolean {
    return this.#order.caged;
  }

  get hasSeccomp(): boolean {
    return this.caged && this.#parts.seccomp !== undefined;
  }

  /** Where commands see the workspace. */
  get root(): string {
    return this.caged || this.#isAtItsPath ? this.#order.root : this.#workspace;
  }

  async prepare(): Promise<void> {
    for (const folder of [this.#order.home, this.#order.tmp]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (this.caged) {
      await this.#parts.prepare();
      this.#mounts = this.#mountArgs();
      await this.holder();
    } else if (this.#parts.own && existsSync(this.#order.root)) {
      // In the keeper's own mount namespace: nobody else sees it there.
      await mustRun("mount-failed", "mount", ["--bind", this.#workspace, this.#order.root]);
      this.#isAtItsPath = true;
    }
  }

  /** The holder of the namespaces, made anew when the one before was ended. */
  async holder(): Promise<Holder> {
    if (this.#holder?.isGone === false) return this.#holder;
    this.#starting ??= this.#startHolder().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  get livingHolder(): Holder | undefined {
    return this.#holder?.isGone === false ? this.#holder : undefined;
  }

  /** Resolves when whoever runs inside finds the ways out. */
  async bridged(): Promise<void> {
    await this.#bridged;
  }

  /** How a program of ours is spawned where commands run, in a control group of this name. */
  async spawnable(argv: readonly string[], more: Readonly<Record<string, string>>, group: string): Promise<Spawnable> {
    const join = this.#limits.join(group);
    const before = ["-c", enter(this.#limits.shellWords()), "sh", String(join.length), ...join];
    const env: Record<string, string> = { ...this.#env(), ...this.#order.env, ...more };
    if (!this.caged) return this.#plain(argv, before, env);
    const holder = await this.holder();
    const seccomp = this.#parts.seccomp === undefined ? undefined : openSync(this.#parts.seccomp, "r");
    const namespaces = ["-t", String(holder.pid), "-i", "-u", "-n"];
    // In a file that nobody else can read: arguments are seen by everybody on the machine, and there may be secrets here.
    const options = this.#parts.openArgs([
      // Handle 3 is the user namespace, 4 the pid namespace, 6 the filter. A handle to block on is closed before the
      // command starts, which is all that is wanted of it here.
      ...["--userns2", "3", "--block-fd", "3", "--pidns", "4", ...(seccomp === undefined ? [] : ["--seccomp", "6"])],
      // One capability is held until the filter is in place: so long, no process inside can trace this one. It need not
      // die with its parent, for it dies with the holder; and where bwrap joins a pid namespace, its first parent is a
      // helper that ends at any moment.
      ...["--cap-drop", "ALL", "--cap-add", "CAP_SETPCAP", "--new-session", "--clearenv"],
      ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
      ...[...this.#mounts, "--chdir", "/"],
    ]);
    const args = [
      ...[...before, programPath("nsenter"), ...namespaces, "--", programPath("bwrap"), "--args", "5", "--"],
      ...[programPath("setpriv"), "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--"],
      ...argv,
    ];
    const own = seccomp === undefined ? [options] : [options, seccomp];
    return {
      ...{ file: "/bin/sh", args, env: plainEnv, cwd: "/" },
      handles: [holder.userNamespace, holder.pidNamespace, ...own],
      release: () => own.forEach((fd) => closeSync(fd)),
    };
  }

  /** Ends every process inside. Resolves when the kernel says that nothing is left. */
  async end(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    await this.#holder?.end();
  }

  async #startHolder(): Promise<Holder> {
    await assemble(this.#nested(), this.#shown());
    const { agent, bridges = [] } = this.#order;
    const hostname = agent.replaceAll(/[^A-Za-z0-9-]/g, "-").slice(0, 60) || "agent";
    const order = { mounts: this.#mounts, hostname, seccomp: this.#parts.seccomp };
    const holder = await Holder.start(order);
    this.#record.write(holder);
    // Other things are made ready meanwhile; whoever starts a command waits for both.
    this.#bridged = bridges.length === 0 ? undefined : openBridges(holder, bridges);
    this.#bridged?.catch(() => undefined);
    this.#holder = holder;
    return holder;
  }

  /** Folders that the agent can write to. */
  #own(): OwnFolder[] {
    const { home, tmp } = this.#order;
    return [
      { inside: "/tmp", outside: tmp, assembled: join(this.#parts.assembled, "tmp") },
      { inside: cageUser.home, outside: home, assembled: join(this.#parts.assembled, "home") },
    ];
  }

  /** Those in which something is mounted. */
  #nested(): OwnFolder[] {
    const shown = this.#shown();
    return this.#own().filter(({ inside }) => shown.some(({ target }) => wayInto(inside, target) !== undefined));
  }

  #shown(): Shown[] {
    const { root, binds } = this.#order;
    return [
      ...binds.filter((path) => existsSync(path)).map((path) => ({ source: path, target: path, readOnly: true })),
      { source: this.#workspace, target: root, readOnly: false },
    ];
  }

  #mountArgs(): string[] {
    const { root, binds, git } = this.#order;
    for (const path of [root, ...binds]) assertPlain(path);
    const nested = new Set(this.#nested().map(({ inside }) => inside));
    const isNested = ({ target }: Shown): boolean =>
      [...nested].some((inside) => wayInto(inside, target) !== undefined);
    return [
      ...systemArgs(),
      ...["--ro-bind", this.#parts.etc, "/etc", "--proc", "/proc", "--dev-bind", this.#parts.devices, "/dev"],
      ...["--dir", "/run", "--dir", "/var", "--symlink", "/tmp", "/var/tmp", "--symlink", "/run", "/var/run"],
      ...this.#own().flatMap(({ inside, outside, assembled }) => [
        ...["--bind", nested.has(inside) ? assembled : outside, inside],
      ]),
      ...(git === null ? [] : ["--ro-bind", git.objects, cageObjects]),
      ...this.#shown()
        .filter((each) => !isNested(each))
        .flatMap(({ source, target, readOnly }) => [readOnly ? "--ro-bind" : "--bind", source, target]),
      ...["--remount-ro", "/"],
    ];
  }

  #plain(argv: readonly string[], before: readonly string[], env: Readonly<Record<string, string>>): Spawnable {
    // Inside the keeper's user namespace everybody is root by name: commands get the person's own number back.
    const ids = this.#parts.own ? outerIds() : undefined;
    const back = [programPath("unshare"), "-U", `--map-user=${ids?.uid}`, `--map-group=${ids?.gid}`, "--"];
    return {
      file: "/bin/sh",
      args: [...before, ...(ids === undefined ? [] : back), ...argv],
      env,
      cwd: "/",
      handles: [],
      release: () => undefined,
    };
  }

  /** A folder as commands name it. */
  cwdOf(cwd: string | null): string {
    if (cwd === null) return this.root;
    return isAbsolute(cwd) ? normalize(cwd) : join(this.root, cwd);
  }

  #env(): Record<string, string> {
    const shared = { PATH: defaultPath, LANG: "C.UTF-8" };
    if (!this.caged) return { ...shared, HOME: this.#order.home, TMPDIR: this.#order.tmp };
    const { name, home } = cageUser;
    return { ...shared, HOME: home, USER: name, LOGNAME: name, TMPDIR: "/tmp", SHELL: "/bin/sh" };
  }
}

/** They go with the network that they lead out of. Without them it is no use, and is made anew. */
async function openBridges(holder: Holder, order: readonly Bridge[]): Promise<void> {
  try {
    const bridges = await Bridges.open(holder, order);
    void holder.gone.then(() => bridges.close());
  } catch (error) {
    await holder.end();
    throw error;
  }
}

/** The ids that the keeper has outside its user namespace. */
function outerIds(): { uid: string; gid: string } {
  const read = (file: string): string => /^\s*0\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "0";
  return { uid: read("/proc/self/uid_map"), gid: read("/proc/self/gid_map") };
}

function assertPlain(path: string): void {
  if (isAbsolute(path) && normalize(path) === path && path !== "/" && !path.includes("\0")) return;
  throw new Fault("bad-request", { retry: "never", message: `"${path}" is no place to show in a cage` });
}
