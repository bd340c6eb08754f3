// The workspaces of this node, one per run and its sub-runs. A workspace is made when it is first needed, found again after
// a restart, and gone when its run is over and nothing in it is unsaved.

import { chmod, chown, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
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
import { swapDurably } from "../durable-file.ts";
import { readPin } from "../images/image-pin.ts";
import type { Images } from "../images/images.ts";
import { BaseJournal, type Kept } from "./base-journal.ts";
import { inboxName, outboxName } from "./carrier.ts";
import type { Keepers } from "./keepers.ts";
import { KeptHomes } from "./kept-homes.ts";
import { type Ground, PlaceAhead } from "./place-ahead.ts";
import { WarmStore } from "./warm-store.ts";
import { Workspace } from "./workspace.ts";

export type WorkspacesOptions = {
  readonly folder: string;
  /** How new ones are made. One that is there already stays what it is. */
  readonly kind: WorkspaceOrder["kind"];
  readonly keepers: Keepers;
  readonly mainlineOf: (project: Project) => Promise<Mainline>;
  readonly disk: Pick<GroundDisk, "mustHaveRoom">;
  /** Where dependency folders are kept for the next ones; null keeps none. */
  readonly warmFolder: string | null;
  /** Where conversations of runs that are done are kept; left out keeps none. */
  readonly homesFolder?: string;
  /** Who owns what agents see: a uid of their own where the daemon is root, else ourselves. */
  readonly owner: { readonly uid: number; readonly gid: number };
  readonly binds: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file with more bytes is scratch (LD57); left out, what keepers think. */
  readonly landBytesMax?: number | undefined;
  readonly images: Pick<Images, "systemFor" | "systemAgain">;
};

/** What remembers the image of an agent. */
const pinName = "image.json";

/** A repository of the agent's own inside, which borrows our objects and has nothing else of ours. */
async function gitFor(mainline: Mainline, project: Project, { bases }: BaseJournal): Promise<CageOrder["git"]> {
  const { objectsFolder: objects } = mainline;
  if (objects === null) return null;
  const index = await mainline.indexFor(bases.layers);
  return { objects, commit: bases.layers, branch: project.source.branch, ...(index === null ? {} : { index }) };
}

/** The first entry of a journal: the changes that a workspace begins with are placed like any others (LD3). */
async function beginAt(mainline: Mainline, commit: string, works: readonly Work[]): Promise<Kept> {
  const plain = { layers: commit, commit, own: {} };
  if (works.length === 0) return { bases: plain, placing: null };
  const entries = await mainline.entriesAt(
    commit,
    works.map(({ path }) => path),
  );
  const others = works.filter(({ path, base }) => base !== (entries.get(path) ?? null));
  const bases = { ...plain, own: Object.fromEntries(others.map(({ path, base }) => [path, base])) };
  const places = works.map(({ path, work }) => ({ path, to: work }));
  return { bases, placing: { tag: "begin", places, after: bases } };
}

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
};

/** What a cage has beside its workspace. */
export type WaysOut = {
  readonly bridges: readonly Bridge[];
  readonly env: Readonly<Record<string, string>>;
  /** Folders that are shown at their own path, read-only. */
  readonly binds?: readonly string[];
};

const basesName = "bases.json";
const warmName = "warm.json";
const foldersOf = { overlay: ["upper", "work"], clone: ["clone"] } as const;
/** The copy has a folder above it that is its owner's too: the keeper writes beside it. */
const copyName = "clone/files";

const limits: CageLimits = { memoryBytes: null, processes: 4096, files: null, fileBytes: null };
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

  constructor(options: WorkspacesOptions) {
    this.#options = options;
    const { kind, keepers, owner } = options;
    if (kind === "overlay" && keepers.ahead !== undefined)
      this.#ahead = new PlaceAhead({ folder: join(dirname(options.folder), "ahead"), owner, keepers });
    if (options.homesFolder !== undefined) this.homes = new KeptHomes(options.homesFolder);
    if (options.warmFolder !== null) this.#warm = new WarmStore(options.warmFolder, () => this.#warmInUse());
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
  async folders(): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.list()).map((agent) => [agent, join(this.#options.folder, agent)]));
  }

  /** What the workspaces here stand on, whoever's they are. */
  async references(): Promise<References> {
    const found = new References();
    for (const agent of await this.list())
      found.addAll(await BaseJournal.referencesIn(join(this.#options.folder, agent, basesName)));
    return found;
  }

  /** The files that remember which images are needed. */
  async pins(): Promise<string[]> {
    return (await this.list()).map((agent) => join(this.#options.folder, agent, pinName));
  }

  /** Ends all processes of an agent, and proves it. Its files stay. */
  async end(agent: string, force: boolean): Promise<void> {
    const opening = this.#open.get(agent);
    // What is being made now would be there afterwards, and nobody would end it.
    await opening?.catch(() => undefined);
    await this.#options.keepers.end(agent, force ? 0 : stopGraceMs);
    if (this.#open.get(agent) === opening) this.#open.delete(agent);
  }

  /** Keeps what the assistant of an agent that has ended needs to find its conversation again. */
  async keepHome(agent: string): Promise<void> {
    await this.homes?.keep(agent, join(this.#options.folder, agent, "home"));
  }

  /** Keeps the dependency folders of a workspace that has ended and is clean, for the next ones with the same lock files. */
  async keepWarm(agent: string, project: Project): Promise<void> {
    const folder = join(this.#options.folder, agent);
    // What lies on a warm folder is a part of it only.
    if (this.#warm === undefined || (await readWarm(folder)).length > 0) return;
    const mainline = await this.#options.mainlineOf(project);
    const { bases } = await BaseJournal.open(join(folder, basesName), () => Promise.reject(gone(agent)));
    const files = join(folder, (await this.#kindOf(folder)) === "overlay" ? "upper" : copyName);
    const image = await readPin(join(folder, pinName));
    await this.#warm.keep(project, { files, mainline, bases, image: image?.id ?? null });
  }

  /** Where the dependency folders of a project are; null where none are kept. */
  warmFolderOf(project: Pick<Project, "id">): string | null {
    return this.#warm?.folderOf(project) ?? null;
  }

  /** Lets go of the dependency folders that no workspace stands on. */
  async pruneWarm(): Promise<void> {
    await this.#warm?.prune();
  }

  async #warmInUse(): Promise<ReadonlySet<string>> {
    const used = new Set<string>(this.#ahead?.warm ?? []);
    for (const agent of await this.list())
      for (const path of await readWarm(join(this.#options.folder, agent))) used.add(path);
    return used;
  }

  /** Takes away the temporary files of an agent that has ended. Its workspace and its home stay. */
  async clearTemporary(agent: string): Promise<void> {
    await rm(join(this.#options.folder, agent, "tmp"), { recursive: true, force: true });
  }

  async remove(agent: string, project: Project): Promise<void> {
    await this.end(agent, true);
    const mainline = await this.#options.mainlineOf(project);
    await mainline.releaseLayers(agent);
    const folder = join(this.#options.folder, agent);
    // The kernel leaves a folder there that nobody may look into.
    await chmod(join(folder, "work", "work"), 0o700).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
    // Mainline may have moved on by what it landed.
    this.#lookAhead(project);
  }

  close(): void {
    this.#ahead?.close();
    for (const opening of this.#open.values()) void opening.then((each) => each.keeper.close()).catch(() => undefined);
  }

  async #make(agent: string, project: Project, making: Making): Promise<Workspace> {
    const { keepers, disk } = this.#options;
    const folder = join(this.#options.folder, agent);
    // One that is there has work in it, and has to be reached above all when the disk is full.
    if (!(await isThere(join(folder, basesName)))) await disk.mustHaveRoom();
    const mainline = await this.#options.mainlineOf(project);
    await mkdir(folder, { recursive: true, mode: 0o711 });
    let isFresh = false;
    const { journal, isThere: isKept } = await BaseJournal.begin(join(folder, basesName), async () => {
      isFresh = true;
      // A daemon that died while it made the same had perhaps got further with this: it was for the commit of then.
      await rm(join(folder, warmName), { force: true });
      if (making.commit === undefined) await making.bring?.();
      const commit = making.commit ?? (await making.ground?.(mainline)) ?? (await mainline.head());
      return beginAt(mainline, commit, making.works ?? []);
    });
    // Side by side: none of them needs another, and each waits for the disk. All of them are over before one that failed is
    // told of: nothing shall go on behind the back of whoever tries again.
    const at = { mainline, commit: journal.bases.layers };
    const imaging = this.#imageOf(folder, project, at, making);
    const ordering = imaging.then(() => this.#orderOf(agent, project, mainline, journal, making));
    const opening = making.ways?.();
    await Promise.allSettled([ordering, opening, isKept]);
    const [image, order, found] = [await imaging, await ordering, await opening];
    await isKept;
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
    const ahead = isFresh ? await this.#ahead?.take(order.workspace) : undefined;
    const keeper = await keepers.open({ ...order, ...more }, ahead);
    if (isFresh && making.commit === undefined) this.#lookAhead(project);
    if (caged && !filesFirst) this.#sawCage = true;
    const workspace = new Workspace({ folder, mainline, keeper, journal });
    await workspace.recover();
    return workspace;
  }

  /** Whoever begins next in the project finds a place that is mounted. */
  async layAhead(project: Project): Promise<void> {
    await this.#ahead?.lay(project, () => this.#groundFor(project));
  }

  #lookAhead(project: Project): void {
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
    const use = { ...at, pin: join(folder, pinName) };
    if (await isThere(join(folder, warmName))) return images.systemAgain(use);
    return image === null ? undefined : images.systemFor(image, use);
  }

  async #orderOf(
    agent: string,
    project: Project,
    mainline: Mainline,
    journal: BaseJournal,
    { caged = true, diskBytes = null, warm: mayBeWarm = false, limits: asked }: Making,
  ): Promise<CageOrder> {
    const { owner, binds, env, landBytesMax } = this.#options;
    const folder = join(this.#options.folder, agent);
    const own = (name: string): string => join(folder, name);
    const kind = await this.#kindOf(folder);
    const names = [...foldersOf[kind], "home", "tmp", inboxName, outboxName, "journal"];
    await Promise.all(
      names.map(async (name) => {
        await mkdir(own(name), { recursive: true, mode: name === inboxName ? 0o700 : 0o755 });
        await chown(own(name), owner.uid, owner.gid);
      }),
    );
    await this.homes?.giveBack(agent, own("home"));
    const layering = mainline.layersFor(journal.bases.layers, agent);
    const warming = this.#warmFor(folder, project, mainline, mayBeWarm ? journal.bases.layers : null);
    const indexing = gitFor(mainline, project, journal);
    await Promise.allSettled([layering, warming, indexing]);
    const [layers, warm, git] = [await layering, await warming, await indexing];
    return {
      agent,
      root: project.root,
      workspace:
        kind === "overlay"
          ? { kind, layers, warm, upper: own("upper"), work: own("work") }
          : { kind, layers, warm, folder: join(folder, copyName) },
      journal: own("journal"),
      home: own("home"),
      tmp: own("tmp"),
      binds,
      env,
      network: "none",
      limits: { ...limits, ...asked, processes: asked?.processes ?? limits.processes, diskBytes },
      caged,
      hash: journal.bases.layers.length === 64 ? "sha256" : "sha1",
      ...(landBytesMax === undefined ? {} : { landBytesMax }),
      git,
    };
  }

  /** Decided once, when the workspace is made: it is mounted on the same ones ever after. */
  async #warmFor(folder: string, project: Project, mainline: Mainline, commit: string | null): Promise<string[]> {
    const known = await readFile(join(folder, warmName), "utf8").catch(() => undefined);
    if (known !== undefined) return JSON.parse(known) as string[];
    const image = await readPin(join(folder, pinName));
    const at = { mainline, commit: commit ?? "", image: image?.id ?? null };
    const warm = commit === null ? [] : ((await this.#warm?.layersFor(project, at)) ?? []);
    await swapDurably(join(folder, warmName), JSON.stringify(warm));
    return warm;
  }

  /** What is in a workspace cannot be moved to one of the other kind, so it stays what it was made as. */
  async #kindOf(folder: string): Promise<WorkspaceOrder["kind"]> {
    if (await isThere(join(folder, "upper"))) return "overlay";
    return (await isThere(join(folder, `${copyName}.copied`))) ? "clone" : this.#options.kind;
  }
}

async function readWarm(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, warmName), "utf8").catch(() => "[]");
  return JSON.parse(text) as string[];
}

function gone(agent: string): Fault {
  return new Fault("workspace-unavailable", { retry: "never", message: `the workspace of ${agent} is gone` });
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
