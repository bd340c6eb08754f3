// Ports of the agent behind which several services stand: whoever connects is brought to one of them, in turn. Who these are
// is said from outside, and may change at any moment: nobody is sent to one that is about to go.

import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { Fault } from "../../base/fault.ts";
import { type Connect, Refused } from "./dial.ts";

type Share = { to: readonly number[]; version: number; next: number; readonly leaving: Set<Promise<void>> };

/** How long one that is taken out may take to hear those who are connected to it already. */
const drainMsMax = 1000;
const lookEveryMs = 5;
/** As the kernel numbers them: one that listens has connections in its queue, one that is connected has bytes. */
const unheardStates = new Set(["0A", "01"]);

export class Shares {
  readonly #shares: ReadonlyMap<number, Share>;
  readonly #connect: Connect;
  /** A process in the agent's network, where there is one. */
  readonly #pidInside: () => number | undefined;
  /** Connections that are being made, by the port that they go to. */
  readonly #under = new Map<number, Set<Promise<unknown>>>();
  /** Those that were made. */
  readonly #carried = new Map<number, Set<Socket>>();

  constructor(ports: readonly number[], connect: Connect, pidInside: () => number | undefined) {
    this.#shares = new Map(ports.map((port) => [port, { to: [], version: 0, next: 0, leaving: new Set() }]));
    this.#connect = connect;
    this.#pidInside = pidInside;
  }

  has(port: number): boolean {
    return this.#shares.has(port);
  }

  /** Says who stands behind a port. Answers when nobody is on the way to those who do not any more. */
  async set(port: number, to: readonly number[], version: number): Promise<void> {
    const share = this.#shares.get(port);
    if (share === undefined)
      throw new Fault("bad-request", { retry: "never", message: `port ${port} is not one that is shared` });
    // Overtaken: somebody has said something newer.
    if (version < share.version) return;
    const gone = share.to.filter((each) => !to.includes(each));
    Object.assign(share, { to, version });
    const leaving = this.#letGo(gone).finally(() => share.leaving.delete(leaving));
    share.leaving.add(leaving);
    // Whoever says the same once more is waiting for the same: an answer would let somebody go who is still being called.
    await Promise.all(share.leaving);
  }

  async #letGo(ports: readonly number[]): Promise<void> {
    await Promise.allSettled(ports.flatMap((each) => [...(this.#under.get(each) ?? [])]));
    await this.#drain(ports);
  }

  /** A connection to one of those behind a port. One that cannot be reached is passed over. */
  async connect(port: number, signal: AbortSignal): Promise<Socket> {
    const share = this.#shares.get(port);
    const turn = share === undefined ? 0 : share.next++;
    const tried = new Set<number>();
    for (;;) {
      // Asked for anew each time: one of them may have been taken out since.
      const left = share?.to.filter((each) => !tried.has(each)) ?? [];
      const target = left[turn % left.length];
      if (target === undefined) throw new Refused(port);
      try {
        return await this.#dial(target, signal);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        tried.add(target);
      }
    }
  }

  async #dial(target: number, signal: AbortSignal): Promise<Socket> {
    const dialing = this.#connect(target, signal);
    const under = this.#under.get(target) ?? new Set();
    this.#under.set(target, under.add(dialing));
    try {
      const socket = await dialing;
      this.#keep(target, socket);
      return socket;
    } finally {
      under.delete(dialing);
    }
  }

  #keep(target: number, socket: Socket): void {
    const carried = this.#carried.get(target) ?? new Set();
    this.#carried.set(target, carried.add(socket));
    socket.once("close", () => carried.delete(socket));
  }

  /** Whoever was connected and not heard yet would be cut off when the service ends, as if nobody had been there. */
  async #drain(ports: readonly number[]): Promise<void> {
    const untilMs = performance.now() + drainMsMax;
    const isUnheard = (port: number): boolean =>
      [...(this.#carried.get(port) ?? [])].some(isSilent) || unheardAt(this.#pidInside(), port) > 0;
    while (performance.now() < untilMs && ports.some(isUnheard))
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** Nothing has gone through it yet. */
function isSilent({ bytesWritten, bytesRead, destroyed }: Socket): boolean {
  return !destroyed && bytesWritten === 0 && bytesRead === 0;
}

/** How much a service at a port has still to accept or to read, in the network of a process. */
function unheardAt(pid: number | undefined, port: number): number {
  if (pid === undefined) return 0;
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = ["tcp", "tcp6"].flatMap((kind) => readNet(pid, kind).split("\n").slice(1));
  const queues = rows.flatMap((row) => {
    const [, at = "", , state = "", both = ""] = row.trim().split(/\s+/);
    return at.endsWith(local) && unheardStates.has(state) ? [Number.parseInt(both.split(":")[1] ?? "0", 16)] : [];
  });
  return queues.reduce((sum, each) => sum + each, 0);
}

function readNet(pid: number, kind: string): string {
  try {
    return readFileSync(`/proc/${pid}/net/${kind}`, "latin1");
  } catch {
    // The network is gone, and everybody in it.
    return "";
  }
}
