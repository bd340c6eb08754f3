// A workspace over a mainline and a keeper in memory. Only its journal is a real file.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MemoryMainline } from "../../src/adapters/git/memory-mainline.ts";
import { entryOf } from "../../src/core/landing/entry.ts";
import { BaseJournal } from "../../src/node/workspace/base-journal.ts";
import { Workspace } from "../../src/node/workspace/workspace.ts";
import { MemoryKeeper } from "./memory-keeper.ts";
import { makeTempFolder } from "./temp-folder.ts";

export type Files = Readonly<Record<string, string | null>>;

const author = { name: "Eva", email: "eva@example.org", atMs: 0 };

/** Makes a commit on a commit; null takes a file away. */
export async function commitOn(mainline: MemoryMainline, parent: string, files: Files): Promise<string> {
  const changes = new Map<string, string | null>();
  for (const [path, text] of Object.entries(files))
    changes.set(path, text === null ? null : entryOf("100644", await mainline.writeBlob(Buffer.from(text))));
  return mainline.commit({ parents: [parent], changes, message: Object.keys(files).join(" "), author });
}

/** Moves mainline on by a commit. */
export async function land(mainline: MemoryMainline, files: Files): Promise<string> {
  const head = await mainline.head();
  const commit = await commitOn(mainline, head, files);
  if (!(await mainline.swap(head, commit))) throw new Error("mainline moved meanwhile");
  return commit;
}

/** What mainline has at a path, as text. */
export async function textAt(mainline: MemoryMainline, path: string): Promise<string | null> {
  const entry = (await mainline.entriesAt(await mainline.head(), [path])).get(path) ?? null;
  return entry === null ? null : Buffer.from(await mainline.readBlob(entry.slice(entry.indexOf(":") + 1))).toString();
}

export class MemoryWorkspace {
  readonly folder: string;
  readonly mainline: MemoryMainline;
  readonly keeper: MemoryKeeper;
  journal: BaseJournal;
  workspace: Workspace;

  private constructor(parts: Pick<MemoryWorkspace, "folder" | "mainline" | "keeper" | "journal" | "workspace">) {
    this.folder = parts.folder;
    this.mainline = parts.mainline;
    this.keeper = parts.keeper;
    this.journal = parts.journal;
    this.workspace = parts.workspace;
  }

  static async with(files: Files, mainline = new MemoryMainline()): Promise<MemoryWorkspace> {
    const commit = await land(mainline, files);
    const folder = makeTempFolder();
    mkdirSync(join(folder, "outbox"));
    const keeper = await MemoryKeeper.of(mainline, commit);
    const journal = await BaseJournal.open(join(folder, "bases.json"), async () => ({
      bases: { layers: commit, commit, own: {} },
      placing: null,
    }));
    const workspace = new Workspace({ folder, mainline, keeper, journal, waysEnv: {} });
    return new MemoryWorkspace({ folder, mainline, keeper, journal, workspace });
  }

  /** What a daemon that comes after finds. */
  async reopen(): Promise<void> {
    const { folder, mainline, keeper } = this;
    const never = (): Promise<never> => Promise.reject(new Error("the journal is there"));
    this.journal = await BaseJournal.open(join(folder, "bases.json"), never);
    this.workspace = new Workspace({ folder, mainline, keeper, journal: this.journal, waysEnv: {} });
    await this.workspace.recover();
  }

  /** What the run has changed, as texts. */
  async dirty(): Promise<Record<string, string | null>> {
    const works = await this.workspace.sweep();
    const texts = works.map(({ path }) => [path, this.keeper.text(path) ?? null] as const);
    return Object.fromEntries(texts);
  }
}
