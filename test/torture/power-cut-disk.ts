// A disk whose power can be cut. A real disk loses what was not flushed out of its cache, whatever the file system above
// it believes. Here the file system under test lies in an image file (its disk) on another file system (the cache of that
// disk). A flush of the inner one is an fsync of the image in the outer one; so when the outer one is shut down without
// flushing, exactly what was never flushed is lost, at any instant, and nothing more can be written afterwards.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const outerMegabytes = 160;
const innerMegabytes = 96;
/** FS_IOC_SHUTDOWN with the flag that throws away the journal's buffers: what power cut tests of Linux itself use. */
const shutDown =
  'open(my $f, "<", $ARGV[0]) or die $!; my $flags = pack("L", 2); ioctl($f, 0x8004587d, $flags) or die $!;';
const programs = ["mkfs.ext4", "losetup", "mount", "umount", "unshare", "perl"];

/** What this machine lacks for power cuts, in words, or undefined when all is there. */
export function missingForPowerCuts(): string | undefined {
  if (process.platform !== "linux") return "loop devices and ext4 exist on Linux only";
  if (process.getuid?.() !== 0) return "mounting a disk image needs root";
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin", "/sbin"];
  const missing = programs.find((name) => !folders.some((folder) => fs.existsSync(path.join(folder, name))));
  if (missing !== undefined) return `the program ${missing} is not installed`;
  try {
    run("losetup", "--find");
    run("unshare", "--mount", "true");
  } catch (error) {
    return `this machine gives out no loop device or mount namespace (${String(error).split("\n")[0]})`;
  }
  return undefined;
}

/** Lives in a mount namespace of its own (see power-cut.ts), so that nothing stays mounted however the test ends. */
export class CuttableDisk {
  /** Where files are that should survive. */
  readonly files: string;
  readonly #outer: string;
  readonly #outerImage: string;
  readonly #innerImage: string;

  private constructor(folder: string) {
    this.#outerImage = path.join(folder, "outer.img");
    this.#outer = path.join(folder, "outer");
    this.#innerImage = path.join(this.#outer, "inner.img");
    this.files = path.join(folder, "files");
  }

  static make(folder: string): CuttableDisk {
    const disk = new CuttableDisk(folder);
    for (const place of [disk.#outer, disk.files]) fs.mkdirSync(place, { recursive: true });
    writeZeros(disk.#outerImage, outerMegabytes);
    run("mkfs.ext4", "-q", "-F", disk.#outerImage);
    mountImage(disk.#outerImage, disk.#outer);
    // Written in full, so that later writes replace blocks in place as on a disk, and never grow the image.
    writeZeros(disk.#innerImage, innerMegabytes);
    run("mkfs.ext4", "-q", "-F", disk.#innerImage);
    run("sync", "--file-system", disk.#outer);
    mountImage(disk.#innerImage, disk.files);
    return disk;
  }

  /** From now on nothing reaches the disk, and what was not flushed is gone. */
  cut(): void {
    run("perl", "-e", shutDown, this.#outer);
  }

  /** Power is back: both file systems recover from their journals, as after a boot. Nobody may use files of it now. */
  restart(): void {
    this.#unmount();
    mountImage(this.#outerImage, this.#outer);
    mountImage(this.#innerImage, this.files);
  }

  remove(): void {
    this.#unmount();
  }

  #unmount(): void {
    for (const place of [this.files, this.#outer]) run("umount", place);
  }
}

/** The loop device is marked to go with its mount, so a test that is killed leaves none behind. */
function mountImage(image: string, place: string): void {
  const device = run("losetup", "--find", "--show", image).trim();
  try {
    run("mount", "-t", "ext4", device, place);
  } finally {
    run("losetup", "--detach", device);
  }
}

function writeZeros(file: string, megabytes: number): void {
  const handle = fs.openSync(file, "w");
  const zeros = Buffer.alloc(1 << 20);
  for (let at = 0; at < megabytes; at++) fs.writeSync(handle, zeros);
  fs.closeSync(handle);
}

function run(program: string, ...args: readonly string[]): string {
  const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` };
  return execFileSync(program, args, { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
}
