// Values that a template has made up for each agent: passwords and keys of its own services. They are made once and kept
// beside the agent's other things on this machine; the log never sees them.

import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../../core/agent/agent-spec.ts";
import { writeDurably } from "../durable-file.ts";

export class MadeValues {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async of(agent: string, spec: AgentSpec): Promise<Record<string, string>> {
    const wanted = Object.entries(spec.env).flatMap(([name, value]) =>
      typeof value === "object" && "generate" in value ? [[name, value.bytes] as const] : [],
    );
    if (wanted.length === 0) return {};
    const file = this.#fileOf(agent);
    const known = await readFile(file, "utf8").catch(() => undefined);
    if (known !== undefined) return JSON.parse(known) as Record<string, string>;
    const made = Object.fromEntries(wanted.map(([name, bytes]) => [name, randomBytes(bytes).toString("hex")]));
    if (await writeDurably(file, JSON.stringify(made), "create")) return made;
    return this.of(agent, spec);
  }

  async forget(agent: string): Promise<void> {
    await rm(this.#fileOf(agent), { force: true });
  }

  #fileOf(agent: string): string {
    return join(this.#folder, `${agent}.json`);
  }
}
