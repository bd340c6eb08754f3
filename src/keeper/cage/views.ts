// What is seen inside: by commands, the agent's workspace and folders on a system that is the machine's own or an image; by
// what we bring along, the same on the machine's own system.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CageOrder } from "../../protocol/keeper/keeper-wire.ts";
import { programPath } from "../os/run-program.ts";
import type { CageParts } from "./cage-parts.ts";
import { cageObjects } from "./disposable-git.ts";
import { mountImage } from "./image-system.ts";
import { assemble, type OwnFolder, type Shown, wayInto } from "./mount-points.ts";
import { cageUser } from "./cage-etc.ts";
import { systemArgs } from "./system-folders.ts";
import { assertPlain, type View } from "./view.ts";

export class Views {
  readonly #order: CageOrder;
  readonly #workspace: string;
  readonly #parts: CageParts;
  #making: Promise<void> | undefined;
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

  /** Resolves when they are there, once and for all. */
  made(): Promise<void> {
    this.#making ??= this.#make().catch((error: unknown) => {
      // It may be possible the next time.
      this.#making = undefined;
      throw error;
    });
    return this.#making;
  }

  async #make(): Promise<void> {
    const { root, binds, staged = [], image } = this.#order;
    for (const path of [root, ...binds, ...staged.map(({ target }) => target)]) assertPlain(path);
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
    return [this.#tmp(), { inside: cageUser.home, ...home }, ...this.#ownVarTmp()];
  }

  #tmp(): OwnFolder {
    return { inside: "/tmp", outside: this.#order.tmp, assembled: join(this.#parts.assembled, "tmp") };
  }

  /** Elsewhere it is another name of `/tmp`. Where a project or a toolchain lies in it, it has to be a folder to mount in. */
  #ownVarTmp(): OwnFolder[] {
    if (this.#isFree("/var/tmp")) return [];
    const assembled = join(this.#parts.assembled, "var-tmp");
    return [{ inside: "/var/tmp", outside: this.#order.tmp, assembled }];
  }

  /** Whether nothing is shown in a folder. */
  #isFree(folder: string): boolean {
    return !this.#shown().some(({ target }) => wayInto(folder, target) !== undefined);
  }

  /** Those in which something is mounted. */
  #nested(): OwnFolder[] {
    const shown = this.#shown();
    return this.#own().filter(({ inside }) => shown.some(({ target }) => wayInto(inside, target) !== undefined));
  }

  #shown(): Shown[] {
    const { root, binds, staged = [] } = this.#order;
    const read = [...binds.map((path) => ({ source: path, target: path })), ...staged];
    return [
      ...read.filter(({ source }) => existsSync(source)).map((each) => ({ ...each, readOnly: true })),
      { source: this.#workspace, target: root, readOnly: false },
    ];
  }

  /** Other names of folders, unless something is shown in them: nothing can be mounted by way of a link. */
  #links(): string[] {
    return [
      ...(this.#isFree("/var/tmp") ? ["--symlink", "/tmp", "/var/tmp"] : []),
      ...(this.#isFree("/var/run") ? ["--symlink", "/run", "/var/run"] : []),
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
    const varTmp = this.#isFree("/var/tmp") ? ["--bind", this.#sourceOf(this.#tmp()), "/var/tmp"] : [];
    const mounts = [
      ...["--ro-bind", root, "/", ...this.#hostsArgs(), "--proc", "/proc", "--dev-bind", this.#parts.devices, "/dev"],
      ...[...this.#ownArgs(), ...varTmp, ...this.#shownArgs(shown)],
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
