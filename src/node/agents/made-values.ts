// Values that a template has made up for each agent: passwords and keys of its own services. Each is made once and kept
// beside the agent's other things on this machine, also while the template does not have it; the log never sees them.

import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../../core/agent/agent-spec.ts";
import { swapDurably } from "../../os/durable-file.ts";
import { isErrno } from "../../os/errno.ts";

type Values = Readonly<Record<string, string>>;

export class MadeValues {
  readonly #folder: string;
  /** By agent, the last that was asked of it: two at a time would make up two values for one name. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  of(agent: string, spec: AgentSpec): Promise<Values> {
    const wanted = Object.entries(spec.env).flatMap(([name, value]) =>
      typeof value === "object" && "generate" in value ? [[name, value.bytes] as const] : [],
    );
    return wanted.length === 0 ? Promise.resolve({}) : this.#inTurn(agent, () => this.#complete(agent, wanted));
  }

  forget(agent: string): Promise<void> {
    return this.#inTurn(agent, async () => {
      const file = this.#fileOf(agent);
      for (const each of [file, `${file}.new`]) await rm(each, { force: true });
    });
  }

  /** A template that was read anew may want more than was made up so far. */
  async #complete(agent: string, wanted: readonly (readonly [name: string, bytes: number])[]): Promise<Values> {
    const file = this.#fileOf(agent);
    const known = await readValues(file);
    const missing = wanted.filter(([name]) => !Object.hasOwn(known, name));
    if (missing.length === 0) return known;
    const made = missing.map(([name, bytes]) => [name, randomBytes(bytes).toString("hex")] as const);
    const all = { ...known, ...Object.fromEntries(made) };
    await swapDurably(file, JSON.stringify(all));
    return all;
  }

  async #inTurn<T>(agent: string, act: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(agent) ?? Promise.resolve()).then(act);
    const over = turn.catch(() => undefined);
    this.#turns.set(agent, over);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(agent) === over) this.#turns.delete(agent);
    }
  }

  #fileOf(agent: string): string {
    return join(this.#folder, `${agent}.json`);
  }
}

/** One that cannot be read is not one that is not there: in its place others would be made up. */
async function readValues(file: string): Promise<Values> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Values;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return {};
    throw error;
  }
}
