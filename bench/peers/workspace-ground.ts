// The parts of a node that make workspaces, as the daemon puts them together, on a repository of any size.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { GitMainlines } from "../../src/adapters/git/git-mainlines.ts";
import { entryOf, type Entry } from "../../src/core/landing/entry.ts";
import type { Project } from "../../src/core/project/project.ts";
import { GroundDisk } from "../../src/node/disk/ground-disk.ts";
import { Images } from "../../src/node/images/images.ts";
import { prepareGround, type AgentGround } from "../../src/node/keepers/agent-ground.ts";
import { chooseWorkspaces } from "../../src/node/keepers/choose-workspaces.ts";
import { KeeperPool } from "../../src/node/keepers/keeper-pool.ts";
import { PooledKeepers } from "../../src/node/keepers/pooled-keepers.ts";
import type { Workspace } from "../../src/node/workspace/workspace.ts";
import { Workspaces } from "../../src/node/workspace/workspaces.ts";
import type { Mainline } from "../../src/ports/mainline.ts";
import type { CommandEnd } from "../../src/protocol/keeper/keeper-wire.ts";

const run = promisify(execFile);
const filesPerFolder = 100;
const warmKeepers = 2;
const author = { name: "Ann", email: "ann@example.org" };

export class WorkspaceGround {
  /** The person's repository. */
  readonly root: string;
  readonly files: number;
  readonly #project: Project;
  readonly #pool: KeeperPool;
  readonly #mainline: Mainline;
  readonly #mainlines: GitMainlines;
  readonly #workspaces: Workspaces;
  #agents = 0;
  #worktrees = 0;

  private constructor(parts: {
    readonly files: number;
    readonly project: Project;
    readonly pool: KeeperPool;
    readonly mainline: Mainline;
    readonly mainlines: GitMainlines;
    readonly workspaces: Workspaces;
  }) {
    this.root = parts.project.root;
    this.files = parts.files;
    this.#project = parts.project;
    this.#pool = parts.pool;
    this.#mainline = parts.mainline;
    this.#mainlines = parts.mainlines;
    this.#workspaces = parts.workspaces;
  }

  static async open(parent: string, files: number): Promise<WorkspaceGround> {
    const home = fs.mkdtempSync(path.join(parent, "ground-"));
    const root = await makeRepository(path.join(home, "repository"), files);
    const ground = await prepareGround(home, path.join(home, "node"));
    const { folder, owner } = ground;
    const { kind, namespaces } = await chooseWorkspaces(undefined, ground);
    const mainlines = new GitMainlines({ folder: path.join(folder, "projects"), owner, stacked: kind === "overlay" });
    const pool = makePool(ground, namespaces);
    const workspaces: Workspaces = new Workspaces({
      folder: path.join(folder, "agents"),
      kind,
      keepers: new PooledKeepers(pool),
      mainlineOf: (project) => mainlines.of(project),
      disk: new GroundDisk({ folder }),
      warmFolder: null,
      owner,
      binds: [],
      env: { PATH: "/usr/bin:/bin" },
      images: new Images({
        label: "test",
        ...{ owner, as: ground.as, folder: path.join(folder, "images") },
        ...{ env: {}, wallMs: () => 0, pins: () => workspaces.pins() },
      }),
    });
    const project = toProject(root, await mainlines.adopt(root));
    return new WorkspaceGround({ files, project, pool, mainlines, workspaces, mainline: await mainlines.of({ root }) });
  }

  /** Keepers wait for agents, one with a workspace mounted, as they do while a daemon has nothing else to do. */
  async settle(): Promise<void> {
    await this.#pool.fill();
    await this.#workspaces.layAhead(this.#project);
  }

  /** A workspace of a new agent, at mainline's head. */
  async make(): Promise<{ readonly agent: string; readonly workspace: Workspace }> {
    const agent = `a${this.#agents++}`;
    return { agent, workspace: await this.#workspaces.of(agent, this.#project) };
  }

  remove(agent: string): Promise<void> {
    return this.#workspaces.remove(agent, this.#project);
  }

  /** Runs a command in the cage of a workspace, and says how it ended. */
  async command(workspace: Workspace, call: string, argv: readonly string[]): Promise<CommandEnd> {
    const { keeper } = workspace;
    await keeper.request({ op: "start", call, argv, cwd: null, env: {}, timeoutMs: null });
    const end = (await keeper.request({ op: "wait", call })) as CommandEnd;
    await workspace.forget(call);
    return end;
  }

  /** Lands some changed files, also on the person's branch. */
  async land(count: number): Promise<void> {
    const parent = await this.#mainline.head();
    const changes = new Map<string, Entry>();
    for (let at = 0; at < count; at++) {
      const blob = await this.#mainline.writeBlob(Buffer.from(`${parent} ${at}\n`));
      changes.set(pathOf((at * 37) % this.files), entryOf("100644", blob));
    }
    const order = { parents: [parent], changes, message: "landed", author: { ...author, atMs: Date.now() } };
    await this.#mainline.swap(parent, await this.#mainline.commit(order));
    await this.#mainline.publish();
  }

  /** What people would do instead. */
  async addWorktree(): Promise<string> {
    const folder = path.join(path.dirname(this.root), `worktree-${this.#worktrees++}`);
    await run("git", ["-C", this.root, "worktree", "add", "--quiet", "--detach", folder, "main"]);
    return folder;
  }

  async removeWorktree(folder: string): Promise<void> {
    await run("git", ["-C", this.root, "worktree", "remove", "--force", folder]);
  }

  /** Bytes on the disk of what an agent has, or of any other folder. */
  async bytesOf(folder: string): Promise<number> {
    const { stdout } = await run("du", ["-s", "-B1", folder]);
    return Number(stdout.split("\t")[0]);
  }

  async folderOf(agent: string): Promise<string> {
    return (await this.#workspaces.folders()).get(agent) ?? "";
  }

  async stop(): Promise<void> {
    await Promise.all((await this.#workspaces.list()).map((agent) => this.remove(agent)));
    await this.#pool.close();
    await this.#mainlines.close();
  }
}

/** The path of a file by its number. */
export function pathOf(at: number): string {
  return `src/part-${Math.floor(at / filesPerFolder)}/file-${at}.ts`;
}

function makePool({ folder, cache, as, main, node }: AgentGround, namespaces: boolean): KeeperPool {
  const keepers = { folder: path.join(folder, "keepers"), warm: warmKeepers, as, namespaces };
  return new KeeperPool({ ...keepers, cache, main, node });
}

function toProject(root: string, found: Awaited<ReturnType<GitMainlines["adopt"]>>): Project {
  return {
    ...{ id: "p_1", name: "bench", root, foldCase: false, processes: {}, source: found.source },
    ...{ landingTest: null, derived: [], egress: { kind: "none", allow: [] }, removed: false, image: null },
    ...{ mainline: found.commit, published: found.commit, notPublished: null },
  };
}

/** A repository with so many files of a few kilobytes, checked out. */
async function makeRepository(root: string, files: number): Promise<string> {
  await run("git", ["init", "--quiet", "--initial-branch=main", root]);
  for (const [key, value] of Object.entries({ "user.name": author.name, "user.email": author.email }))
    await run("git", ["-C", root, "config", key, value]);
  const importer = spawn("git", ["-C", root, "fast-import", "--quiet"], { stdio: ["pipe", "ignore", "inherit"] });
  const write = async (text: string): Promise<void> => {
    if (!importer.stdin.write(text)) await once(importer.stdin, "drain");
  };
  await write(`commit refs/heads/main\ncommitter Ann <ann@example.org> 1700000000 +0000\ndata 5\nbegun\n`);
  for (let at = 0; at < files; at++) {
    const text = `// ${at}\n${`export const value${at} = ${at};\n`.repeat(120)}`;
    await write(`M 100644 inline ${pathOf(at)}\ndata ${text.length}\n${text}\n`);
  }
  importer.stdin.end("\n");
  await once(importer, "exit");
  await run("git", ["-C", root, "reset", "--hard", "--quiet"]);
  return root;
}
