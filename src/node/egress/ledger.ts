// What is written down of the connections of one run or agent. The first ones to each host are told one by one, before a byte passes;
// what comes after is counted and told now and then, so that no run can fill the log.

import {
  otherHosts,
  type EgressInput,
  type EgressOwner,
  type EgressRefusal,
  type EgressTenant,
} from "../../core/egress/egress-events.ts";
import type { Target } from "../../core/egress/egress.ts";
import type { Clock } from "../../ports/clock.ts";

export const toldSinglyMax = 16;
export const hostsApartMax = 64;
const sumEveryMs = 30_000;

type Account = {
  readonly target: Target;
  readonly by: EgressTenant;
  told: number;
  connections: number;
  refusals: number;
  bytesOut: number;
  bytesIn: number;
};

export class Ledger {
  readonly #owner: EgressOwner;
  readonly #report: (input: EgressInput) => Promise<boolean>;
  readonly #clock: Pick<Clock, "setTimer">;
  readonly #accounts = new Map<string, Account>();
  readonly #others = makeAccount(otherHosts);
  /** The run by whose profile something was called last. */
  #tenant: string | undefined;
  #cancel: (() => void) | undefined;

  constructor(owner: EgressOwner, report: (input: EgressInput) => Promise<boolean>, clock: Pick<Clock, "setTimer">) {
    this.#owner = owner;
    this.#report = report;
    this.#clock = clock;
  }

  /** A connection that was tried. False when it could not be written down: then it must not be. */
  async tried(
    target: Target,
    address: string | null,
    refused: EgressRefusal | null,
    by: EgressTenant = {},
  ): Promise<boolean> {
    if (by.tenant !== undefined) await this.#letGoAllBut(by.tenant);
    const account = this.#accountOf(target, by);
    if (account !== this.#others && account.told < toldSinglyMax) {
      account.told++;
      return this.#report({ type: "egress.try", ...this.#owner, ...account.by, ...account.target, address, refused });
    }
    if (refused === null) account.connections++;
    else account.refusals++;
    this.#sumLater();
    return true;
  }

  /** A connection that is over. */
  async ended(target: Target, bytesOut: number, bytesIn: number, by: EgressTenant = {}): Promise<void> {
    const account = this.#accountOf(target, by);
    account.bytesOut += bytesOut;
    account.bytesIn += bytesIn;
    if (account !== this.#others && account.told < toldSinglyMax) await this.#sum(account);
    else this.#sumLater();
  }

  /** Tells what is not told yet. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const account of [...this.#accounts.values(), this.#others]) await this.#sum(account);
  }

  /** An agent lives longer than the runs in it: what was let by one that is over takes no place of others. */
  async #letGoAllBut(tenant: string): Promise<void> {
    if (this.#tenant === tenant) return;
    this.#tenant = tenant;
    for (const [key, account] of this.#accounts) {
      if (account.by.tenant === undefined || account.by.tenant === tenant) continue;
      this.#accounts.delete(key);
      await this.#sum(account);
    }
  }

  #accountOf(target: Target, by: EgressTenant): Account {
    const key = `${target.host}:${target.port} ${by.tenant ?? ""}`;
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    if (this.#accounts.size >= hostsApartMax) return this.#others;
    const account = makeAccount(target, by);
    this.#accounts.set(key, account);
    return account;
  }

  #sumLater(): void {
    this.#cancel ??= this.#clock.setTimer(sumEveryMs, () => {
      this.#cancel = undefined;
      void this.close();
    });
  }

  async #sum(account: Account): Promise<void> {
    const { target, by, connections, refusals, bytesOut, bytesIn } = account;
    if (connections + refusals + bytesOut + bytesIn === 0) return;
    Object.assign(account, { connections: 0, refusals: 0, bytesOut: 0, bytesIn: 0 });
    await this.#report({
      ...{ type: "egress.sum", ...this.#owner, ...by, host: target.host, port: target.port },
      ...{ connections, refusals, bytesOut, bytesIn },
    });
  }
}

function makeAccount({ host, port }: Target, { tenant }: EgressTenant = {}): Account {
  const by = tenant === undefined ? {} : { tenant };
  return { target: { host, port }, by, told: 0, connections: 0, refusals: 0, bytesOut: 0, bytesIn: 0 };
}
