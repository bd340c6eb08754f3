// Folders, files and sockets of runs and agents that are gone. Each lies in a folder of this home under its owner's id. What
// may have work in it that nobody has seen is for a person to decide.

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "../../core/project/project.ts";
import type { State } from "../../core/state.ts";
import { removeTree } from "../../os/remove-tree.ts";
import { leftIn } from "../left-workspaces.ts";
import { isStillTried, trialBegin } from "../trial-folder.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import type { Found, Owners } from "./found.ts";

export type FilesGround = Owners & {
  /** Where agents live, and where the node has what it keeps itself. */
  readonly ground: string;
  readonly node: string;
  readonly state: () => State;
  readonly workspaces: Pick<Workspaces, "list" | "remove" | "isUntouched" | "kept" | "done">;
  /** When this daemon was started, as time of day. */
  readonly startedAtMs: number;
};

type Kept = {
  readonly folder: string;
  /** What comes after the owner's id in a name. */
  readonly ending: string;
  readonly what: string;
  /** Whether it is for those alone that are not over. */
  readonly whileAlive: boolean;
};

const idPattern = /^[ra]_[0-9a-z]+$/;
/** Names of what we make for a moment and take away again. */
const fleeting = [
  { folder: "", begin: trialBegin },
  { folder: "images", begin: "context-" },
  { folder: "images", begin: "build-" },
] as const;

export async function auditFiles(ground: FilesGround): Promise<Found[]> {
  return [
    ...(await workspacesOf(ground)),
    ...(await keptWholeOf(ground)),
    ...(await keptOf(ground)),
    ...(await fleetingOf(ground)),
  ];
}

async function workspacesOf(ground: FilesGround): Promise<Found[]> {
  const { workspaces } = ground;
  const all = (await workspaces.list()).filter((name) => !ground.owns(name));
  const done = await workspaces.done.among(all);
  const isKept = (name: string): boolean =>
    ground.state().runs.get(name)?.state === "done" && done.some(({ agent }) => agent === name);
  const names = all.filter((name) => !isKept(name));
  const left = new Map(leftIn(ground.state(), names, done).map(({ agent, project }) => [agent, project]));
  const found: Found[] = [];
  for (const name of names) {
    const path = join(ground.ground, "agents", name);
    const base = { kind: "workspace", what: path, sinceMs: await madeAtMs(path) } as const;
    const project = left.get(name);
    if (project !== undefined) found.push({ ...base, ...toLeft(ground, name, project) });
    else if (await workspaces.isUntouched(name))
      found.push({
        ...base,
        why: `it lies among this home's workspaces, the log knows no ${name}, and nothing was ever changed in it`,
        advice: null,
        reap: { would: "remove it", act: () => remove(path) },
      });
    else
      found.push({
        ...base,
        why: `it lies among this home's workspaces, and the log knows no ${name}`,
        advice: "it may have work in it that nobody has seen: save what is wanted, then remove the folder",
        reap: null,
      });
  }
  return found;
}

/** What keepers were lost over (EN53). Nobody but a person takes it away. */
async function keptWholeOf({ workspaces }: FilesGround): Promise<Found[]> {
  return Promise.all(
    workspaces.kept.list().map(async ({ run, path }): Promise<Found> => ({
      ...{ kind: "workspace", what: path, sinceMs: await madeAtMs(path) },
      why: `${run} has ended, and its workspace could not be looked through: keepers were lost over it`,
      advice:
        "it may have work in it that nobody has seen (in upper, or in clone/files): save what is wanted, then remove the folder",
      reap: null,
    })),
  );
}

function toLeft({ workspaces }: FilesGround, agent: string, project: Project): Pick<Found, "why" | "advice" | "reap"> {
  return {
    why: `${agent} is over, and what it had changed is safe`,
    advice: null,
    reap: {
      would: "remove it, and what it stood on where nobody else does",
      act: async () => {
        await workspaces.remove(agent, project);
        return "it was removed";
      },
    },
  };
}

async function keptOf(ground: FilesGround): Promise<Found[]> {
  const { runs, agents } = ground.state();
  const found: Found[] = [];
  for (const { folder, ending, what, whileAlive } of keptBy(ground)) {
    for (const name of await namesIn(folder)) {
      const owner = name.endsWith(ending) ? name.slice(0, name.length - ending.length) : "";
      if (!idPattern.test(owner) || ground.owns(owner)) continue;
      if (!whileAlive && (runs.has(owner) || agents.has(owner))) continue;
      const path = join(folder, name);
      found.push({
        kind: "files",
        what: path,
        sinceMs: await madeAtMs(path),
        why: `${what} of ${owner}, ${runs.has(owner) ? "which is over" : "which the log does not know any more"}`,
        advice: null,
        reap: { would: "remove it", act: () => remove(path) },
      });
    }
  }
  return found;
}

function keptBy({ ground, node }: FilesGround): Kept[] {
  return [
    { folder: join(node, "calls"), ending: "", what: "what commands said", whileAlive: false },
    { folder: join(node, "models"), ending: "", what: "what models were asked", whileAlive: false },
    { folder: join(node, "made-values"), ending: ".json", what: "made-up values", whileAlive: false },
    { folder: join(ground, "homes"), ending: "", what: "the kept conversation", whileAlive: false },
    { folder: join(ground, "ways"), ending: ".sock", what: "a way out of the cage", whileAlive: true },
    { folder: join(ground, "joins"), ending: "", what: "the way in for joined agents", whileAlive: false },
    { folder: join(ground, "gates"), ending: ".door", what: "a way to the door", whileAlive: true },
  ];
}

/** What a daemon before this one was in the middle of. */
async function fleetingOf({ ground, startedAtMs }: FilesGround): Promise<Found[]> {
  const found: Found[] = [];
  for (const { folder, begin } of fleeting) {
    for (const name of await namesIn(join(ground, folder))) {
      const path = join(ground, folder, name);
      const sinceMs = name.startsWith(begin) ? await madeAtMs(path) : null;
      if (sinceMs === null || sinceMs >= startedAtMs || (await isStillTried(path))) continue;
      found.push({
        ...{ kind: "temp", what: path, sinceMs },
        why: "a daemon or a command of this home made it for a moment, and ended before it could take it away",
        advice: null,
        reap: { would: "remove it", act: () => remove(path) },
      });
    }
  }
  return found;
}

async function remove(path: string): Promise<string> {
  await removeTree(path);
  return "it was removed";
}

async function madeAtMs(path: string): Promise<number | null> {
  return (await lstat(path).catch(() => undefined))?.ctimeMs ?? null;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((): string[] => []);
}
