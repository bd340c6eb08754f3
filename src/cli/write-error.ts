// Why a file could not be written, as a sentence: the place cannot be meant, or the disk is in the way.

import { protocolError } from "../protocol/errors.ts";
import { UsageError } from "./usage-error.ts";

const badPlaces: Readonly<Record<string, string>> = {
  EACCES: "it may not be written there",
  EISDIR: "it is a folder",
  ELOOP: "its links lead round in a circle",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of its path is not a folder",
  EPERM: "it may not be written there",
  EROFS: "nothing can be written on that disk",
};

const badDisks: Readonly<Record<string, string>> = {
  EDQUOT: "the room that this user may take is used up",
  EFBIG: "it is larger than the disk takes",
  EIO: "the disk does not work properly",
  ENOSPC: "the disk is full",
};

/** What else went wrong is no matter of the place, and stays what it is. */
export function toWriteError(error: unknown, given: string, file: string, flag = "-o"): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string") return error;
  const place = Object.hasOwn(badPlaces, code) ? badPlaces[code] : undefined;
  if (place !== undefined)
    return new UsageError(
      `${flag} "${given}": ${file} cannot be written, because ${place}. Name a file in a folder of yours.`,
    );
  const disk = Object.hasOwn(badDisks, code) ? badDisks[code] : undefined;
  return disk === undefined ? error : protocolError("not-written", { path: file, why: disk }, { cause: error });
}
