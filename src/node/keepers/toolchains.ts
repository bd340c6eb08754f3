// The person's toolchains, as agents may see them: read-only, from a list of places where toolchains live and credentials
// do not, and what the person has named besides. Everything else that a person has on their PATH stays outside, and the
// doctor says so.

import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, normalize, relative } from "node:path";
import { Fault } from "../../base/fault.ts";
import { whyNotShown } from "./credential-files.ts";
import { knownToolchains, type Part } from "./known-toolchains.ts";

export type Toolchains = {
  /** What agents can get to by themselves, to be shown at its own path. */
  readonly binds: readonly string[];
  /** What they cannot get to, for it lies in a folder that is closed to them: it has to be handed to their keepers. */
  readonly staged: readonly string[];
  /** The PATH inside, and where programs find what they stand on. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of the person's PATH that agents do not see, and why. */
  readonly left: readonly { readonly folder: string; readonly why: string }[];
};

export type ToolchainSearch = {
  /** The person's own environment, and their home. */
  readonly env: Env;
  readonly home: string;
  /** Which folders agents can read, … */
  readonly canRead: (path: string) => Promise<boolean>;
  /** … and which they could, were these handed to them. */
  readonly canReadStaged: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Throws where a folder meets one of ours. */
  readonly check: (folder: string) => Promise<void>;
};

/** Names folders that are on no list, as a PATH does. */
export const toolchainsVariable = "SIGNALBOX_TOOLCHAINS";

type Env = Readonly<Record<string, string | undefined>>;

/** A folder of the PATH, and what has to be shown for it to work. */
type Wanted = {
  readonly entry: string;
  readonly folders: readonly string[];
  /** Whether a person may have left something there that is no program. */
  readonly isOwn: boolean;
  readonly told: Readonly<Record<string, string>>;
};

/** What becomes of the folders that are wanted. */
type Verdict = {
  readonly plain: Set<string>;
  readonly staged: Set<string>;
  readonly refused: Map<string, string>;
};

/** Folders of the system, which agents have anyway. */
const system = /^\/(usr|bin|sbin|lib)(\/|$)/;
const usual = ["/usr/local/bin", "/usr/bin", "/bin"];
/** Places for programs that come as a whole. */
const whole =
  /^(\/opt\/[^/]+|\/nix\/store|\/snap|\/home\/linuxbrew\/\.linuxbrew|.*\/node_modules\/node-linux-[a-z0-9]+)(\/|$)/;

export async function findToolchains(search: ToolchainSearch): Promise<Toolchains> {
  const { env, home } = search;
  const wanted: Wanted[] = [];
  const left: { folder: string; why: string }[] = [];
  const named: string[] = [];
  for (const folder of readNamed(env)) {
    const why = existsSync(folder) ? await whyRefused(folder, search) : "it is not there";
    if (why === undefined) named.push(folder);
    else left.push({ folder, why });
  }
  for (const entry of entriesOf(env["PATH"] ?? "", named)) {
    // A PATH has many a folder that may come one day.
    if (!system.test(entry) && !existsSync(entry)) continue;
    // A link on the PATH that leads into a known place stands for that place.
    const found = find(entry, env, home, named) ?? find(realpathSync(entry), env, home, named);
    if (found === undefined && !isAdded(entry)) left.push({ folder: entry, why: "it is on no list of toolchains" });
    if (found === undefined) continue;
    wanted.push(found);
  }
  const { plain, staged, refused } = await judge(wanted, search);
  const inside: string[] = [];
  const told = toldBySystem(env);
  for (const { entry, folders, told: words } of wanted) {
    const folder = folders.find((each) => isWithin(each, entry)) ?? "";
    const why = refused.get(folder);
    if (why !== undefined) left.push({ folder: entry, why });
    else {
      inside.push(entry);
      Object.assign(told, words);
    }
  }
  const path = [...new Set([...inside, ...usual])].join(":");
  return { binds: withoutNested(plain), staged: withoutNested(staged), env: { ...told, PATH: path }, left };
}

/** Put on the PATH by npm, which starts us, or by whoever wants this very program: nobody misses either of them inside. */
function isAdded(entry: string): boolean {
  return entry.endsWith("/node_modules/.bin") || existsSync(join(entry, "signalbox"));
}

/** The folders that a person has named. One that is no folder of its own cannot be meant. */
function readNamed(env: Env): string[] {
  const said = (env[toolchainsVariable] ?? "").split(":").filter((each) => each !== "");
  return said.map((each) => {
    if (isAbsolute(each) && normalize(each) !== "/") return normalize(each).replace(/\/$/, "");
    const message = `${toolchainsVariable} has "${each}"; it may have whole paths of folders, with a colon between them`;
    throw new Fault("bad-setting", { retry: "never", message });
  });
}

/** What is on the PATH, and what was named without being on it. */
function entriesOf(path: string, named: readonly string[]): ReadonlySet<string> {
  const entries = path
    .split(":")
    .flatMap((each) => (isAbsolute(each) ? [normalize(each).replace(/(?<=.)\/$/, "")] : []));
  const besides = named.filter((folder) => !entries.some((entry) => isWithin(folder, entry)));
  return new Set([
    ...entries,
    ...besides.map((folder) => (existsSync(join(folder, "bin")) ? join(folder, "bin") : folder)),
  ]);
}

function find(entry: string, env: Env, home: string, named: readonly string[]): Wanted | undefined {
  if (system.test(entry)) return { entry, folders: [], isOwn: false, told: {} };
  const own = named.filter((folder) => isWithin(folder, entry));
  if (own.length > 0) return { entry, folders: own, isOwn: true, told: {} };
  for (const known of knownToolchains) {
    const isHere = (root: string): boolean => isWithin(root, entry) && known.onPath.test(relative(root, entry));
    const root = rootsOf(known, env, home).find(isHere);
    if (root === undefined) continue;
    const placed: { part: Part; root: string }[] = [{ part: known, root }];
    for (const part of known.with ?? []) placed.push({ part, root: rootsOf(part, env, home)[0] ?? "" });
    return {
      entry,
      folders: placed.flatMap(({ part, root }) => part.shown.map((name) => join(root, name)).filter(existsSync)),
      isOwn: true,
      told: Object.fromEntries(placed.flatMap(({ part, root }) => (part.told ? [[part.told, root]] : []))),
    };
  }
  const place = whole.exec(entry)?.[1];
  return place === undefined ? undefined : { entry, folders: [place], isOwn: false, told: {} };
}

/** Where a part of a toolchain may be: where the person says that it is, or where it usually is. */
function rootsOf({ root, variable, told }: Part, env: Env, home: string): string[] {
  const said = env[variable ?? told ?? ""] ?? "";
  return [...(isAbsolute(said) ? [normalize(said).replace(/(?<=.)\/$/, "")] : []), join(home, root)];
}

/** What stands in a folder of the system is told as the person has it: they have said where it is to be found. */
function toldBySystem(env: Env): Record<string, string> {
  const names = knownToolchains.flatMap((known) => [known, ...(known.with ?? [])].flatMap(({ told }) => told ?? []));
  return Object.fromEntries(names.flatMap((name) => (system.test(env[name] ?? "") ? [[name, env[name] ?? ""]] : [])));
}

async function judge(wanted: readonly Wanted[], search: ToolchainSearch): Promise<Verdict> {
  const plain = new Set<string>();
  const refused = new Map<string, string>();
  const closed: string[] = [];
  const owns = new Map<string, boolean>();
  for (const { folders, isOwn } of wanted) for (const each of folders) owns.set(each, isOwn);
  for (const [folder, isOwn] of owns) {
    const why = (await whyNotApart(folder, search)) ?? (isOwn ? await whyNotShown(folder) : undefined);
    if (why !== undefined) refused.set(folder, why);
    else if (await search.canRead(folder)) plain.add(folder);
    else closed.push(folder);
  }
  const staged = new Set(await search.canReadStaged(closed));
  for (const folder of closed) if (!staged.has(folder)) refused.set(folder, "agents may not read it");
  return { plain, staged, refused };
}

async function whyRefused(folder: string, search: ToolchainSearch): Promise<string | undefined> {
  return (await whyNotApart(folder, search)) ?? whyNotShown(folder);
}

/** Wherever it is said to be: a home, or something of ours, may stand among programs that come as a whole, too. */
async function whyNotApart(folder: string, { home, check }: ToolchainSearch): Promise<string | undefined> {
  if (isWithin(realpathSync(folder), realpathSync(home))) return "your home is in it";
  try {
    await check(folder);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
  return undefined;
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function withoutNested(folders: ReadonlySet<string>): string[] {
  const all = [...folders];
  return all.filter((each) => !all.some((other) => other !== each && isWithin(other, each))).toSorted();
}
