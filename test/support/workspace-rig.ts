// Real workspaces of one kind on a person's real repository: one rig for a whole suite, which ends it itself.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GitMainlines } from "../../src/adapters/git/git-mainlines.ts";
import type { Project } from "../../src/core/project/project.ts";
import { GroundDisk } from "../../src/node/disk/ground-disk.ts";
import type { Env } from "../../src/node/images/image-tool.ts";
import { Images } from "../../src/node/images/images.ts";
import { prepareGround, type AgentGround } from "../../src/node/keepers/agent-ground.ts";
import { KeeperPool } from "../../src/node/keepers/keeper-pool.ts";
import { PooledKeepers } from "../../src/node/keepers/pooled-keepers.ts";
import type { Workspace } from "../../src/node/workspace/workspace.ts";
import type { UsualLimits } from "../../src/node/workspace/usual-limits.ts";
import { Workspaces } from "../../src/node/workspace/workspaces.ts";
import type { Mainline } from "../../src/ports/mainline.ts";
import type { CommandEnd, WorkspaceOrder } from "../../src/protocol/keeper/keeper-wire.ts";
import type { Person } from "./git/person.ts";

const cache = join(import.meta.dirname, "../../.cache");

export type WorkspaceKind = WorkspaceOrder["kind"];

export class WorkspaceRig {
  readonly kind: WorkspaceKind;
  readonly folder: string;
  readonly pool: KeeperPool;
  readonly #agents: AgentGround;
  readonly #imageEnv: Env;
  #mainlines: GitMainlines;
  workspaces: Workspaces;
  #calls = 0;

  private constructor(kind: WorkspaceKind, folder: string, agents: AgentGround, imageEnv: Env, warm: number) {
    this.kind = kind;
    this.folder = folder;
    this.#agents = agents;
    this.#imageEnv = imageEnv;
    const { as, main, node } = agents;
    const where = {
      folder: join(agents.folder, "keepers"),
      cache: join(cache, `keepers-${agents.owner.uid}`),
      main,
      node,
    };
    this.pool = new KeeperPool({ ...where, warm, as, namespaces: true });
    this.#mainlines = this.#openMainlines(kind);
    this.workspaces = this.#openWorkspaces(kind);
  }

  /** Without a podman in the environment there are no images. */
  static async open(kind: WorkspaceKind, imageEnv: Env = { PATH: "/nowhere" }, warm = 1): Promise<WorkspaceRig> {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));
    return new WorkspaceRig(kind, folder, await prepareGround(folder, join(folder, "node")), imageEnv, warm);
  }

  /** A project in a folder of its own, with its person. */
  async project(name: string, person: (root: string) => Person): Promise<{ person: Person; project: Project }> {
    const root = join(this.folder, "people", name);
    const made = person(root);
    const { source, commit } = await this.#mainlines.adopt(root);
    const fresh = {
      foldCase: false,
      processes: {},
      landingTest: null,
      image: null,
      derived: [],
      notPublished: null,
      removed: false,
    };
    const egress = { kind: "list", allow: [] } as const;
    return {
      person: made,
      project: { id: `p_${name}`, name, root, source, mainline: commit, published: commit, egress, ...fresh },
    };
  }

  mainlineOf(project: Project): Promise<Mainline> {
    return this.#mainlines.of(project);
  }

  /** As after a restart of the daemon, perhaps with another kind for new ones. */
  async reopen(kind: WorkspaceKind = this.kind, usual?: UsualLimits): Promise<void> {
    this.workspaces.close();
    await this.#mainlines.close();
    this.#mainlines = this.#openMainlines(kind);
    this.workspaces = this.#openWorkspaces(kind, usual);
  }

  /** How a script ends inside. */
  async ended({ keeper }: Workspace, script: string): Promise<CommandEnd> {
    const call = `call-${++this.#calls}`;
    const argv = ["/bin/sh", "-c", script];
    await keeper.request({ op: "start", call, argv, cwd: null, env: {}, timeoutMs: 50_000 });
    return (await keeper.request({ op: "wait", call })) as CommandEnd;
  }

  /** What a script says inside. */
  async said(workspace: Workspace, script: string): Promise<string> {
    const end = await this.ended(workspace, script);
    assert.equal(end.exit, 0, end.tail);
    return end.tail;
  }

  /** A folder where agents live. */
  path(...names: readonly string[]): string {
    return join(this.#agents.folder, ...names);
  }

  /** What is on the disk of an agent. */
  left(agent: string): boolean {
    return existsSync(join(this.#agents.folder, "agents", agent));
  }

  /** The layers of all projects. */
  get layers(): string[] {
    const projects = join(this.#agents.folder, "projects");
    return readdirSync(projects).flatMap((name) =>
      readdirSync(join(projects, name, "layers")).filter((each) => /^[fd]-/.test(each)),
    );
  }

  async end(): Promise<void> {
    const keepers = new PooledKeepers(this.pool);
    this.workspaces.close();
    await this.#mainlines.close();
    for (const { agent } of this.pool.find()) await keepers.end(agent, 0);
    await this.pool.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #openMainlines(kind: WorkspaceKind): GitMainlines {
    const { folder, owner } = this.#agents;
    return new GitMainlines({ folder: join(folder, "projects"), owner, stacked: kind === "overlay" });
  }

  #openWorkspaces(kind: WorkspaceKind, usual?: UsualLimits): Workspaces {
    return new Workspaces({
      folder: join(this.#agents.folder, "agents"),
      kind,
      keepers: new PooledKeepers(this.pool),
      mainlineOf: (project) => this.#mainlines.of(project),
      disk: new GroundDisk({ folder: this.#agents.folder }),
      warmFolder: join(this.#agents.folder, "warm"),
      owner: this.#agents.owner,
      binds: [],
      env: {},
      ...(usual === undefined ? {} : { usual }),
      images: new Images({
        label: "test",
        ...{ owner: this.#agents.owner, as: this.#agents.as, folder: join(this.#agents.folder, "images") },
        ...{ env: this.#imageEnv, wallMs: () => 0, pins: () => this.workspaces.pins() },
      }),
    });
  }
}
