// The person's toolchains, as agents may see them: read-only, from a list of places where toolchains live and credentials
// do not. Everything else that a person has on their PATH stays outside.

import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";

export type Toolchains = {
  /** Folders to bind at their own path. */
  readonly binds: readonly string[];
  /** The PATH inside: what the system has, and what is bound. */
  readonly path: string;
  /** Entries of the person's PATH that agents do not see. */
  readonly left: readonly string[];
};

/** By the folder on the PATH, in the person's home: what has to be bound for it to work. */
const inHome: readonly (readonly [pattern: RegExp, binds: readonly string[]])[] = [
  [/^\.nvm\/versions\/node\/[^/]+\/bin$/, [".nvm/versions"]],
  [/^\.volta\/bin$/, [".volta/bin", ".volta/tools"]],
  [/^\.(local\/share\/)?fnm\//, [".local/share/fnm", ".fnm"]],
  [/^\.cargo\/bin$/, [".cargo/bin", ".rustup"]],
  [/^\.pyenv\/(shims|bin)$/, [".pyenv"]],
  [/^\.local\/share\/pnpm$/, [".local/share/pnpm"]],
  [/^\.bun\/bin$/, [".bun/bin"]],
  [/^\.deno\/bin$/, [".deno/bin"]],
  [/^\.asdf\/(shims|bin)$/, [".asdf"]],
  [/^\.local\/share\/mise\/(shims|installs\/.*)$/, [".local/share/mise"]],
  [/^\.rbenv\/(shims|bin)$/, [".rbenv"]],
  [/^\.sdkman\/candidates\/[^/]+\/current\/bin$/, [".sdkman/candidates"]],
  [/^go\/bin$/, ["go/bin"]],
];

/** Folders of the system, which agents have anyway. */
const system = /^\/(usr|bin|sbin|lib)(\/|$)/;
/** Places for programs that come as a whole. */
const whole =
  /^(\/opt\/[^/]+|\/nix\/store|\/snap|\/home\/linuxbrew\/\.linuxbrew|.*\/node_modules\/node-linux-[a-z0-9]+)(\/|$)/;

export async function findToolchains(
  path: string,
  home: string,
  canRead: (path: string) => Promise<boolean>,
): Promise<Toolchains> {
  const binds = new Set<string>();
  const inside: string[] = [];
  const left: string[] = [];
  for (const entry of new Set(path.split(":").filter((each) => each.startsWith("/")))) {
    if (system.test(entry)) {
      inside.push(entry);
      continue;
    }
    // A link on the PATH that leads into a known place stands for that place.
    const shown = bindsFor(entry, home).length > 0 || !existsSync(entry) ? entry : realpathSync(entry);
    const found: string[] = [];
    for (const each of bindsFor(shown, home)) if (existsSync(each) && (await canRead(each))) found.push(each);
    if (found.length === 0) {
      left.push(entry);
      continue;
    }
    for (const each of found) binds.add(each);
    inside.push(shown);
  }
  for (const usual of ["/usr/local/bin", "/usr/bin", "/bin"]) if (!inside.includes(usual)) inside.push(usual);
  return { binds: withoutNested([...binds]), path: inside.join(":"), left };
}

function bindsFor(entry: string, home: string): string[] {
  const own = relative(home, entry);
  const known = own.startsWith("..") ? undefined : inHome.find(([pattern]) => pattern.test(own));
  if (known !== undefined) return known[1].map((name) => join(home, name));
  const place = whole.exec(entry)?.[1];
  return place === undefined ? [] : [place];
}

function withoutNested(folders: readonly string[]): string[] {
  return folders.filter((each) => !folders.some((other) => other !== each && each.startsWith(`${other}/`))).toSorted();
}
