// Puts files into the workspace: all of them or none, over a kill at any moment, and never over a file that is not as it
// was expected. New files wait in the stage, a folder of the workspace where no tool looks, and get their names at the end.

import {
  closeSync,
  constants,
  fchmodSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { Fault } from "../../base/fault.ts";
import type { ChangedPaths, PlaceAnswer, PlaceChange, WireEntry } from "../../protocol/keeper/keeper-wire.ts";
import { syncTogether } from "../os/durable-file.ts";
import { isErrno } from "../os/errno.ts";
import { KeeperFault } from "../keeper-fault.ts";
import { blobName, copyTo, type HashKind, tooLarge } from "./entry.ts";
import { findObstacle } from "./obstacles.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { oversized, PlaceJournal, type PlannedChange, type PlannedPlace, toAnswer } from "./place-journal.ts";
import { Sights } from "./sights.ts";
import { entriesIn, namesOf, removeIn, standingIn, type Tree, unavailable, within } from "./tree.ts";

const newFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const applyTriesMax = 5;
/** Each has two files open, and where its bytes came in a file, a piece of it in memory. */
const sparesAtOnce = 32;
/** Where new files wait: inside `.git`, where watchers do not look, or beside it where there is none. */
const stages = [[".git", "signalbox-stage"], [".signalbox-stage"]];

type Source = { readonly bytes: Buffer } | { readonly fd: number };

type Sourced = PlannedChange & { readonly source: PlaceChange | undefined };

/** Whether what is too large to be looked into gives way (LD57): it does to mainline, and to no tool. */
export type PlaceWish = { readonly evenOversized: boolean };

/** A new file that is open until it is synced. */
type Spare = { readonly fd: number; readonly close: () => void | Promise<void> };

export class Placer {
  readonly #tree: Tree;
  readonly #kind: HashKind;
  readonly #landBytesMax: number;
  readonly #journal: PlaceJournal;
  readonly #line = new OneAtATime();

  constructor(
    tree: Tree,
    { kind, landBytesMax }: { readonly kind: HashKind; readonly landBytesMax: number },
    journalFolder: string,
  ) {
    this.#tree = tree;
    this.#kind = kind;
    this.#landBytesMax = landBytesMax;
    this.#journal = new PlaceJournal(journalFolder);
  }

  place(
    tag: string,
    changes: readonly PlaceChange[],
    wish: PlaceWish = { evenOversized: false },
  ): Promise<PlaceAnswer> {
    return this.#line.run(() => this.#place(tag, changes, wish));
  }

  /** What was placed under a tag, once whatever is under way is over; null where nothing was. */
  placed(tag: string): Promise<PlaceAnswer["placed"] | null> {
    return this.#line.run(() => Promise.resolve(this.#journal.readDone(tag)?.placed ?? null));
  }

  isDone(tag: string): boolean {
    return this.#journal.readDone(tag) !== undefined;
  }

  forget(tag: string): void {
    this.#journal.forget(tag);
  }

  /** Completes what the keeper before had begun. Answers the tags that are complete now. */
  recover(): string[] {
    const complete: string[] = [];
    for (const plan of this.#journal.listBegun()) {
      if (this.#canComplete(plan)) {
        this.#apply(plan);
        this.#journal.finish(plan.tag);
        complete.push(plan.tag);
      } else {
        this.#journal.giveUp(plan.tag);
      }
    }
    // What was being written when nothing was promised yet.
    for (const stage of stages) this.#clearStage(stage);
    return complete;
  }

  async #place(tag: string, changes: readonly PlaceChange[], wish: PlaceWish): Promise<PlaceAnswer> {
    const known = this.#journal.readDone(tag);
    if (known !== undefined) return known;
    assertSet(changes);
    const paths = changes.map(({ path }) => path);
    const sights = new Sights(this.#tree, { kind: this.#kind, landBytesMax: this.#landBytesMax });
    await sights.look(paths);
    this.#refuseChanged(changes, wish, sights);
    const stage = this.#makeStage();
    const planned = changes.map((change, index): PlannedChange => {
      const { path, to } = change;
      const before = sights.entryAt(path);
      const spare = to === null || to === before ? null : `${index}`;
      const expect = change.expect === undefined ? {} : { expect: change.expect };
      return { path, to, ...expect, before, spare };
    });
    const plan: PlannedPlace = { tag, stage, changes: planned };
    try {
      // Together: only when all of it is durable does the first name change.
      await Promise.all([this.#writeSpares(plan, changes), this.#journal.begin(plan)]);
      await sights.look(paths);
      // From here on without letting go of our turn, so that no other request comes between.
      this.#refuseChanged(changes, wish, sights);
      // What a full disk would refuse is done before the first name changes.
      this.#makeFolders(plan);
    } catch (error) {
      this.#journal.giveUp(tag);
      this.#clearStage(stage);
      throw error instanceof Fault ? error : unavailable(error);
    }
    this.#apply(plan);
    this.#journal.finish(tag);
    this.#clearStage(stage);
    return toAnswer(plan);
  }

  #refuseChanged(changes: readonly PlaceChange[], { evenOversized }: PlaceWish, sights: Sights): void {
    const changed = changes.flatMap(({ path, expect, to }) => {
      const entry = sights.entryAt(path);
      if (entry === oversized && !evenOversized) throw this.#tooLarge(path);
      const isFree = entry === to || expect === undefined || entry === expect || entry === oversized;
      return isFree ? [] : [{ path, entry }];
    });
    if (changed.length > 0) {
      const names = changed.map(({ path }) => path).slice(0, 5);
      const data: ChangedPaths = { changed };
      throw new KeeperFault("changed", { message: `not as expected any more: ${names.join(", ")}`, data });
    }
    const obstacle = findObstacle(this.#tree, changes);
    if (obstacle !== undefined) {
      throw new KeeperFault("in-the-way", { message: obstacle.why, data: { path: obstacle.path } });
    }
  }

  /** Whether a place that was begun may still happen: all of it is there, and nobody has changed anything since. */
  #canComplete(plan: PlannedPlace): boolean {
    const pending = plan.changes.filter(({ path, to }) => this.#entryAt(path) !== to);
    const isWhole = pending.every(({ spare, to }) => to === null || (spare !== null && this.#hasSpare(plan, spare)));
    // Some of it has happened, so the rest must.
    if (pending.length < plan.changes.filter(({ before, to }) => before !== to).length) return true;
    return isWhole && pending.every(({ path, before }) => this.#entryAt(path) === before);
  }

  #apply(plan: PlannedPlace): void {
    for (let tries = 1; ; tries++) {
      try {
        this.#applyOnce(plan);
        return;
      } catch (error) {
        // A process of the agent took a folder away under our hands; the same step again makes it again.
        if (tries >= applyTriesMax || !isErrno(error, "ENOENT", "ENOTDIR", "ENOTEMPTY", "EISDIR", "EEXIST")) {
          throw unavailable(error);
        }
      }
    }
  }

  #makeFolders({ changes }: PlannedPlace): void {
    for (const { path, spare } of changes) {
      if (spare === null) continue;
      const folder = this.#tree.openFolder(namesOf(path).slice(0, -1), { make: true });
      if (folder !== undefined) closeSync(folder);
    }
  }

  #applyOnce(plan: PlannedPlace): void {
    const gone = plan.changes.filter(({ to }) => to === null);
    // The deepest first, so that a folder is empty when its turn comes.
    for (const { path } of gone.toSorted((a, b) => (a.path < b.path ? 1 : -1))) this.#remove(path);
    const stage = this.#tree.openFolder(plan.stage, { make: false });
    if (stage === undefined) return;
    try {
      for (const { path, to, spare } of plan.changes) {
        if (to === null || spare === null || standingKind(stage, spare) === "nothing") continue;
        const moved = this.#tree.inFolder(path, { make: true }, (folder, name) => {
          if (standingKind(folder, name) === "folder") removeEmptyFolders(folder, name);
          renameSync(within(stage, spare), within(folder, name));
          return true;
        });
        if (moved === undefined) throw Object.assign(new Error(`no folder for ${path}`), { code: "ENOTDIR" });
      }
    } finally {
      closeSync(stage);
    }
  }

  /** Takes a file away, and the folders that are empty without it. */
  #remove(path: string): void {
    this.#tree.inFolder(path, { make: false }, (folder, name) => {
      const kind = standingKind(folder, name);
      if (kind === "file" || kind === "link") unlinkSync(within(folder, name));
    });
    const names = namesOf(path).slice(0, -1);
    while (names.length > 0) {
      const removed = this.#tree.inFolder(names.join("/"), { make: false }, (folder, name) => {
        try {
          rmdirSync(within(folder, name));
          return true;
        } catch {
          return false;
        }
      });
      if (removed !== true) return;
      names.pop();
    }
  }

  async #writeSpares(plan: PlannedPlace, changes: readonly PlaceChange[]): Promise<void> {
    const stage = this.#tree.openFolder(plan.stage, { make: true });
    if (stage === undefined) throw unavailable(new Error("there is no room for new files"));
    const planned = plan.changes.map((change, index) => ({ ...change, source: changes[index] }));
    try {
      for (let at = 0; at < planned.length; at += sparesAtOnce) {
        const isLast = at + sparesAtOnce >= planned.length;
        // Bytes and names together.
        await this.#writeSome(stage, planned.slice(at, at + sparesAtOnce), isLast ? [stage] : []);
      }
    } finally {
      closeSync(stage);
    }
  }

  /** Writes some of the new files, and syncs them together with what else is open. */
  async #writeSome(stage: number, planned: readonly Sourced[], others: readonly number[]): Promise<void> {
    const spares: Spare[] = [];
    try {
      const written = await Promise.allSettled(
        planned.map(async ({ spare, to, path, before, source: change }) => {
          if (spare === null || to === null) return;
          const [mode = "", name = ""] = to.split(":");
          const source = this.#sourceFor(change, before);
          try {
            const written = await this.#writeSpare(within(stage, spare), mode, source, spares);
            if (written === name && ["100644", "100755", "120000"].includes(mode)) return;
          } finally {
            if ("fd" in source) closeSync(source.fd);
          }
          throw new Fault("bad-request", { retry: "never", message: `the bytes for ${path} are not those of ${to}` });
        }),
      );
      for (const each of written) if (each.status === "rejected") throw each.reason;
      await syncTogether([...spares.map(({ fd }) => fd), ...others]);
    } finally {
      for (const spare of spares) await spare.close();
    }
  }

  /** The bytes that came, or those that are there already where only the mode changes. */
  #sourceFor(change: PlaceChange | undefined, before: WireEntry): Source {
    const bytes = change?.bytes;
    if (bytes !== undefined && "base64" in bytes) return { bytes: Buffer.from(bytes.base64, "base64") };
    if (bytes !== undefined) return { fd: openSync(bytes.file, constants.O_RDONLY | constants.O_NOFOLLOW) };
    if (before !== null && before.split(":")[1] === change?.to?.split(":")[1]) {
      const standing = this.#tree.standingAt(change?.path ?? "");
      if (standing.kind === "link") return { bytes: standing.target };
      if (standing.kind === "file") return { fd: standing.fd };
    }
    throw new Fault("bad-request", { retry: "never", message: `the bytes for ${change?.path} did not come` });
  }

  #makeStage(): readonly string[] {
    for (const stage of stages) {
      const above = this.#tree.openFolder(stage.slice(0, -1), { make: false });
      if (above === undefined) continue;
      try {
        // What an earlier place left, whatever it is by now.
        removeIn(above, stage.at(-1) ?? "");
      } finally {
        closeSync(above);
      }
      return stage;
    }
    throw unavailable(new Error("the workspace is gone"));
  }

  #clearStage(stage: readonly string[]): void {
    const name = stage.at(-1) ?? "";
    const above = this.#tree.openFolder(stage.slice(0, -1), { make: false });
    if (above === undefined) return;
    try {
      // Whatever waited in it has got its name.
      if (!isRemovedEmpty(above, name)) removeIn(above, name);
    } catch {
      // What is left of it is in nobody's way, and the next place tries again.
    } finally {
      closeSync(above);
    }
  }

  #hasSpare(plan: PlannedPlace, spare: string): boolean {
    const stage = this.#tree.openFolder(plan.stage, { make: false });
    if (stage === undefined) return false;
    try {
      return standingKind(stage, spare) !== "nothing";
    } finally {
      closeSync(stage);
    }
  }

  #entryAt(path: string): WireEntry {
    return new Sights(this.#tree, { kind: this.#kind, landBytesMax: this.#landBytesMax }).entryAt(path);
  }

  #tooLarge(path: string): Fault {
    const standing = this.#tree.standingAt(path);
    if (standing.kind === "file") closeSync(standing.fd);
    return tooLarge(path, standing.kind === "file" ? Number(standing.stat.size) : 0, this.#landBytesMax);
  }

  /** Writes a new file and leaves it open, among the others that are to be synced. Answers the name of what is in it. */
  async #writeSpare(path: string, mode: string, source: Source, spares: Spare[]): Promise<string> {
    if (mode === "120000") {
      const target = "bytes" in source ? source.bytes : readFileSync(source.fd);
      symlinkSync(target, path);
      return blobName(this.#kind, target);
    }
    const bits = mode === "100755" ? 0o755 : 0o644;
    if ("bytes" in source) {
      // Bytes that came in a line are few: they are written in one breath, for going round by a thread takes longer.
      const fd = openSync(path, newFlags, 0o600);
      spares.push({ fd, close: () => closeSync(fd) });
      writeFileSync(fd, source.bytes);
      fchmodSync(fd, bits);
      return blobName(this.#kind, source.bytes);
    }
    const file = await open(path, newFlags, 0o600);
    spares.push({ fd: file.fd, close: () => file.close() });
    const { entry } = await copyTo(source.fd, this.#kind, file, Number.POSITIVE_INFINITY);
    await file.chmod(bits);
    return entry.split(":")[1] ?? "";
  }
}

function isRemovedEmpty(folder: number, name: string): boolean {
  try {
    rmdirSync(within(folder, name));
    return true;
  } catch {
    return false;
  }
}

function standingKind(folder: number, name: string): "file" | "link" | "folder" | "other" | "nothing" {
  const standing = standingIn(folder, name);
  if (standing.kind === "file") closeSync(standing.fd);
  return standing.kind;
}

/** Folders in which nothing stands any more. Anything else in there stops it. */
function removeEmptyFolders(parent: number, name: string): void {
  const folder = openSync(within(parent, name), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    for (const { name: each } of entriesIn(folder)) removeEmptyFolders(folder, each);
  } finally {
    closeSync(folder);
  }
  rmdirSync(within(parent, name));
}

/** One entry for each path, and none below another. */
function assertSet(changes: readonly PlaceChange[]): void {
  const paths = changes.map(({ path }) => namesOf(path).join("/"));
  const placed = new Set(changes.filter(({ to }) => to !== null).map(({ path }) => path));
  const below = (path: string): boolean =>
    namesOf(path).some((_, index, names) => index > 0 && placed.has(names.slice(0, index).join("/")));
  if (new Set(paths).size === paths.length && ![...placed].some(below)) return;
  throw new Fault("bad-request", { retry: "never", message: "two of the changes are for the same place" });
}
