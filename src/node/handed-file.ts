// Files that a keeper hands over. Without a cage, what an agent runs is the same user as its keeper and can put anything in
// their place: a link to a file that only we may read, a pipe that nobody writes to. So each is opened only as what it has to be.

import { closeSync, constants, fstatSync, lstatSync, openSync, read, readSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Fault } from "../base/fault.ts";
import { isErrno } from "../os/errno.ts";

export type Handed = {
  readonly file: string;
  /** Made by us where nobody else can replace it, and given to the user that the keeper runs as. */
  readonly folder: string;
  /** The folder in it that the file has to be in; left out, itself. */
  readonly under?: string;
  readonly bytesMax: number;
};

export type OpenHanded = { readonly fd: number; readonly size: number };

const readAsync = promisify(read);
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Does something with a file that was handed over while it is open. */
export async function withHanded<T>(handed: Handed, act: (open: OpenHanded) => Promise<T>): Promise<T> {
  const open = openHanded(handed);
  try {
    return await act(open);
  } finally {
    closeSync(open.fd);
  }
}

export function readHanded(handed: Handed): Promise<Buffer> {
  return withHanded(handed, readOpen);
}

/** No more than it had when it was opened, whoever goes on writing. */
export async function readOpen({ fd, size }: OpenHanded): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await readAsync(fd, bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** For a small one. */
export function readHandedSync(handed: Handed): Buffer {
  const { fd, size } = openHanded(handed);
  try {
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(fd, bytes, 0, size, 0));
  } finally {
    closeSync(fd);
  }
}

/** Where a file that is open can be opened again, whatever has its name by now. */
export function pathOfOpen({ fd }: OpenHanded): string {
  return `/proc/self/fd/${fd}`;
}

function openHanded({ file, folder, under = "", bytesMax }: Handed): OpenHanded {
  if (dirname(resolve(file)) !== resolve(join(folder, under))) throw refused(file, "it is elsewhere");
  const fd = openPlain(file);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw refused(file, "it is no plain file");
    // Folders on the way may be links by now, and a file may have a second name: what counts is whose it is.
    if (stat.uid !== lstatSync(folder).uid) throw refused(file, "it belongs to somebody else");
    if (stat.size > bytesMax) throw refused(file, `it has ${stat.size} bytes, and at most ${bytesMax} were to come`);
    return { fd, size: stat.size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openPlain(file: string): number {
  try {
    return openSync(file, flags);
  } catch (cause) {
    if (isErrno(cause, "ELOOP", "ENXIO")) throw refused(file, "it is no plain file", cause);
    throw cause;
  }
}

function refused(file: string, why: string, cause?: unknown): Fault {
  return new Fault("not-a-file", { retry: "never", cause, message: `${file} is not what a keeper left: ${why}` });
}
