// One place that is mounted before anybody asks for it, for the project that somebody began to work in last: mounting is the
// longest step on the way to a run's first call. It has no agent and nothing in it. When a run begins on the very same
// layers, its folder becomes the run's, with the journal that is on the disk already; when mainline has moved on, it is thrown
// away and another one laid out.

import { renameSync } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { Project } from "../../core/project/project.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { sync, writeDurably } from "../../os/durable-file.ts";
import { isErrno } from "../../os/errno.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import { basesName, makeFolders, warmName } from "./agent-folder.ts";
import { beginningAt } from "./base-journal.ts";
import type { KeeperAhead, Keepers } from "./keepers.ts";

export type PlaceAheadOptions = {
  /** Where its folders are until somebody has them: on the disk that agents live on. */
  readonly folder: string;
  readonly owner: { readonly uid: number; readonly gid: number };
  readonly keepers: Keepers;
};

/** What the next run of a project would stand on. */
export type Ground = { readonly mainline: Mainline; readonly commit: string; readonly warm: readonly string[] };

/** What a run that begins is to stand on. */
type Standing = Pick<Ground, "commit" | "warm"> & { readonly layers: readonly string[] };

type Laid = Ground & Standing & { readonly project: string; readonly keeper: KeeperAhead };

export type Taken = Omit<Standing, "commit"> & { readonly keeper: KeeperAhead; readonly isKept: Promise<void> };

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

  /** The commit that there is one for; undefined where there is none for the project. */
  commitFor(project: Pick<Project, "id">): string | undefined {
    return this.#laid?.project === project.id && this.#laid.keeper.isAlive ? this.#laid.commit : undefined;
  }

  /**
   * Makes the one that stands on the very same ground an agent's, with all that is in its folder; undefined where there is
   * none. Should the daemon die in the next moment, the agent's journal is there; `isKept` is when a power cut could not undo it.
   */
  take(folder: string, { commit, warm, layers }: Standing): Taken | undefined {
    const laid = this.#laid;
    if (laid?.commit !== commit || !isEqual(laid.layers, layers) || !isEqual(laid.warm, warm)) return undefined;
    try {
      // In the place of an empty one: where something is in it, it stays. In one breath, so that somebody always stands on
      // what is warm.
      renameSync(this.#options.folder, folder);
    } catch (error) {
      if (isErrno(error, "ENOTEMPTY", "EEXIST")) return undefined;
      // One that somebody has removed is none; the next is laid out when its turn comes.
      if (!isErrno(error, "ENOENT")) throw error;
      this.#laid = undefined;
      void laid.keeper.discard().catch(() => undefined);
      return undefined;
    }
    this.#laid = undefined;
    const isKept = sync(dirname(folder));
    // It may fail while something else is waited for; it is asked in the end.
    isKept.catch(() => undefined);
    return { keeper: laid.keeper, layers, warm, isKept };
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
    await makeFolders(folder, "overlay", owner);
    await writeDurably(this.#own(warmName), JSON.stringify(warm), "create");
    await writeDurably(this.#own(basesName), JSON.stringify(beginningAt(commit)), "create");
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

/** Where it fails, what was mounted ahead is let go of: whoever tries again mounts the same folders. */
export async function orLetGo<T>(taken: Taken | undefined, act: T): Promise<Awaited<T>> {
  try {
    return await act;
  } catch (error) {
    await taken?.keeper.discard();
    throw error;
  }
}
