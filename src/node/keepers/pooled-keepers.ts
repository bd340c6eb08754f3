// The keepers of this machine by the agents they keep. Whoever was started by an earlier daemon is found by its record.

import { Fault } from "../../base/fault.ts";
import {
  type CageOrder,
  keeperProtocol,
  keeperProtocolOldest,
  type KeeperOp,
  type WorkspaceOrder,
} from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperAhead, KeeperLine, Keepers } from "../workspace/keepers.ts";
import type { KeeperClient } from "./keeper-client.ts";
import { type FoundKeeper, type KeeperPool, livesIn, readRecord, waitUntilGone } from "./keeper-pool.ts";

const openMsMax = 30_000;
const goneMsMax = 1000;
/** How often a request is made when its answer was lost. */
const triesMax = 3;

/** How long a keeper may be silent. */
export type KeeperPatience = {
  /** How often one is asked for a sign of life while somebody waits for it. */
  readonly lookEveryMs: number;
  /** After which it counts as hung, and is killed. */
  readonly silentMsMax: number;
  /** Beyond the grace: making sure of the end takes a moment. */
  readonly endMsMax: number;
};

const usualPatience: KeeperPatience = { lookEveryMs: 30_000, silentMsMax: 60_000, endMsMax: 15_000 };

export class PooledKeepers implements Keepers {
  readonly #pool: KeeperPool;
  readonly #patience: KeeperPatience;
  readonly #lines = new Map<string, PooledLine>();

  constructor(pool: KeeperPool, patience: KeeperPatience = usualPatience) {
    this.#pool = pool;
    this.#patience = patience;
  }

  async open(order: CageOrder, ahead?: KeeperAhead): Promise<KeeperLine> {
    const lent = ahead instanceof LentKeeper ? ahead : undefined;
    const line = new PooledLine(this.#pool, order, this.#patience, lent);
    await line.open();
    this.#lines.set(order.agent, line);
    return line;
  }

  async ahead(workspace: WorkspaceOrder): Promise<KeeperAhead | undefined> {
    // Nobody waits for this: one that is thrown away is made up for first.
    await this.#pool.fill();
    const client = await this.#pool.lend();
    if (client === undefined) return undefined;
    try {
      await client.request({ op: "prepare", workspace }, { timeoutMs: openMsMax });
      return new LentKeeper(this.#pool, client);
    } catch (error) {
      await this.#pool.takeBack(client);
      throw error;
    }
  }

  async end(agent: string, graceMs: number): Promise<void> {
    // From here on nobody gets another keeper for it by asking for something.
    await this.#lines.get(agent)?.end();
    this.#lines.delete(agent);
    for (const { agent: of, alive, client, folder } of this.#pool.find()) {
      if (of !== agent) continue;
      // Its answer may be lost with it; what counts is that it is gone.
      const { endMsMax } = this.#patience;
      if (alive) await client.close(graceMs, { timeoutMs: graceMs + endMsMax }).catch(() => undefined);
      client.disconnect();
      if (!(await waitUntilGone(folder, endMsMax)) && !(await this.#pool.kill(folder))) {
        throw new Fault("keeper-unavailable", { retry: "later", message: `the keeper of ${agent} does not end` });
      }
      this.#pool.discard(folder);
    }
  }
}

class LentKeeper implements KeeperAhead {
  readonly #pool: KeeperPool;
  readonly #client: KeeperClient;

  constructor(pool: KeeperPool, client: KeeperClient) {
    this.#pool = pool;
    this.#client = client;
  }

  get isAlive(): boolean {
    return livesIn(this.#client.folder);
  }

  /** The keeper for its agent. From here on it is no business of the pool. */
  pass(): KeeperClient {
    this.#pool.pass(this.#client);
    return this.#client;
  }

  discard(): Promise<void> {
    return this.#pool.takeBack(this.#client);
  }
}

class PooledLine implements KeeperLine {
  readonly #pool: KeeperPool;
  readonly #order: CageOrder;
  readonly #patience: KeeperPatience;
  #isLooking = false;
  #client: Promise<KeeperClient> | undefined;
  #isOver = false;
  #lent: LentKeeper | undefined;
  #folder: string | undefined;

  constructor(pool: KeeperPool, order: CageOrder, patience: KeeperPatience, lent: LentKeeper | undefined) {
    this.#pool = pool;
    this.#order = order;
    this.#patience = patience;
    this.#lent = lent;
  }

  get folder(): string | undefined {
    return this.#folder;
  }

  async open(): Promise<void> {
    await this.#reach();
  }

  /** Calls, places and everything else may be asked for twice: the keeper knows them by their names. */
  async request(op: KeeperOp, signal?: AbortSignal): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      const client = await this.#reach();
      const looking = setInterval(() => void this.#look(client), this.#patience.lookEveryMs);
      looking.unref();
      try {
        return await client.request(op, { signal });
      } catch (error) {
        const isLost = error instanceof Fault && error.code === "keeper-unavailable";
        if (!isLost || tries === triesMax) throw error;
        // One that was killed is there for a moment longer than its socket.
        if (!this.#isOver) await waitUntilGone(client.folder, goneMsMax);
      } finally {
        clearInterval(looking);
      }
    }
  }

  /** A keeper that hangs would keep everybody waiting who asked it for something: then it is lost, like one that died. */
  async #look(client: KeeperClient): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (await isSilent(client, this.#patience.silentMsMax)) await this.#pool.kill(client.folder);
    } finally {
      this.#isLooking = false;
    }
  }

  close(): void {
    this.#isOver = true;
    void this.#client?.then((client) => client.disconnect()).catch(() => undefined);
  }

  /** As close, when whatever is being opened for it is there and can be ended. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#client?.catch(() => undefined);
    this.close();
  }

  async #reach(): Promise<KeeperClient> {
    for (;;) {
      if (this.#isOver) throw gone(this.#order.agent);
      const held = this.#client ?? this.#begin();
      const client = await held;
      // Whoever answered just now need not be looked up: one that has died since is heard of with the request.
      if (client.isConnected || livesIn(client.folder)) {
        this.#folder = client.folder;
        return client;
      }
      client.disconnect();
      // Of all who waited for the one that was lost, the first gets the next one.
      if (this.#client === held) void this.#begin();
    }
  }

  #begin(): Promise<KeeperClient> {
    const taking = this.#take();
    this.#client = taking;
    taking.catch(() => {
      if (this.#client === taking) this.#client = undefined;
    });
    return taking;
  }

  /** Takes the agent's keeper, or a new one, and has it make the place: where that was done, nothing happens. */
  async #take(): Promise<KeeperClient> {
    const { agent } = this.#order;
    let known: KeeperClient | undefined;
    this.#pool.tidy();
    for (const found of this.#pool.find()) {
      if (found.agent !== agent) continue;
      if (!found.alive) this.#pool.discard(found.folder);
      else if (isSpoken(found.protocol)) known = found.client;
      else throw otherRelease(found);
    }
    const lent = this.#lent;
    this.#lent = undefined;
    // One that was lost meanwhile has let go of what it had mounted.
    const ahead = lent?.isAlive === true && known === undefined ? lent.pass() : undefined;
    if (ahead === undefined) await lent?.discard();
    const client = known ?? ahead ?? (await this.#pool.take());
    try {
      await client.open(this.#order, { timeoutMs: openMsMax });
      return client;
    } catch (error) {
      // One that was there before may have commands under way.
      if (known === undefined) await client.close(0, { timeoutMs: this.#patience.endMsMax }).catch(() => undefined);
      client.disconnect();
      // Whoever was there before, or made something ready, and was lost then or about to leave, is no reason to fail: another
      // keeper makes it anew.
      const isLost = error instanceof Fault && error.code === "keeper-unavailable";
      const wasThere = client === known || client === ahead;
      if (!wasThere || !isLost || !(await waitUntilGone(client.folder, goneMsMax))) throw error;
      return this.#take();
    }
  }
}

/** No answer, and no news of its end either: that is told to those who wait by itself. */
function isSilent(client: KeeperClient, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms);
    const heard = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    client.hello().then(heard, heard);
  });
}

function isSpoken(protocol: number): boolean {
  return protocol >= keeperProtocolOldest && protocol <= keeperProtocol;
}

/** Another keeper beside it would have the same files, and what runs would be lost with it: so nobody but a person ends it. */
function otherRelease({ agent, protocol, folder }: FoundKeeper): Fault {
  const pid = readRecord(folder)?.pid;
  const age = protocol > keeperProtocol ? "a later" : "an earlier";
  const message = `the keeper of ${agent} (process ${pid}) was started by ${age} release of Signalbox, and this one does not speak its protocol ${protocol}. It goes on with everything that runs in it. Start that release again; or end process ${pid}, and with it what runs there`;
  return new Fault("keeper-other-release", { retry: "later", message });
}

function gone(agent: string): Fault {
  return new Fault("keeper-gone", { retry: "later", message: `nothing more can be done for ${agent}` });
}
