// Packages of this checkout as an archive with one `node_modules`: for projects of tests, which reach no registry.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const checkout = join(import.meta.dirname, "../..");

type Manifest = {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
};

/** Packs these and everything that they need, with the programs that npm links. What is for other machines is left out. */
export function packOwnPackages(names: readonly string[], archive: string): void {
  const found = new Set<string>();
  const add = (name: string): void => {
    const folder = join("node_modules", name);
    const file = join(checkout, folder, "package.json");
    if (found.has(folder) || !existsSync(file)) return;
    found.add(folder);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each);
  };
  for (const name of names) add(name);
  execFileSync("tar", ["-cf", archive, "-C", checkout, "node_modules/.bin/vite", ...found]);
}
