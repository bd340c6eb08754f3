// An image's files as the system inside. They are the same for every agent and nobody changes them; what an agent needs
// beside them (places to mount on, one ordinary user, the little program that gives up the last capability) is laid over
// them, in memory, for this keeper alone. An image is somebody else's: no link in it is ever followed out here.

import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { isErrno } from "../os/errno.ts";
import { mustRun, programPath, runProgram } from "../os/run-program.ts";
import { folderFlags, makePlace } from "./mount-points.ts";
import { cageUser, ownFiles } from "./cage-etc.ts";

/** Where the cage shows what of ours has to run inside, whatever the image has. */
const ofAgents = "/run/signalbox/lib";
const textBytesMax = 1024 * 1024;

export type ImageSystem = {
  /** The whole, as the keeper sees it. */
  readonly root: string;
  /** Gives up the last capability and becomes the program that follows. */
  readonly lastStep: readonly string[];
};

export type LayOptions = {
  /** Where what of ours has to run inside is shown. */
  readonly helpers?: string;
  /** What may be written over the image; without it, nobody but the keeper writes there. */
  readonly bytesMax?: number;
};

/** `places` are the folders that something will be mounted on. */
export async function mountImage(
  image: string,
  folder: string,
  places: readonly string[],
  { helpers = ofAgents, bytesMax }: LayOptions = {},
): Promise<ImageSystem> {
  mkdirSync(folder, { recursive: true });
  // An earlier try may have left one.
  await runProgram("umount", ["-l", folder]);
  const layer = `mode=700,nosuid,nodev${bytesMax === undefined ? "" : `,size=${bytesMax}`}`;
  await mustRun("mount-failed", "mount", ["-t", "tmpfs", "-o", layer, "image", folder]);
  symlinkSync(image, join(folder, "l"));
  for (const name of ["u", "k", "m"]) mkdirSync(join(folder, name));
  const options = "userxattr,lowerdir=l,upperdir=u,workdir=k";
  await mustRun("mount-failed", "mount", ["-t", "overlay", "overlay", "-o", options, "m"], { cwd: folder });
  const root = join(folder, "m");
  for (const place of places) makePlace(root, wayOf(place), true);
  writeOwnFiles(root);
  return { root, lastStep: await showLastStep(root, helpers) };
}

/** Its own users stay known by name; the one that everything runs as comes first. */
function writeOwnFiles(root: string): void {
  makePlace(root, ["etc"], true);
  const etc = openSync(join(root, "etc"), folderFlags);
  try {
    for (const [name, text] of Object.entries(ownFiles())) {
      const before = readIn(etc, name);
      if (name === "nsswitch.conf" && before !== "") continue;
      const others = name === "passwd" || name === "group" ? withoutOwn(before) : "";
      writeIn(etc, name, text + others);
    }
  } finally {
    closeSync(etc);
  }
}

function withoutOwn(table: string): string {
  const lines = table.split("\n").filter((line) => {
    const [name, , id] = line.split(":");
    return line !== "" && name !== cageUser.name && id !== String(cageUser.uid);
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** The program is the machine's own and so are its libraries: an image need not have any. */
async function showLastStep(root: string, helpers: string): Promise<readonly string[]> {
  const program = programPath("setpriv");
  const { output } = await runProgram("ldd", [program]);
  const libraries = [...output.matchAll(/^\s*(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/gm)].map((match) => match[1] ?? "");
  for (const file of [program, ...libraries]) {
    const way = [...wayOf(helpers), basename(file)];
    makePlace(root, way, false);
    await mustRun("mount-failed", "mount", ["--bind", file, join(root, ...way)]);
  }
  const inside = join(helpers, basename(program));
  const loader = libraries.map((file) => basename(file)).find((name) => /^ld[-.]/.test(name));
  return loader === undefined ? [inside] : [join(helpers, loader), "--library-path", helpers, inside];
}

export function wayOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

/** Nothing where there is no plain file. */
function readIn(folder: number, name: string): string {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file: number;
  try {
    file = openSync(`/proc/self/fd/${folder}/${name}`, flags);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ELOOP", "ENXIO", "EACCES")) return "";
    throw error;
  }
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= textBytesMax ? readFileSync(file, "utf8") : "";
  } finally {
    closeSync(file);
  }
}

function writeIn(folder: number, name: string, text: string): void {
  const path = `/proc/self/fd/${folder}/${name}`;
  rmSync(path, { recursive: true, force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = openSync(path, flags, 0o644);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
