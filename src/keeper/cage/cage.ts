// The agent's place: what its commands see, whom they can reach, and how one is started in there. Without a cage, by a
// person's word, commands run as the person in the same workspace, and are still found again and ended.

import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { isAbsolute, join, normalize } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { Bridge, CageOrder, SystemOrder } from "../../protocol/keeper/keeper-wire.ts";
import { Bridges, listenInside } from "../bridges/bridges.ts";
import { mustRun, plainEnv, programPath, runProgram } from "../os/run-program.ts";
import type { Inside } from "../ways-in/inside.ts";
import type { CageParts } from "./cage-parts.ts";
import { Holder } from "./holder.ts";
import type { Limits } from "./limits.ts";
import { cageUser } from "./cage-etc.ts";
import { ServiceSystems } from "./service-systems.ts";
import type { Ground, View } from "./view.ts";
import { Views } from "./views.ts";

/** What to spawn. The handles come after the three that every process has; whoever spawns closes them. */
export type Spawnable = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly handles: readonly number[];
  readonly release: () => void;
};

/** Takes a server that listens in the agent's network. */
type Welcome = (server: Server, port: number) => void;

/** What is to be done in each network of the agent before anything runs there. */
type Prepare = (holder: Holder) => Promise<void>;

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

// Joins the groups, sets the limits, and becomes the program: before that, nothing of the agent's choosing has run.
const enter = (words: string): string =>
  `n=$1; shift; while [ "$n" -gt 0 ]; do echo 0 > "$1" || exit 125; shift; n=$((n - 1)); done; ${words}; exec "$@"`;

export class Cage {
  readonly #order: CageOrder;
  readonly #workspace: string;
  readonly #parts: CageParts;
  readonly #limits: Limits;
  readonly #record: { write(holder: Holder): void };
  readonly #views: Views;
  readonly #systems: ServiceSystems;
  #isAtItsPath = false;
  #holder: Holder | undefined;
  #starting: Promise<Holder> | undefined;
  #bridged: Promise<void> | undefined;
  #inside: Promise<Inside> | undefined;
  #sharing: Promise<void> | undefined;
  readonly #welcome: Welcome;
  readonly #begun: Prepare;

  constructor(
    order: CageOrder,
    workspace: string,
    parts: CageParts,
    limits: Limits,
    record: { write(holder: Holder): void },
    welcome: Welcome,
    begun: Prepare,
  ) {
    this.#order = order;
    this.#workspace = workspace;
    this.#parts = parts;
    this.#limits = limits;
    this.#record = record;
    this.#welcome = welcome;
    this.#begun = begun;
    this.#views = new Views(order, workspace, parts);
    this.#systems = new ServiceSystems(order, workspace, parts);
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

  /** Makes everything ready that has to be there before the first file is touched; with files first, no more than that. */
  async prepare(): Promise<void> {
    for (const folder of [this.#order.home, this.#order.tmp]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (this.caged) {
      await this.#parts.prepare();
      // Nobody looks at anything before there is a cage; but an image is mounted now, or it is said that it cannot be.
      if (this.#order.filesFirst !== true || this.#order.image !== undefined) await this.#views.made();
      if (this.#order.filesFirst !== true) await this.holder();
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

  /** Resolves when there is a cage, with its ways out. */
  async made(): Promise<void> {
    if (!this.caged) return;
    await this.holder();
    await this.bridged();
  }

  get livingHolder(): Holder | undefined {
    return this.#holder?.isGone === false ? this.#holder : undefined;
  }

  /** Resolves when whoever runs inside finds the ways out. */
  async bridged(): Promise<void> {
    await this.#bridged;
  }

  get hasImage(): boolean {
    return this.#views.ofCommands !== this.#views.ofMachine;
  }

  /** Makes the system of a service, unless it is there. */
  async makeSystem(name: string, order: SystemOrder): Promise<void> {
    if (!this.caged) {
      const message = `the image of ${name} cannot be shown: this agent has no cage`;
      throw new Fault("cage-unavailable", { retry: "never", message });
    }
    await this.#systems.make(name, order);
  }

  /** What commands on an image find in their environment, but for what the cage itself has to say. */
  imageEnvOn(ground: Ground): Readonly<Record<string, string>> {
    if (!this.#isImage(ground)) return {};
    const { env } = typeof ground === "object" ? this.#systems.of(ground.service).order : (this.#order.image ?? {});
    return { ...env, ...this.#ownEnv() };
  }

  #isImage(ground: Ground): boolean {
    return typeof ground === "object" || (ground === "agent" && this.hasImage);
  }

  #viewOn(ground: Ground): View {
    if (typeof ground === "object") return this.#systems.of(ground.service).view;
    return ground === "machine" ? this.#views.ofMachine : this.#views.ofCommands;
  }

  /** How a program of ours is spawned where commands run. */
  async spawnable(
    argv: readonly string[],
    more: Readonly<Record<string, string>>,
    { group, ground }: { readonly group: string; readonly ground: Ground },
  ): Promise<Spawnable> {
    if (this.caged) await this.#views.made();
    const { mounts, lastStep } = this.#viewOn(ground);
    const join = this.#limits.join(group);
    const before = ["-c", enter(this.#limits.shellWords()), "sh", String(join.length), ...join];
    // What an image says is told later: until the last capability is gone, nothing of it is listened to.
    const given = this.#isImage(ground) ? {} : this.#order.env;
    const env: Record<string, string> = { ...this.#env(), ...given, ...more };
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
      ...[...mounts, "--chdir", "/"],
    ]);
    const args = [
      ...[...before, programPath("nsenter"), ...namespaces, "--", programPath("bwrap"), "--args", "5", "--"],
      ...[...lastStep, "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--"],
      ...argv,
    ];
    const own = seccomp === undefined ? [options] : [options, seccomp];
    return {
      ...{ file: "/bin/sh", args, env: plainEnv, cwd: "/" },
      handles: [holder.userNamespace, holder.pidNamespace, ...own],
      release: () => own.forEach((fd) => closeSync(fd)),
    };
  }

  /**
   * Has terminals that are opened from now on be those of the cage: what runs inside finds its own by name. Nobody outside
   * the keeper's own mounts sees a difference.
   */
  async shareTerminals(): Promise<void> {
    if (!this.caged) return;
    this.#sharing ??= mustRun("mount-failed", "mount", ["--bind", join(this.#parts.devices, "pts"), "/dev/pts"]);
    await this.#sharing;
  }

  /** Ends every process inside. Resolves when the kernel says that nothing is left. */
  async end(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    await this.#holder?.end();
  }

  /** Connects to a port as its commands see it. */
  async connect(port: number, signal: AbortSignal): Promise<Socket> {
    if (!this.caged) return (await import("../ways-in/dial.ts")).dial(port, signal);
    // Most agents have no ways in, and nobody looks at their ports.
    this.#inside ??= import("../ways-in/inside.ts").then(({ Inside }) => new Inside(() => this.livingHolder));
    return (await this.#inside).connect(port, signal);
  }

  /** Ends everything inside, and takes the workspace away from where it was shown. */
  async close(): Promise<void> {
    await this.end();
    if (this.#isAtItsPath) await runProgram("umount", ["-l", this.#order.root]);
    this.#isAtItsPath = false;
  }

  async #startHolder(): Promise<Holder> {
    await this.#views.made();
    await this.#views.assemble();
    const { agent, bridges = [], shared = [], joined } = this.#order;
    const hostname = agent.replaceAll(/[^A-Za-z0-9-]/g, "-").slice(0, 60) || "agent";
    const order = { mounts: this.#views.ofCommands.mounts, hostname, seccomp: this.#parts.seccomp };
    const holder = await Holder.start(order);
    this.#record.write(holder);
    // Other things are made ready meanwhile; whoever starts a command waits for both.
    const ways = [
      ...(bridges.length === 0 ? [] : [openBridges(holder, bridges)]),
      ...(shared.length === 0 ? [] : [openShared(holder, shared, this.#welcome)]),
      ...(joined === undefined ? [] : [endWhereItFails(holder, this.#begun(holder))]),
    ];
    this.#bridged = ways.length === 0 ? undefined : Promise.all(ways).then(() => undefined);
    this.#bridged?.catch(() => undefined);
    this.#holder = holder;
    return holder;
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
  cwdOf(cwd: string | null, ground: Ground): string {
    if (cwd === null) return typeof ground === "object" ? this.#systems.of(ground.service).order.workdir : this.root;
    return isAbsolute(cwd) ? normalize(cwd) : join(this.root, cwd);
  }

  #env(): Record<string, string> {
    return { PATH: defaultPath, LANG: "C.UTF-8", ...this.#ownEnv() };
  }

  #ownEnv(): Record<string, string> {
    if (!this.caged) return { HOME: this.#order.home, TMPDIR: this.#order.tmp };
    const { name, home } = cageUser;
    return { HOME: home, USER: name, LOGNAME: name, TMPDIR: "/tmp", SHELL: "/bin/sh" };
  }
}

/** Listens inside where callers are shared out. Without that the network is no use, and is made anew. */
async function openShared(holder: Holder, ports: readonly number[], welcome: Welcome): Promise<void> {
  try {
    const servers = await listenInside(holder.pid, ports);
    void holder.gone.then(() => servers.forEach((server) => server.close()));
    for (const [port, server] of servers) welcome(server, port);
  } catch (error) {
    await holder.end();
    throw error;
  }
}

/** Without it the network is no use, and is made anew. */
async function endWhereItFails(holder: Holder, prepared: Promise<void>): Promise<void> {
  try {
    await prepared;
  } catch (error) {
    await holder.end();
    throw error;
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
