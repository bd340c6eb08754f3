// A plain folder that the runs of one project share. Its files change in place, under leases; the person's own repository
// is not touched. Paths are walked name by name through open folders, so that no link and no race leads outside.

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rename, unlink, type FileHandle } from "node:fs/promises";
import { Fault } from "../../base/fault.ts";

const fileBytesMax = 16 * 1024 * 1024;

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
    const file = await this.#openFile(path);
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      if (size > fileBytesMax) throw tooLarge(path);
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  /** Hash of what stands at a path, null where nothing does. */
  async hash(path: string): Promise<string | null> {
    const bytes = await this.read(path);
    return bytes === undefined ? null : hashOf(bytes);
  }

  /** Replaces a file whole: after a crash there is the old one or the new one. `tag` names the writer's own spare file. */
  async write(path: string, bytes: Uint8Array, tag: string): Promise<void> {
    if (bytes.length > fileBytesMax) throw tooLarge(path);
    const names = namesOf(path);
    const name = names.pop() ?? "";
    const folder = await this.#openFolder(names, true);
    if (folder === undefined) throw notAFolder(path);
    try {
      const spare = `.signalbox-${tag}`;
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
      const file = await open(within(folder, spare), flags, 0o644);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(within(folder, spare), within(folder, name)).catch(async (cause: unknown) => {
        await unlink(within(folder, spare)).catch(() => undefined);
        throw new Fault("not-a-file", {
          retry: "never",
          cause,
          message: `${path} is a folder, so no file can stand there`,
        });
      });
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  async #openFile(path: string): Promise<FileHandle | undefined> {
    const names = namesOf(path);
    const name = names.pop() ?? "";
    const folder = await this.#openFolder(names, false);
    if (folder === undefined) return undefined;
    try {
      const file = await open(within(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const info = await file.stat();
      if (info.isFile()) return file;
      await file.close();
      throw new Fault("not-a-file", { retry: "never", message: `${path} is not a plain file` });
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      if (cause instanceof Fault) throw cause;
      throw new Fault("not-a-file", { retry: "never", cause, message: `${path} cannot be read as a plain file` });
    } finally {
      await folder.close();
    }
  }

  async #openFolder(names: readonly string[], make: boolean): Promise<FileHandle | undefined> {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    let folder = await open(this.root, flags);
    for (const name of names) {
      const path = within(folder, name);
      try {
        if (make) await mkdir(path, { mode: 0o755 }).catch(ignoreExisting);
        const next = await open(path, flags);
        await folder.close();
        folder = next;
      } catch (cause) {
        await folder.close();
        if (!make && isMissing(cause)) return undefined;
        throw notAFolder(names.join("/"), cause);
      }
    }
    return folder;
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The names on the way. The door has cleaned the path; whoever comes another way gets no further. */
function namesOf(path: string): string[] {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0"))) throw notAFolder(path);
  return names;
}

/** A name inside an open folder: the kernel resolves it from the folder we hold, wherever that has been moved to. */
function within(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR");
}

function ignoreExisting(cause: unknown): void {
  if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause;
}

function notAFolder(path: string, cause?: unknown): Fault {
  return new Fault("not-a-folder", { retry: "never", cause, message: `a name on the way to ${path} is not a folder` });
}

function tooLarge(path: string): Fault {
  return new Fault("too-large", { retry: "never", message: `${path} is larger than ${fileBytesMax} bytes` });
}
