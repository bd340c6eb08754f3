// What keepers of one home carry in their environment. It is made up once and known to the home alone, so whoever carries it
// was started from here, whatever is left of the records.

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isErrno } from "../../os/errno.ts";

export const keeperMarkName = "SIGNALBOX_KEEPER";
const fileName = "mark";
const markBytes = 16;

/** The mark of the keepers in a folder. */
export function readOrMakeMark(folder: string): string {
  const path = join(folder, fileName);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    writeFileSync(path, randomBytes(markBytes).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
  }
  return readFileSync(path, "utf8").trim();
}

/** What stands in the environment of one keeper. */
export function keeperMark(mark: string, name: string): string {
  return `${mark}/${name}`;
}
