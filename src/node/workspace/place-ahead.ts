// One place that is mounted before anybody asks for it, for the project that somebody began to work in last: mounting is the
// longest step on the way to a run's first call. It has no agent and nothing in it. When a run begins on the very same
// layers, its folders become the run's; when mainline has moved on, it is thrown away and another one laid out.

import { chmod, chown, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { Project } from "../../core/project/project.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { WorkspaceOrder } from "../../protocol/keeper/keeper-wire.ts";
import { syncFolder } from "../durable-file.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import type { KeeperAhead, Keepers } from "./keepers.ts";

export type PlaceAheadOptions = {
  /** Where its folders are until somebody has them: on the disk that agents live on. */
  readonly folder: string;
  readonly owner: { readonly uid: number; readonly gid: number };
  readonly keepers: Keepers;
};

/** What the next run of a project would stand on. */
export type Ground = { readonly mainline: Mainline; readonly commit: string; readonly warm: readonly string[] };

type Laid = Ground & {
  readonly project: string;
  readonly layers: readonly string[];
  readonly keeper: KeeperAhead;
};

/** In whose name it stands on its layers. */
const user = "ahead";
/** Whoever has just begun shall have the machine for themselves; and the pool is full again by then. */
const delayMs = 800;

export class PlaceAhead {
  readonly #options: PlaceAheadOptions;
  #laid: Laid | undefined;
  #stoodOn: Mainline | undefined;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: PlaceAheadOptions) {
    this.#options = options;
  }

  /** Dependency folders that it stands on. */
  get warm(): readonly string[] {
    return this.#laid?.warm ?? [];
  }

  /** Lays out the next one in a moment, unless there is one that would do. */
  soon(project: Pick<Project, "id">, groundOf: () => Promise<Ground>): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.lay(project, groundOf), delayMs).unref();
  }

  /** Lays out the next one now. Nobody waits for it, so what the world has against it is nobody's concern. */
  lay(project: Pick<Project, "id">, groundOf: () => Promise<Ground>): Promise<void> {
    return this.#inLine(async () => {
      if (this.#isClosed) return;
      const ground = await groundOf();
      if (this.#laid !== undefined && isSame(this.#laid, project.id, ground) && this.#laid.keeper.isAlive) return;
      await this.#discard();
      await this.#lay(project.id, ground);
    });
  }

  /** The one that stands on the same layers, with its folders where the order has them; undefined where there is none. */
  async take(order: WorkspaceOrder): Promise<KeeperAhead | undefined> {
    const laid = this.#laid;
    if (laid === undefined || order.kind !== "overlay") return undefined;
    if (!isEqual(laid.layers, order.layers) || !isEqual(laid.warm, order.warm ?? [])) return undefined;
    this.#laid = undefined;
    try {
      // In the place of empty ones: where something is in them, they stay.
      await rename(this.#own("upper"), order.upper);
      await rename(this.#own("work"), order.work);
      await syncFolder(dirname(order.upper));
    } catch (error) {
      if (!isOfTheWorld(error)) throw error;
      await laid.keeper.discard();
      return undefined;
    }
    return laid.keeper;
  }

  /** The keeper goes with the pool, and what is left of the folders when the next one is laid out. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #lay(project: string, ground: Ground): Promise<void> {
    const { folder, owner, keepers } = this.#options;
    const { mainline, commit, warm } = ground;
    // Also what a daemon that died has left.
    await this.#clear();
    await mkdir(folder, { recursive: true, mode: 0o711 });
    for (const name of ["upper", "work"]) {
      await mkdir(this.#own(name), { mode: 0o755 });
      await chown(this.#own(name), owner.uid, owner.gid);
    }
    const layers = await this.#standOn(mainline, commit);
    const order = { kind: "overlay", layers, warm, upper: this.#own("upper"), work: this.#own("work") } as const;
    const keeper = await keepers.ahead?.(order);
    if (keeper !== undefined) this.#laid = { ...ground, project, layers, keeper };
  }

  /** Those of before are let go of only now: when they were taken, somebody began, who had the disk for themselves. */
  async #standOn(mainline: Mainline, commit: string): Promise<readonly string[]> {
    await this.#stoodOn?.releaseLayers(user);
    this.#stoodOn = mainline;
    // Also what a daemon that died stood on.
    await mainline.releaseLayers(user);
    return mainline.layersFor(commit, user);
  }

  async #discard(): Promise<void> {
    const laid = this.#laid;
    this.#laid = undefined;
    await laid?.keeper.discard();
  }

  async #clear(): Promise<void> {
    // The kernel leaves a folder there that nobody may look into.
    await chmod(join(this.#own("work"), "work"), 0o700).catch(() => undefined);
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  #own(name: string): string {
    return join(this.#options.folder, name);
  }

  #inLine(act: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(act).catch((error: unknown) => {
      if (!(error instanceof Fault) && !isOfTheWorld(error)) throw error;
    });
    this.#turn = turn;
    return turn;
  }
}

function isSame(laid: Laid, project: string, { commit, warm }: Ground): boolean {
  return laid.project === project && laid.commit === commit && isEqual(laid.warm, warm);
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at]);
}
