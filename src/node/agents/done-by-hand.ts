// What people and other agents did to an agent of which the log says nothing: secrets that it has were given anew, and commands
// were run in it. A failure may come from it, so it is told with one (AG71).

import { basename } from "node:path";
import type { Agent, AgentChange } from "../../core/agent/agent-state.ts";
import { secretsIn } from "../../core/agent/agent-spec.ts";
import type { State } from "../../core/state.ts";
import type { SecretStore } from "../../ports/secret-store.ts";
import { toEngineMs } from "../../protocol/wall-time.ts";

const commandsMax = 4;
const wordMax = 40;

type Link = { readonly state: () => Pick<State, "agents" | "openings">; readonly nowMs: () => number };

export class DoneByHand {
  readonly #secrets: Pick<SecretStore, "list">;
  readonly #link: Link;
  /** By agent. A daemon that comes later knows nothing of them. */
  readonly #commands = new Map<string, readonly AgentChange[]>();

  constructor(secrets: Pick<SecretStore, "list">, link: Link) {
    this.#secrets = secrets;
    this.#link = link;
  }

  /** Only which program it was: what else was said may be a secret. */
  noteCommand(agent: string, program: string): void {
    const [{ agents }, atMs] = [this.#link.state(), this.#link.nowMs()];
    const what = `${basename(program).slice(0, wordMax)} was run in it by hand`;
    const before = this.#commands.get(agent) ?? [];
    // A command that is run again and again is told once, as it was last.
    const others = before.filter((each) => each.what !== what);
    this.#commands.set(agent, [...others, { kind: "command", what, atMs } as const].slice(-commandsMax));
    for (const known of this.#commands.keys()) if (!agents.has(known)) this.#commands.delete(known);
  }

  /** The oldest first. */
  async of({ id, spec, madeAtMs }: Agent): Promise<AgentChange[]> {
    const { openings } = this.#link.state();
    const names = new Set(secretsIn(spec.env, ...spec.services.map(({ env }) => env)));
    // What cannot be read is not told; who needs it says so.
    const kept = names.size === 0 ? [] : await this.#secrets.list().catch(() => []);
    const secrets = kept.flatMap(({ name, setAtMs }): AgentChange[] => {
      const atMs = Math.floor(toEngineMs(openings, setAtMs));
      if (!names.has(name) || atMs <= madeAtMs) return [];
      return [{ kind: "secret", what: `the secret ${name} was given anew`, atMs }];
    });
    return [...secrets, ...(this.#commands.get(id) ?? [])].toSorted((a, b) => a.atMs - b.atMs);
  }
}
