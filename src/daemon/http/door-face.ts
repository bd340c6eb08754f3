// Each run's door at an address of its own, for as long as the run is not over.

import { mayUse } from "../../core/profile/profile.ts";
import type { Run } from "../../core/run/run-state.ts";
import { isOver } from "../../core/run/run-states.ts";
import { livesIn } from "../../core/state.ts";
import { makeMcpHttp, type McpHttp } from "../../mcp/http.ts";
import { type CallTool, makeDoorServer } from "../../node/model-door/door-server.ts";
import { doorTools } from "../../node/model-door/door-tools.ts";
import type { Named, ToolAnswer } from "../../node/model-door/model-door.ts";
import type { ModelDoors } from "../../node/model-door/model-doors.ts";
import { requestHeader } from "../../protocol/keeper/held-request.ts";
import type { DaemonParts } from "../parts.ts";

export function doorPathOf(run: string): string {
  return `/run/${run}/mcp`;
}

const doorToolNames = new Set(doorTools.map(({ name }) => name));
const doorPath = /^\/run\/([^/?#]+)\/mcp$/;

/** The run at whose door a path leads. */
export function runOfDoorPath(path: string): string | undefined {
  return doorPath.exec(path)?.[1];
}

export class DoorFace {
  readonly #doors: ModelDoors;
  readonly #parts: Pick<DaemonParts, "engine" | "version" | "inventory">;
  readonly #open = new Map<string, { readonly runner: string; readonly door: McpHttp }>();

  constructor(doors: ModelDoors, parts: Pick<DaemonParts, "engine" | "version" | "inventory">) {
    this.#doors = doors;
    this.#parts = parts;
  }

  /** The tools of a run, for whoever has a token of it. */
  async toolsFor(run: string, token: string): Promise<{ has(tool: string): boolean } | undefined> {
    const found = await this.#admit(run, token);
    return found && { has: (tool) => doorToolNames.has(tool) && mayUse(found.settings, tool) };
  }

  /** Calls a tool of a run for somebody who has been admitted. */
  call(run: string, tool: string, args: unknown, named: Named): Promise<ToolAnswer> {
    return this.#doors.call(run, tool, args ?? {}, named);
  }

  /** The run's door, for whoever has a token of it. */
  async doorFor(run: string, token: string): Promise<McpHttp | undefined> {
    const found = await this.#admit(run, token);
    if (found === undefined) return undefined;
    const { runner } = found;
    const { inventory } = this.#parts;
    if (this.#open.get(run)?.runner !== runner) await this.#forgetOver();
    const known = this.#open.get(run);
    if (known?.runner === runner) return known.door;
    const offers = (tool: string): boolean => mayUse(found.settings, tool);
    const door = makeMcpHttp((asked) => {
      const request = asked?.headers.get(requestHeader) ?? undefined;
      const call: CallTool = (tool, args, use) => this.call(run, tool, args, { request, use });
      return makeDoorServer(found.title, call, this.#parts.version, offers, inventory.toolNamesOf(runner));
    });
    this.#open.set(run, { runner, door });
    // Whoever took the run over may know the tools by other names.
    await known?.door.close();
    return door;
  }

  /** The agent in whose cage a run works. */
  agentOf(run: string): string | undefined {
    const { state } = this.#parts.engine;
    const found = state.runs.get(run);
    return found === undefined ? undefined : livesIn(state, found);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ door }) => door.close()));
  }

  async #admit(run: string, token: string): Promise<Run | undefined> {
    if (!(await this.#doors.keys.admits(run, token))) return undefined;
    const found = this.#parts.engine.state.runs.get(run);
    return found === undefined || isOver(found.state) ? undefined : found;
  }

  /** What is over needs neither keys nor a server. */
  async #forgetOver(): Promise<void> {
    const { runs } = this.#parts.engine.state;
    const isGone = (run: string): boolean => isOver(runs.get(run)?.state ?? "done");
    await this.#doors.keys.prune(isGone);
    for (const [run, { door }] of this.#open) {
      if (!isGone(run)) continue;
      this.#open.delete(run);
      await door.close();
    }
  }
}
