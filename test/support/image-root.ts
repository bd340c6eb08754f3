// The files of a small image, made of programs that this machine has anyway: no registry and no engine is needed.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const programs =
  "sh bash cat chmod chroot cp env git grep id ln ls mkdir mknod mount ps readlink rm sleep sort touch tr umount unshare wc";

/** Fills a folder. `/usr/bin` is the one place for programs, as on most systems of today. */
export function makeImageRoot(root: string, names: readonly string[] = programs.split(" ")): void {
  for (const folder of ["usr/bin", "usr/lib", "usr/lib64", "etc", "tmp", "srv", "opt"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const name of ["bin", "lib", "lib64"]) symlinkSync(`usr/${name}`, join(root, name));
  const files = names.flatMap((name) => whereIs(name));
  for (const [index, file] of files.entries())
    copyFileSync(realpathSync(file), join(root, "usr/bin", names[index] ?? ""));
  copyLibraries(root, files);
  writeFileSync(
    join(root, "etc/passwd"),
    "root:x:0:0::/root:/bin/sh\nbuilder:x:1000:1000::/build:/bin/sh\nother:x:1001:1001::/:/bin/sh\n",
  );
  writeFileSync(join(root, "opt/of-the-image"), "yes\n");
}

/** Puts the libraries of programs where they find them. */
export function copyLibraries(root: string, files: readonly string[]): void {
  for (const library of new Set(files.flatMap(librariesOf))) {
    const target = join(root, library.replace(/^\/(?=lib)/, "usr/"));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(realpathSync(library), target);
  }
}

function whereIs(name: string): string {
  return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
}

function librariesOf(file: string): string[] {
  const { stdout } = spawnSync("ldd", [file], { encoding: "utf8" });
  const found = [...stdout.matchAll(/^\s*(?:\S+ => )?(\/\S+) \(0x/gm)].map((match) => match[1] ?? "");
  return found.filter((path) => existsSync(path));
}
