// What is seen inside: by commands, the agent's workspace and folders on a system that is the machine's own or an image; by
// what we bring along, the same on the machine's own system.

import { existsSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { CageOrder } from "../../protocol/keeper/keeper-wire.ts";
import { programPath } from "../os/run-program.ts";
import type { CageParts } from "./cage-parts.ts";
import { cageObjects } from "./disposable-git.ts";
import { mountImage } from "./image-system.ts";
import { assemble, type OwnFolder, type Shown, wayInto } from "./mount-points.ts";
import { cageUser } from "./cage-etc.ts";
import { systemArgs } from "./system-folders.ts";

export type View = {
  /** What bwrap shows. */
  readonly mounts: readonly string[];
  /** How whoever it starts gives up the last capability. */
  readonly lastStep: readonly string[];
};

export class Views {
  readonly #order: CageOrder;
  readonly #workspace: string;
  readonly #parts: CageParts;
  #ofMachine: View = { mounts: [], lastStep: [] };
  #ofCommands: View = this.#ofMachine;

  constructor(order: CageOrder, workspace: string, parts: CageParts) {
    this.#order = order;
    this.#workspace = workspace;
    this.#parts = parts;
  }

  get ofMachine(): View {
    return this.#ofMachine;
  }

  /** The machine's, unless the agent has an image. */
  get ofCommands(): View {
    return this.#ofCommands;
  }

  async make(): Promise<void> {
    const { root, binds, image } = this.#order;
    for (const path of [root, ...binds]) assertPlain(path);
    this.#ofMachine = { mounts: this.#machineArgs(), lastStep: [programPath("setpriv")] };
    this.#ofCommands = image === undefined ? this.#ofMachine : await this.#imageView(image.root);
  }

  /** Puts the agent's own folders together. Nobody of the agent may live meanwhile. */
  async assemble(): Promise<void> {
    await assemble(this.#nested(), this.#shown());
  }

  /** Folders that the agent can write to. */
  #own(): OwnFolder[] {
    const home = { outside: this.#order.home, assembled: join(this.#parts.assembled, "home") };
    return [this.#tmp(), { inside: cageUser.home, ...home }];
  }

  #tmp(): OwnFolder {
    return { inside: "/tmp", outside: this.#order.tmp, assembled: join(this.#parts.assembled, "tmp") };
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

  /** Other names of folders, unless something is shown in them: nothing can be mounted by way of a link. */
  #links(): string[] {
    const isFree = (folder: string): boolean =>
      !this.#shown().some(({ target }) => wayInto(folder, target) !== undefined);
    return [
      ...(isFree("/var/tmp") ? ["--symlink", "/tmp", "/var/tmp"] : []),
      ...(isFree("/var/run") ? ["--symlink", "/run", "/var/run"] : []),
    ];
  }

  #machineArgs(): string[] {
    return [
      ...systemArgs(),
      ...[
        "--ro-bind",
        this.#parts.etc,
        "/etc",
        ...this.#hostsArgs(),
        "--proc",
        "/proc",
        "--dev-bind",
        this.#parts.devices,
        "/dev",
      ],
      ...["--dir", "/run", "--dir", "/var", ...this.#links()],
      ...[...this.#ownArgs(), ...this.#shownArgs(this.#shown()), "--remount-ro", "/"],
    ];
  }

  /** The person's toolchains stay away: whoever brings an image brings what they need. */
  async #imageView(image: string): Promise<View> {
    const shown = this.#shown().filter(({ readOnly }) => !readOnly);
    const places = [...this.#own().map(({ inside }) => inside), ...this.#free(shown).map(({ target }) => target)];
    const fixed = ["/proc", "/dev", "/var/tmp", ...(this.#order.git === null ? [] : [cageObjects])];
    const { root, lastStep } = await mountImage(image, this.#parts.image, [...fixed, ...places]);
    const mounts = [
      ...["--ro-bind", root, "/", ...this.#hostsArgs(), "--proc", "/proc", "--dev-bind", this.#parts.devices, "/dev"],
      ...[...this.#ownArgs(), "--bind", this.#sourceOf(this.#tmp()), "/var/tmp", ...this.#shownArgs(shown)],
    ];
    return { mounts, lastStep };
  }

  /** The names of services of other agents, where it may be joined to some. */
  #hostsArgs(): string[] {
    return this.#order.joined === undefined ? [] : ["--ro-bind", this.#parts.hosts, "/etc/hosts"];
  }

  #ownArgs(): string[] {
    const { git } = this.#order;
    return [
      ...this.#own().flatMap((folder) => ["--bind", this.#sourceOf(folder), folder.inside]),
      ...(git === null ? [] : ["--ro-bind", git.objects, cageObjects]),
    ];
  }

  #sourceOf({ inside, outside, assembled }: OwnFolder): string {
    return this.#nested().some((folder) => folder.inside === inside) ? assembled : outside;
  }

  #shownArgs(shown: readonly Shown[]): string[] {
    return this.#free(shown).flatMap(({ source, target, readOnly }) => [
      ...[readOnly ? "--ro-bind" : "--bind", source, target],
    ]);
  }

  /** Those that are not mounted inside a folder of the agent's own. */
  #free(shown: readonly Shown[]): Shown[] {
    const nested = this.#nested();
    return shown.filter(({ target }) => !nested.some(({ inside }) => wayInto(inside, target) !== undefined));
  }
}

function assertPlain(path: string): void {
  if (isAbsolute(path) && normalize(path) === path && path !== "/" && !path.includes("\0")) return;
  throw new Fault("bad-request", { retry: "never", message: `"${path}" is no place to show in a cage` });
}
