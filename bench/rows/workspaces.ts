// Workspaces against worktrees: how soon one can be used, alone, after a landing and with its first status; what a diff
// costs; and a hundred at once.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Contender, Row, Work } from "../harness/contender.ts";
import { ownCpuMs } from "../harness/cpu.ts";
import { pathOf, type WorkspaceGround } from "../peers/workspace-ground.ts";
import type { RowMaker } from "./row-maker.ts";

const run = promisify(execFile);
const worktree = "git worktree add";
const landedFiles = 10;
const changedFiles = 20;
/** A round of so many at once takes minutes. */
const manyRoundsMax = 3;

/** Does something that counts between things that do not. */
type Turn = () => Promise<{ readonly ms: number; readonly ops?: number; readonly bytes?: number }>;

export const workspaceRows: readonly RowMaker[] = [
  ready("workspace-10k", 10_000),
  ready("workspace-100k", 100_000),
  {
    name: "workspace-landed",
    programs: [],
    make: async (peers, { filesMax }) => {
      const ground = await peers.workspaces(Math.min(10_000, filesMax));
      const title = `the first workspace after a landing of ${landedFiles} files, ${ground.files} files`;
      return row("workspace-landed", title, {
        ours: contender("signalbox", afterLanding(ground, makeOurs(ground))),
        theirs: contender(worktree, afterLanding(ground, makeTheirs(ground))),
      });
    },
  },
  {
    name: "workspace-status",
    programs: [],
    make: async (peers, { filesMax }) => {
      const ground = await peers.workspaces(Math.min(10_000, filesMax));
      return row(
        "workspace-status",
        `a workspace and its first git status, ${ground.files} files`,
        {
          ours: contender("signalbox", makeOurs(ground, ["git", "status", "--porcelain"])),
          theirs: contender(worktree, makeTheirs(ground, ["git", "status", "--porcelain"])),
        },
        2,
      );
    },
  },
  {
    name: "workspace-diff",
    programs: [],
    make: async (peers, { filesMax }) => diffRow(await peers.workspaces(Math.min(10_000, filesMax))),
  },
  {
    name: "workspace-100-live",
    programs: [],
    make: async (peers, { filesMax, workspaces }) => {
      const ground = await peers.workspaces(Math.min(1000, filesMax));
      const title = `${workspaces} workspaces at once, ${ground.files} files`;
      const made = row("workspace-100-live", title, {
        ours: contender("signalbox", manyOurs(ground, workspaces)),
        theirs: contender(worktree, manyTheirs(ground, workspaces)),
      });
      const comparisons = [...made.comparisons, { against: worktree, measure: "disk" }] as const;
      return { ...made, comparisons, roundsMax: manyRoundsMax };
    },
  },
];

function ready(name: string, files: number): RowMaker {
  return {
    name,
    programs: [],
    make: async (peers, { filesMax }) => {
      const ground = await peers.workspaces(Math.min(files, filesMax));
      const title = `a workspace that can be used, ${ground.files} files, with a keeper waiting`;
      const sides = {
        ours: contender("signalbox", makeOurs(ground)),
        theirs: contender(worktree, makeTheirs(ground)),
      };
      return row(name, title, sides, 30);
    },
  };
}

function row(
  name: string,
  title: string,
  { ours, theirs }: { readonly ours: Contender; readonly theirs: Contender },
  atLeast?: number,
): Row {
  const aim = atLeast === undefined ? {} : { aim: { atLeast } };
  return {
    ...{ name, title, ops: "workspaces", ours, others: [theirs], leftOut: [] },
    comparisons: [{ against: worktree, measure: "rate", ...aim }],
    close: () => undefined,
  };
}

function makeOurs(ground: WorkspaceGround, argv?: readonly string[]): Turn {
  return async () => {
    await ground.settle();
    const startMs = performance.now();
    const { agent, workspace } = await ground.make();
    if (argv !== undefined) await ground.command(workspace, "first", argv);
    const ms = performance.now() - startMs;
    await ground.remove(agent);
    return { ms };
  };
}

function makeTheirs(ground: WorkspaceGround, [program = "", ...args]: readonly string[] = []): Turn {
  return async () => {
    const startMs = performance.now();
    const folder = await ground.addWorktree();
    if (program !== "") await run(program, args, { cwd: folder });
    const ms = performance.now() - startMs;
    await ground.removeWorktree(folder);
    return { ms };
  };
}

function afterLanding(ground: WorkspaceGround, turn: Turn): Turn {
  return async () => {
    await ground.land(landedFiles);
    return turn();
  };
}

/** What was changed, with its bytes safe, against an index of it all. */
async function diffRow(ground: WorkspaceGround): Promise<Row> {
  const paths = Array.from({ length: Math.min(changedFiles, ground.files) }, (_, at) => pathOf(at));
  let round = 0;
  const change = (): string[] => ["sh", "-c", `for f in ${paths.join(" ")}; do echo ${round++} >> $f; done`];
  const { workspace } = await ground.make();
  const folder = await ground.addWorktree();
  const ours: Turn = async () => {
    await ground.command(workspace, `change-${round}`, change());
    const startMs = performance.now();
    const works = await workspace.alone(() => workspace.sweep());
    if (works.length !== paths.length) throw new Error(`${works.length} of ${paths.length} changes were found`);
    return { ms: performance.now() - startMs };
  };
  const theirs: Turn = async () => {
    const [program = "", ...args] = change();
    await run(program, args, { cwd: folder });
    const startMs = performance.now();
    await run("git", ["add", "--all"], { cwd: folder });
    await run("git", ["diff", "--cached", "--binary"], { cwd: folder, maxBuffer: 1 << 28 });
    return { ms: performance.now() - startMs };
  };
  return {
    ...row("workspace-diff", `what ${paths.length} changed files have become, ${ground.files} files`, {
      ours: contender("signalbox", ours),
      theirs: contender(worktree, theirs),
    }),
    ops: "diffs",
  };
}

function manyOurs(ground: WorkspaceGround, count: number): Turn {
  return async () => {
    await ground.settle();
    const startMs = performance.now();
    const agents: string[] = [];
    for (let at = 0; at < count; at++) agents.push((await ground.make()).agent);
    const ms = performance.now() - startMs;
    let bytes = 0;
    for (const agent of agents) bytes += await ground.bytesOf(await ground.folderOf(agent));
    for (const agent of agents) await ground.remove(agent);
    return { ms, bytes, ops: count };
  };
}

function manyTheirs(ground: WorkspaceGround, count: number): Turn {
  return async () => {
    const startMs = performance.now();
    const folders: string[] = [];
    for (let at = 0; at < count; at++) folders.push(await ground.addWorktree());
    const ms = performance.now() - startMs;
    let bytes = 0;
    for (const folder of folders) bytes += await ground.bytesOf(folder);
    for (const folder of folders) await ground.removeWorktree(folder);
    return { ms, bytes, ops: count };
  };
}

/** Counts only what a turn says; a warm-up is one turn, for each of them is whole. */
function contender(name: string, turn: Turn): Contender {
  const work = async (sliceMs: number): Promise<Work> => {
    const latenciesUs: number[] = [];
    let [ops, countedMs, bytes] = [0, 0, 0];
    do {
      const done = await turn();
      ops += done.ops ?? 1;
      countedMs += done.ms;
      bytes += done.bytes ?? 0;
      latenciesUs.push((1000 * done.ms) / (done.ops ?? 1));
    } while (countedMs < sliceMs);
    return { ops, errors: 0, latenciesUs, countedMs, bytes };
  };
  return { name, cpuMs: ownCpuMs, work };
}
