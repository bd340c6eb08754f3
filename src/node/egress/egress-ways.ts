// The ways out of the cages of this node: one forwarder per agent that has a network. A way is made with the agent's cage,
// made again by a daemon that comes after, and gone with the agent.

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { socketPathBytesMax } from "../../base/socket-path.ts";
import { Turns } from "../../base/turns.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import type { RunEgress } from "../../core/egress/egress.ts";
import type { EgressInput, EgressOwner, EgressTenant } from "../../core/egress/egress-events.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Bridge } from "../../protocol/keeper/keeper-wire.ts";
import { listenAt } from "../listen-at.ts";
import type { CallableFace } from "./face-calls.ts";
import { Forwarder } from "./forwarder.ts";
import { Ledger } from "./ledger.ts";
import type { Resolve } from "./reach.ts";

export type EgressWaysOptions = {
  /** Where the sockets are. Whoever keepers run as must be able to walk there. */
  readonly folder: string;
  /** Who may connect to them. */
  readonly owner: { readonly uid: number; readonly gid: number };
  readonly clock: Pick<Clock, "setTimer">;
  readonly resolve: Resolve;
  /** Faces of agents by their labels; left out, there are none. */
  readonly faces?: (label: string) => CallableFace | undefined;
};

/** Whose way it is. */
export type Traveller = {
  readonly owner: EgressOwner;
  /** As people call it: a run by its id, an agent by its name. */
  readonly name: string;
  /** What the way itself is called where its owner has another one. */
  readonly way?: string;
  readonly project: () => string;
  readonly egress: () => RunEgress;
  /** Whether it may call a face of an agent, and in an agent by which run's profile; left out, it may not call any. */
  readonly mayCall?: (agent: Agent, face: string) => boolean | EgressTenant;
  /** Resolves with whether it is durable. */
  readonly report: (input: EgressInput) => Promise<boolean>;
};

/** What a cage needs to have for it. */
export type Ways = { readonly bridges: readonly Bridge[]; readonly env: Readonly<Record<string, string>> };

const insidePort = 31_128;

type Way = { readonly forwarder: Forwarder; readonly ledger: Ledger };

export class EgressWays {
  readonly #options: EgressWaysOptions;
  readonly #ways = new Map<string, Way>();
  /** By run: one way is gone before the next one is made. */
  readonly #turns = new Turns();
  #isClosed = false;

  constructor(options: EgressWaysOptions) {
    this.#options = options;
  }

  /** Makes the way of a run or an agent, or finds it. */
  async open(traveller: Traveller): Promise<Ways> {
    const run = traveller.way ?? idOf(traveller.owner);
    const socket = this.#socketOf(run);
    if (Buffer.byteLength(socket) > socketPathBytesMax) {
      const message = `${socket} is too long a path for a socket: put the daemon's home elsewhere`;
      throw new Fault("home-too-long", { retry: "never", message });
    }
    await this.#turns.take(run, async () => {
      // Nobody would ever end it, and the process would stay for it.
      if (this.#isClosed) throw new Fault("closing", { retry: "later", message: "the daemon is ending" });
      if (!this.#ways.has(run)) this.#ways.set(run, await this.#make(traveller, socket));
    });
    return { bridges: [{ port: insidePort, socket }], env: forwarderEnv };
  }

  /** Ends the way of a run. What passed is told by then. */
  end(run: string): Promise<void> {
    return this.#turns.take(run, async () => {
      const way = this.#ways.get(run);
      this.#ways.delete(run);
      await way?.forwarder.close();
      await way?.ledger.close();
      await rm(this.#socketOf(run), { force: true });
    });
  }

  /** Ends calls of faces from there that may not be made any more. */
  recheckFaces(run: string): void {
    this.#ways.get(run)?.forwarder.recheckFaces();
  }

  /** Takes away what an earlier daemon left. */
  async clear(): Promise<void> {
    const names = await readdir(this.#options.folder).catch((): string[] => []);
    for (const name of names) {
      const run = name.replace(/\.sock$/, "");
      await this.#turns.take(run, async () => {
        if (!this.#ways.has(run)) await rm(join(this.#options.folder, name), { force: true });
      });
    }
  }

  /** Ends all ways, also those that are just being made. There are none any more afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#turns.keys(), ...this.#ways.keys()].map((run) => this.end(run)));
  }

  #socketOf(run: string): string {
    return join(this.#options.folder, `${run}.sock`);
  }

  async #make({ owner: whose, name, project, egress, report, mayCall }: Traveller, socket: string): Promise<Way> {
    const { folder, owner, clock, resolve } = this.#options;
    const ledger = new Ledger(whose, report, clock);
    const whom = { kind: "run" in whose ? "run" : "agent", name } as const;
    const find = (label: string): CallableFace | undefined => {
      const found = this.#options.faces?.(label);
      const may = found === undefined ? false : (mayCall?.(found.agent, found.face) ?? false);
      return found === undefined || may === false ? undefined : { ...found, ...(may === true ? {} : may) };
    };
    const faces = mayCall === undefined ? {} : { faces: find };
    const forwarder = new Forwarder({ ...whom, project, egress, resolve, ledger, ...faces });
    await mkdir(folder, { recursive: true, mode: 0o711 });
    await listenAt(forwarder.server, socket, owner);
    return { forwarder, ledger };
  }
}

function idOf(owner: EgressOwner): string {
  return "run" in owner ? owner.run : owner.agent;
}

/** How programs inside are told of the way out. */
export const forwarderEnv: Readonly<Record<string, string>> = proxyEnvironment(insidePort);

/** How programs are told of a forwarder. They do not agree on the spelling. */
function proxyEnvironment(port: number): Record<string, string> {
  const forwarder = `http://127.0.0.1:${port}`;
  // Services of joined agents are reached by bridges of their own.
  const none = "localhost,127.0.0.1,::1,.agents";
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
  return {
    ...Object.fromEntries(names.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, forwarder])),
    ...{ NO_PROXY: none, no_proxy: none },
    ...{ npm_config_proxy: forwarder, npm_config_https_proxy: forwarder, npm_config_noproxy: none },
    // Node's own fetch looks at the environment only when it is told to.
    NODE_USE_ENV_PROXY: "1",
  };
}
