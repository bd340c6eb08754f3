// A plain folder that the runs of one project share. Its files change in place, under leases; the person's own repository
// is not touched. Paths are walked name by name through open folders, so that no link and no race leads outside.

import { createHash } from "node:crypto";
import { constants, renameSync } from "node:fs";
import { mkdir, open, unlink, type FileHandle } from "node:fs/promises";
import { Fault } from "../../base/fault.ts";
import { isErrno } from "../errno.ts";

/** How a file is replaced. */
export type ReplaceOptions = {
  /** Names the writer's own spare file. */
  readonly tag: string;
  /** Asked right before the file is replaced; throws when that must not happen any more. */
  readonly mayWrite: () => void;
};

const fileBytesMax = 16 * 1024 * 1024;
/** Spare files of writes under way: nobody else writes a file of such a name. */
const sparePrefix = ".signalbox-";
const spareTriesMax = 100;

export class ScratchFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  async prepare(): Promise<void> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
  }

  /** The bytes at a path, or undefined where there is no file. */
  async read(path: string): Promise<Buffer | undefined> {
    const { folders, name } = namesOf(path);
    const folder = await this.#openFolder(folders, false);
    if (folder === undefined) return undefined;
    try {
      const file = await openPlainFile(folder, name, path);
      if (file === undefined) return undefined;
      try {
        return await readWhole(file, path);
      } finally {
        await file.close();
      }
    } finally {
      await folder.close();
    }
  }

  /** Hash of what stands at a path, null where nothing does. */
  async hash(path: string): Promise<string | null> {
    const bytes = await this.read(path);
    return bytes === undefined ? null : hashOf(bytes);
  }

  /** Replaces a file whole: after a crash there is the old one or the new one. */
  async write(path: string, bytes: Uint8Array, options: ReplaceOptions): Promise<void> {
    if (bytes.length > fileBytesMax) throw tooLarge(path);
    const { folders, name } = namesOf(path);
    const folder = await this.#openFolder(folders, true);
    if (folder === undefined) throw notAFolder(path);
    try {
      await replaceFile({ folder, name, path }, bytes, options);
    } finally {
      await folder.close();
    }
  }

  async #openFolder(names: readonly string[], make: boolean): Promise<FileHandle | undefined> {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    let folder = await open(this.root, flags).catch((cause: unknown) => {
      throw unavailable(cause);
    });
    for (const name of names) {
      const path = within(folder, name);
      try {
        if (make) await mkdir(path, { mode: 0o755 }).catch(ignoreExisting);
        const next = await open(path, flags);
        await folder.close();
        folder = next;
      } catch (cause) {
        await folder.close();
        if (!make && isErrno(cause, "ENOENT", "ENOTDIR")) return undefined;
        throw isErrno(cause, "ENOENT", "ENOTDIR", "ELOOP") ? notAFolder(names.join("/"), cause) : unavailable(cause);
      }
    }
    return folder;
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

type Place = { readonly folder: FileHandle; readonly name: string; readonly path: string };

async function replaceFile({ folder, name, path }: Place, bytes: Uint8Array, options: ReplaceOptions): Promise<void> {
  const spare = within(folder, sparePrefix + options.tag);
  try {
    const file = await openSpare(spare, path);
    try {
      await file.writeFile(bytes);
      await file.chmod(await modeOf(folder, name));
      await file.sync();
    } finally {
      await file.close();
    }
    options.mayWrite();
    // In the same breath as the question, so that no grant can come between.
    renameSync(spare, within(folder, name));
    await folder.sync();
  } catch (cause) {
    await unlink(spare).catch(() => undefined);
    if (cause instanceof Fault) throw cause;
    if (!isErrno(cause, "EISDIR", "ENOTEMPTY", "EEXIST")) throw unavailable(cause);
    throw new Fault("not-a-file", {
      retry: "never",
      cause,
      message: `${path} is a folder, so no file can stand there`,
    });
  }
}

/** A new file, whatever stood there: a link or a second name planted in its place would lead the bytes elsewhere. */
async function openSpare(spare: string, path: string): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  for (let tries = 0; tries < spareTriesMax; tries++) {
    try {
      return await open(spare, flags, 0o600);
    } catch (cause) {
      if (!isErrno(cause, "EEXIST")) throw cause;
      await unlink(spare).catch(() => undefined);
    }
  }
  throw new Fault("not-a-file", { retry: "later", message: `there is no room beside ${path} for its spare file` });
}

/** A file keeps its mode when its bytes change. */
async function modeOf(folder: FileHandle, name: string): Promise<number> {
  const file = await openPlainFile(folder, name, name).catch(() => undefined);
  if (file === undefined) return 0o644;
  try {
    return (await file.stat()).mode & 0o777;
  } finally {
    await file.close();
  }
}

async function openPlainFile(folder: FileHandle, name: string, path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(within(folder, name), flags).catch((cause: unknown) => {
    if (isErrno(cause, "ENOENT", "ENOTDIR")) return undefined;
    if (isErrno(cause, "EMFILE", "ENFILE", "EIO", "ENOMEM")) throw unavailable(cause);
    throw new Fault("not-a-file", { retry: "never", cause, message: `${path} cannot be read as a plain file` });
  });
  if (file === undefined || (await file.stat()).isFile()) return file;
  await file.close();
  throw new Fault("not-a-file", { retry: "never", message: `${path} is not a plain file` });
}

/** Reads no more than what is allowed, also from a file that grows meanwhile. */
async function readWhole(file: FileHandle, path: string): Promise<Buffer> {
  const { size } = await file.stat();
  if (size > fileBytesMax) throw tooLarge(path);
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** The names on the way. The door has cleaned the path; whoever comes another way gets no further. */
function namesOf(path: string): { readonly folders: readonly string[]; readonly name: string } {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0"))) throw notAFolder(path);
  const name = names.pop() ?? "";
  if (name.startsWith(sparePrefix)) {
    throw new Fault("not-a-file", { retry: "never", message: `names like ${sparePrefix}… are kept for spare files` });
  }
  return { folders: names, name };
}

/** A name inside an open folder: the kernel resolves it from the folder we hold, wherever that has been moved to. */
function within(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

function ignoreExisting(cause: unknown): void {
  if (!isErrno(cause, "EEXIST")) throw cause;
}

function notAFolder(path: string, cause?: unknown): Fault {
  return new Fault("not-a-folder", { retry: "never", cause, message: `a name on the way to ${path} is not a folder` });
}

function tooLarge(path: string): Fault {
  return new Fault("too-large", { retry: "never", message: `${path} is larger than ${fileBytesMax} bytes` });
}

/** The disk is full, gone or not ours. */
function unavailable(cause: unknown): Fault {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Fault("workspace-unavailable", { retry: "later", cause, message: `the workspace cannot be used: ${why}` });
}
