// The workspaces of this node, one per run and its sub-runs. A workspace is made when it is first needed, found again after
// a restart, and gone when its run is over and nothing in it is unsaved.

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { ImageChoice } from "../../core/project/image.ts";
import type { Project } from "../../core/project/project.ts";
import { References } from "../../core/workspace/references.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type {
  Bridge,
  CageLimits,
  CageOrder,
  ImageOrder,
  JoinOrder,
  WorkspaceOrder,
} from "../../protocol/keeper/keeper-wire.ts";
import type { GroundDisk } from "../disk/ground-disk.ts";
import { swapDurably } from "../../os/durable-file.ts";
import { removeTree } from "../../os/remove-tree.ts";
import { readPin } from "../images/image-pin.ts";
import type { Images } from "../images/images.ts";
import { basesName, copyName, isThere, makeFolders, readWarm, readWarmThere, warmName } from "./agent-folder.ts";
import { BaseJournal, beginAt, type Kept } from "./base-journal.ts";
import { type DoneBounds, DonePlaces, removePlace, usualBounds } from "./done-places.ts";
import { gitFor } from "./git-for.ts";
import { agentPinOf, pinsIn } from "./image-pins.ts";
import type { Keepers } from "./keepers.ts";
import { KeptHomes } from "./kept-homes.ts";
import { KeptWorkspaces } from "./kept-workspaces.ts";
import { leaveWarm } from "./leave-warm.ts";
import { type Ground, orLetGo, PlaceAhead, type Taken } from "./place-ahead.ts";
import { lendOwn, type OwnDependencies } from "./own-dependencies.ts";
import { limitsFor, type UsualLimits } from "./usual-limits.ts";
import { WarmStore } from "./warm-store.ts";
import { Workspace } from "./workspace.ts";

export type WorkspacesOptions = {
  readonly folder: string;
  /** How new ones are made. One that is there already stays what it is. */
  readonly kind: WorkspaceOrder["kind"];
  readonly keepers: Keepers;
  readonly mainlineOf: (project: Project) => Promise<Mainline>;
  readonly disk: Pick<GroundDisk, "freeBytesMin" | "mustHaveRoom" | "space" | "measure">;
  /** What an agent may use where nobody has said anything; left out, as much as there is. */
  readonly usual?: UsualLimits;
  /** Where dependency folders are kept for the next ones; null keeps none. */
  readonly warmFolder: string | null;
  /** Where conversations of runs that are done are kept; left out keeps none. */
  readonly homesFolder?: string;
  /** How much of runs that are done is left as it is. */
  readonly done?: DoneBounds;
  /** Who owns what agents see: a uid of their own where the daemon is root, else ourselves. */
  readonly owner: { readonly uid: number; readonly gid: number };
  readonly binds: readonly string[];
  readonly staged?: CageOrder["staged"];
  readonly env: Readonly<Record<string, string>>;
  /** A file with more bytes is scratch (LD57); left out, what keepers think. */
  readonly landBytesMax?: number | undefined;
  readonly images: Pick<Images, "systemFor" | "systemAgain">;
};

export type PlaceLimits = Pick<CageLimits, "memoryBytes" | "processes" | "files" | "cpu" | "outputBytesPerS">;

type Making = {
  /** The commit to begin at. */
  readonly commit?: string;
  /** Brings what people have committed to mainline, before it begins at mainline's head. */
  readonly bring?: () => Promise<void>;
  /** Where it begins after that; left out, at mainline's head. */
  readonly ground?: (mainline: Mainline) => Promise<string>;
  /** What is changed in it from the start, each against a base of its own: it begins as a step of another one (LD36). */
  readonly works?: readonly Work[];
  /** How its files are laid out where it is new; left out, as the machine does it. */
  readonly kind?: WorkspaceOrder["kind"] | undefined;
  /** False is a person's word. */
  readonly caged?: boolean;
  /** The system inside where it is new; left out, its project's. */
  readonly image?: ImageChoice | null;
  /** Nobody will start anything in it: its files are looked at, whatever became of its image. */
  readonly still?: boolean;
  /** What leads out of its cage, and how programs inside are told of it. Asked for when the place is made. */
  readonly ways?: () => Promise<WaysOut>;
  /** What it may take on the disk, scratch and all. */
  readonly diskBytes?: number | null;
  /** What everything in it may use together. */
  readonly limits?: PlaceLimits | undefined;
  /** Ports of the machine that lead into its network. */
  readonly ports?: readonly number[];
  /** Those of them behind which others stand. */
  readonly shared?: readonly number[];
  /** Whom it is joined to; left out, it is a place that is joined to nobody. */
  readonly joined?: JoinOrder;
  /** Whether whoever works in it begins with files: then nobody waits for its cage before they start something. */
  readonly filesFirst?: boolean;
  /** Whether it may have what earlier runs of the project have left of their dependencies. */
  readonly warm?: boolean;
  /** Whose dependencies it may have where those have left none. */
  readonly own?: OwnDependencies | undefined;
};

/** What a cage has beside its workspace. */
export type WaysOut = {
  readonly bridges: readonly Bridge[];
  readonly env: Readonly<Record<string, string>>;
  /** Folders that are shown at their own path, read-only. */
  readonly binds?: readonly string[];
};

type Stood = {
  readonly journal: BaseJournal;
  readonly image: ImageOrder | undefined;
  readonly order: CageOrder;
  /** The place that was laid out for it ahead, if one was. */
  readonly taken: Taken | undefined;
};

type Standing = {
  readonly mainline: Mainline;
  readonly journal: BaseJournal;
  readonly kind: WorkspaceOrder["kind"];
  readonly layers: readonly string[];
  readonly warm: readonly string[];
};

const unbounded: UsualLimits = { memoryBytes: null, diskBytes: 0 };
/** How long processes have to tidy up. */
export const stopGraceMs = 2000;

export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #open = new Map<string, Promise<Workspace>>();

  readonly #warm: WarmStore | undefined;
  readonly #ahead: PlaceAhead | undefined;
  /** Whether a cage was made since the daemon began. Before that nobody knows whether there can be any here (EN45). */
  #sawCage = false;
  /** What is left of agents that have none any more. */
  readonly homes: KeptHomes | undefined;
  /** What one agent may use where nobody says anything. */
  readonly usual: UsualLimits;
  /** Left as they are, for whoever continues the runs that are done there. */
  readonly done: DonePlaces;
  /** What nobody could look through, and nobody here removes. */
  readonly kept: KeptWorkspaces;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
    const { kind, keepers, owner, warmFolder, usual = unbounded } = options;
    this.usual = usual;
    if (kind === "overlay" && keepers.ahead !== undefined)
      this.#ahead = new PlaceAhead({ folder: join(dirname(options.folder), "ahead"), owner, keepers });
    this.done = new DonePlaces(options.folder, options.disk, options.done ?? usualBounds);
    this.kept = new KeptWorkspaces(join(dirname(options.folder), "kept"));
    if (options.homesFolder !== undefined) this.homes = new KeptHomes(options.homesFolder);
    if (warmFolder !== null) this.#warm = new WarmStore(warmFolder, () => this.#warmInUse(), options.disk);
  }

  mainlineOf(project: Project): Promise<Mainline> {
    return this.#options.mainlineOf(project);
  }

  /** The workspace of an agent, made at mainline's head or the given commit if there is none yet. */
  of(agent: string, project: Project, how: Making = {}): Promise<Workspace> {
    const known = this.#open.get(agent);
    if (known !== undefined) return known;
    const opening = this.#make(agent, project, how);
    this.#open.set(agent, opening);
    // A failure is told to whoever asked; the next one tries again.
    opening.catch(() => this.#open.delete(agent));
    return opening;
  }

  /** Whether there is anything of the run here, or about to be. */
  async has(agent: string): Promise<boolean> {
    return this.#open.has(agent) || (await this.list()).includes(agent);
  }

  /** Whether somebody has asked for it in this life of the daemon, and not ended it since. */
  isOpen(agent: string): boolean {
    return this.#open.has(agent);
  }

  /** Whether no keeper has ever made anything of an agent's workspace. */
  async isUntouched(agent: string): Promise<boolean> {
    const folder = join(this.#options.folder, agent);
    const upper = await readdir(join(folder, "upper")).catch((): string[] => []);
    return upper.length === 0 && !(await isThere(join(folder, `${copyName}.copied`)));
  }

  /** Every agent that has left something here. */
  async list(): Promise<string[]> {
    return readdir(this.#options.folder).catch((): string[] => []);
  }

  /** Where each agent has its workspace, its home and its temporary files. */
  async folders(): Promise<Map<string, string>> {
    return new Map((await this.list()).map((agent) => [agent, join(this.#options.folder, agent)]));
  }

  /** What the workspaces here stand on, whoever's they are. */
  async references(): Promise<References> {
    const found = new References();
    for (const agent of await this.list())
      found.addAll(await BaseJournal.referencesIn(join(this.#options.folder, agent, basesName)));
    return found;
  }

  /** The files that remember which images are needed. For a run that is done nobody keeps one: it is got again. */
  async pins(): Promise<string[]> {
    const folders = await this.folders();
    for (const { agent } of await this.done.among([...folders.keys()])) folders.delete(agent);
    return (await Promise.all([...folders.values()].map(pinsIn))).flat();
  }

  /** Ends all processes of an agent, and proves it. Its files stay. */
  async end(agent: string, force: boolean): Promise<void> {
    const opening = this.#open.get(agent);
    // What is being made now would be there afterwards, and nobody would end it.
    await opening?.catch(() => undefined);
    await this.#options.keepers.end(agent, force ? 0 : stopGraceMs);
    if (this.#open.get(agent) === opening) this.#open.delete(agent);
  }

  /** Ends all processes of an agent, and puts everything of it where a person finds it. */
  async keepWhole(agent: string, name: string): Promise<void> {
    await this.end(agent, true);
    await this.kept.keep(join(this.#options.folder, agent), name);
  }

  /** Keeps what the assistant of an agent that has ended needs to find its conversation again. */
  async keepHome(agent: string): Promise<void> {
    await this.homes?.keep(agent, join(this.#options.folder, agent, "home"));
  }

  /** Keeps the dependency folders of a workspace that has ended and is clean, for the next ones with the same lock files. */
  async keepWarm(agent: string, project: Project): Promise<void> {
    if (this.#warm === undefined) return;
    const folder = join(this.#options.folder, agent);
    const mainline = await this.#options.mainlineOf(project);
    await leaveWarm(this.#warm, { folder, kind: await this.#kindOf(folder), project, mainline });
  }

  /** Where the dependency folders of a project are; null where none are kept. */
  warmFolderOf(project: Pick<Project, "id">): string | null {
    return this.#warm?.folderOf(project) ?? null;
  }

  /** Lets go of the dependency folders that no workspace stands on. */
  async pruneWarm(): Promise<number> {
    return (await this.#warm?.prune()) ?? 0;
  }

  async #warmInUse(): Promise<ReadonlySet<string>> {
    const used = new Set<string>(this.#ahead?.warm ?? []);
    for (const agent of await this.list())
      for (const path of await readWarm(join(this.#options.folder, agent))) used.add(path);
    return used;
  }

  /** Takes away the temporary files of an agent that has ended. Its workspace and its home stay. */
  async clearTemporary(agent: string): Promise<void> {
    await removeTree(join(this.#options.folder, agent, "tmp"));
  }

  async remove(agent: string, project: Project): Promise<void> {
    await this.end(agent, true);
    const mainline = await this.#options.mainlineOf(project);
    await mainline.releaseLayers(agent);
    await removePlace(join(this.#options.folder, agent));
    this.lookAhead(project);
  }

  close(): void {
    this.#ahead?.close();
    for (const opening of this.#open.values()) void opening.then((each) => each.keeper.close()).catch(() => undefined);
  }

  async #make(agent: string, project: Project, making: Making): Promise<Workspace> {
    const { keepers, disk } = this.#options;
    const folder = join(this.#options.folder, agent);
    const isFresh = !existsSync(join(folder, basesName));
    // One that is there has work in it, and has to be reached above all when the disk is full.
    if (isFresh) await disk.mustHaveRoom();
    const mainline = await this.#options.mainlineOf(project);
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    // Side by side: neither needs the other, and each waits for the disk. Both are over before one that failed is told of:
    // nothing shall go on behind the back of whoever tries again.
    const standing = this.#stand(agent, project, { mainline, isFresh }, making);
    const opening = making.ways?.();
    await Promise.allSettled([standing, opening]);
    const { journal, image, order, taken } = await standing;
    const found = await orLetGo(taken, opening);
    const { bridges, env, binds = [] } = found ?? { bridges: [], env: {} };
    const { caged = true } = making;
    const filesFirst = making.filesFirst === true && this.#sawCage;
    const more = {
      ...(making.ports === undefined ? {} : { ports: making.ports, shared: making.shared ?? [] }),
      ...(making.joined === undefined ? {} : { joined: making.joined }),
      ...{ bridges, env: { ...order.env, ...env }, binds: [...order.binds, ...binds] },
      ...(image === undefined ? {} : { image: { ...image, env: { ...image.env, ...env } } }),
      ...(filesFirst ? { filesFirst: true } : {}),
    };
    const keeper = await keepers.open({ ...order, ...more }, taken?.keeper);
    // Meanwhile the keeper has made the place: nobody can have put anything there before we have answered.
    await taken?.isKept;
    if (isFresh && making.commit === undefined) this.lookAhead(project);
    if (caged && !filesFirst) this.#sawCage = true;
    const workspace = new Workspace({ folder, mainline, keeper, journal, waysEnv: env });
    // Nothing can be left in one that nobody has had.
    if (taken === undefined) await workspace.recover({ wasThere: !isFresh });
    return workspace;
  }

  /** What an agent's workspace stands on: found again, laid out ahead, or laid out now. */
  async #stand(
    agent: string,
    project: Project,
    { mainline, isFresh }: { readonly mainline: Mainline; readonly isFresh: boolean },
    making: Making,
  ): Promise<Stood> {
    const folder = join(this.#options.folder, agent);
    const first = isFresh ? await this.#begin(agent, project, mainline, making) : undefined;
    if (first !== undefined && "taken" in first) {
      const { journal, taken } = first;
      const ground = { mainline, journal, kind: "overlay", ...taken } as const;
      const order = await orLetGo(taken, this.#orderOf(agent, project, ground, making));
      return { journal, image: undefined, taken, order };
    }
    const begin = (): Promise<Kept> => (first === undefined ? Promise.reject(gone(agent)) : Promise.resolve(first));
    const { journal, isThere: isKept } = await BaseJournal.begin(join(folder, basesName), begin);
    const imaging = this.#imageOf(folder, project, { mainline, commit: journal.bases.layers }, making);
    const ordering = imaging.then(() => this.#layOut(agent, project, { mainline, journal }, making));
    await Promise.allSettled([ordering, isKept]);
    const [image, order] = [await imaging, await ordering];
    await isKept;
    return { journal, image, order, taken: undefined };
  }

  /** Where a new workspace begins: in the place that was laid out ahead, if that stands on the same. */
  async #begin(
    agent: string,
    project: Project,
    mainline: Mainline,
    making: Making,
  ): Promise<Kept | { readonly journal: BaseJournal; readonly taken: Taken }> {
    const folder = join(this.#options.folder, agent);
    // A daemon that died while it made the same had perhaps got further with this: it was for the commit of then.
    rmSync(join(folder, warmName), { force: true });
    const { works = [], image = project.image, warm: mayBeWarm = false, kind = "overlay" } = making;
    const isUsual = making.commit === undefined && works.length === 0 && image === null && kind === "overlay";
    const guess = isUsual ? this.#ahead?.commitFor(project) : undefined;
    // While it is looked whether a person has committed something: in all likelihood they have not.
    const standing =
      guess === undefined ? undefined : this.#standOn(agent, project, { mainline, commit: guess, mayBeWarm });
    standing?.catch(() => undefined);
    if (making.commit === undefined) await making.bring?.();
    const commit = making.commit ?? (await making.ground?.(mainline)) ?? (await mainline.head());
    const kept = await beginAt(mainline, commit, works);
    // Also where it was for nothing: it is over before somebody else asks for the same.
    const ground = commit === guess ? await standing : await standing?.then(...forNothing);
    const taken = ground === undefined ? undefined : this.#ahead?.take(folder, { commit, ...ground });
    return taken === undefined ? kept : { journal: BaseJournal.at(join(folder, basesName), kept), taken };
  }

  async #standOn(
    agent: string,
    project: Project,
    {
      mainline,
      commit,
      mayBeWarm,
    }: { readonly mainline: Mainline; readonly commit: string; readonly mayBeWarm: boolean },
  ): Promise<Pick<Standing, "layers" | "warm">> {
    const warming = mayBeWarm ? this.#warm?.layersFor(project, { mainline, commit, image: null }) : undefined;
    const layering = mainline.layersFor(commit, agent);
    await Promise.allSettled([layering, warming]);
    return { layers: await layering, warm: (await warming) ?? [] };
  }

  /** Whoever begins next in the project finds a place that is mounted. */
  async layAhead(project: Project): Promise<void> {
    await this.#ahead?.lay(project, () => this.#groundFor(project));
  }

  lookAhead(project: Project): void {
    // On an image other folders are warm, and which one it is shows only when a run begins.
    if (project.image === null) this.#ahead?.soon(project, () => this.#groundFor(project));
  }

  async #groundFor(project: Project): Promise<Ground> {
    const mainline = await this.#options.mainlineOf(project);
    const commit = await mainline.head();
    const warm = await this.#warm?.layersFor(project, { mainline, commit, image: null });
    return { mainline, commit, warm: warm ?? [] };
  }

  /** Decided once, when the workspace is made: whoever has begun keeps what they began with (IM3). */
  async #imageOf(
    folder: string,
    project: Project,
    at: { readonly mainline: Mainline; readonly commit: string },
    { caged = true, still = false, image = project.image }: Making,
  ): Promise<ImageOrder | undefined> {
    if (!caged || still) return undefined;
    const { images } = this.#options;
    const use = { ...at, pin: agentPinOf(folder) };
    if (await isThere(join(folder, warmName))) return images.systemAgain(use);
    return image === null ? undefined : images.systemFor(image, use);
  }

  async #layOut(
    agent: string,
    project: Project,
    { mainline, journal }: Pick<Standing, "mainline" | "journal">,
    making: Making,
  ): Promise<CageOrder> {
    const folder = join(this.#options.folder, agent);
    const { layers: commit } = journal.bases;
    const kind = await this.#kindOf(folder, making.kind);
    await makeFolders(folder, kind, this.#options.owner);
    // A copy is made of one whole folder: what says in a layer that something is gone says so to the kernel alone.
    const layering = mainline.layersFor(commit, agent, { isWhole: kind === "clone" });
    const warming = this.#warmFor(agent, project, { mainline, commit }, making);
    await Promise.allSettled([layering, warming]);
    const ground = { mainline, journal, kind, layers: await layering, warm: await warming };
    return this.#orderOf(agent, project, ground, making);
  }

  async #orderOf(
    agent: string,
    project: Project,
    { mainline, journal, kind, layers, warm }: Standing,
    { caged = true, diskBytes = null, limits: asked }: Making,
  ): Promise<CageOrder> {
    const { binds, staged, env, landBytesMax, disk } = this.#options;
    const own = (name: string): string => join(this.#options.folder, agent, name);
    const [gitting, homing] = [gitFor(mainline, project, journal), this.homes?.giveBack(agent, own("home"))];
    await Promise.allSettled([gitting, homing]);
    const git = await gitting;
    await homing;
    return {
      agent,
      root: project.root,
      workspace:
        kind === "overlay"
          ? { kind, layers, warm, upper: own("upper"), work: own("work") }
          : { kind, layers, warm, folder: own(copyName) },
      journal: own("journal"),
      home: own("home"),
      tmp: own("tmp"),
      binds,
      ...(staged === undefined ? {} : { staged }),
      env,
      network: "none",
      limits: limitsFor({ ...asked, diskBytes }, this.usual, (await disk.space()).freeBytes),
      caged,
      hash: journal.bases.layers.length === 64 ? "sha256" : "sha1",
      ...(landBytesMax === undefined ? {} : { landBytesMax }),
      git,
    };
  }

  /** Decided once, when the workspace is made: it is mounted on the same ones ever after. */
  async #warmFor(
    agent: string,
    project: Project,
    begun: { readonly mainline: Mainline; readonly commit: string },
    { warm: mayBeWarm = false, own }: Making,
  ): Promise<string[]> {
    const [folder, from] = [agent, own?.agent ?? ""].map((name) => join(this.#options.folder, name)) as [
      string,
      string,
    ];
    if (await isThere(join(folder, warmName))) return readWarmThere(folder);
    const image = await readPin(agentPinOf(folder));
    const at = { ...begun, image: image?.id ?? null };
    const warm = mayBeWarm ? ((await this.#warm?.layersFor(project, at)) ?? []) : [];
    const { owner } = this.#options;
    const lent = own === undefined ? [] : await lendOwn(own, { ...at, project, from, into: folder, warm, owner });
    await swapDurably(join(folder, warmName), JSON.stringify([...warm, ...lent]));
    return [...warm, ...lent];
  }

  /** What is in a workspace cannot be moved to one of the other kind, so it stays what it was made as. */
  async #kindOf(folder: string, wish = this.#options.kind): Promise<WorkspaceOrder["kind"]> {
    if (await isThere(join(folder, "upper"))) return "overlay";
    return (await isThere(join(folder, `${copyName}.copied`))) ? "clone" : wish;
  }
}

const nothing = (): undefined => undefined;
const forNothing = [nothing, nothing] as const;

function gone(agent: string): Fault {
  return new Fault("workspace-unavailable", { retry: "never", message: `the workspace of ${agent} is gone` });
}
