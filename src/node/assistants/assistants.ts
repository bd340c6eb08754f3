// The assistants of this node: which programs are there, and what a cage needs for one to work in it.

import { createHmac } from "node:crypto";
import { delimiter, join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { mayUse } from "../../core/profile/profile.ts";
import type { Run } from "../../core/run/run-state.ts";
import type { Assistant, ModelMaker } from "../../ports/assistant.ts";
import type { Bridge } from "../../protocol/keeper/keeper-wire.ts";
import type { DoorKeys } from "../model-door/door-keys.ts";
import type { ModelRelay } from "../relay/model-relay.ts";
import type { Surroundings } from "./assistant-runner.ts";
import type { ModelSources } from "./model-sources.ts";
import { findProgram, type FoundProgram } from "./find-program.ts";
import type { Ways } from "./ways.ts";

export type AssistantsOptions = {
  /** The one of a name, if there is one. */
  readonly assistantOf: (name: string) => Assistant | undefined;
  readonly all: () => readonly Assistant[];
  /** Where programs are looked for, first to last. */
  readonly folders: readonly string[];
  readonly keys: DoorKeys;
  /** The run's own door, on a socket. */
  readonly gates: { open(run: string): Promise<void>; shut(run: string): Promise<void>; socketOf(run: string): string };
  readonly relay: () => Pick<ModelRelay, "open" | "admit" | "shut" | "socketOf" | "lastNoOf">;
  /** Whose models somebody pays for. */
  readonly paid: () => Promise<readonly ModelMaker[]>;
  readonly models: Pick<ModelSources, "presetsOf" | "whyUnpaid">;
  readonly ways: Pick<Ways, "of">;
  /** Only who has it can make the tokens by which runs ask their models. */
  readonly secret: string;
  /** Where a run's door is, at whatever serves it. */
  readonly doorPathOf: (run: string) => string;
  readonly canRead: (path: string) => Promise<boolean>;
};

/** What leads from a cage to its door and its models, and the folders of programs. */
type CageWays = { readonly bridges: readonly Bridge[]; readonly binds: readonly string[] };

const doorPort = 31_129;
const relayPort = 31_130;
const homeInside = "/home/agent";

export class Assistants {
  readonly #options: AssistantsOptions;

  constructor(options: AssistantsOptions) {
    this.#options = options;
  }

  /** Where the person's programs are, as a list of folders. */
  static foldersOf(path: string, runnersFolder: string): string[] {
    return [join(runnersFolder, "node_modules/.bin"), ...path.split(delimiter).filter((each) => each.startsWith("/"))];
  }

  /**
   * What the cage of a run has for its assistant, for those that may take over, and for those that may work as its sub-runs,
   * whoever drives the run itself; undefined where no program of theirs is on the machine.
   */
  async waysOf(run: Run): Promise<CageWays | undefined> {
    const { assistantOf } = this.#options;
    const names = [run.runner, ...(run.settings?.fallbacks ?? [])];
    const own = names.map(assistantOf).filter((assistant) => assistant !== undefined);
    if (own.length === 0 && !run.caged) return undefined;
    const beneath = mayUse(run.settings, "start_subrun") ? this.#options.all() : [];
    const ways = await this.#waysTo(run.id, [...own, ...beneath]);
    return own.length === 0 && ways.binds.length === 0 ? undefined : ways;
  }

  /** What the cage of a living agent has: nobody knows beforehand which assistants will work in it. */
  waysIn(agent: string): Promise<CageWays> {
    return this.#waysTo(agent, this.#options.all());
  }

  async #waysTo(agent: string, all: readonly Assistant[]): Promise<CageWays> {
    const { gates, relay } = this.#options;
    const bridges: Bridge[] = [
      { port: doorPort, socket: gates.socketOf(agent), holds: true },
      { port: relayPort, socket: relay().socketOf(agent) },
    ];
    const folders = await Promise.all(all.map((assistant) => this.#folderOf(assistant)));
    return { bridges, binds: [...new Set(folders.flat())] };
  }

  /** The folder of its program. One that is missing is said when it is its turn. */
  async #folderOf(assistant: Assistant): Promise<string[]> {
    const found = await findProgram(assistant.program, this.#options.folders);
    return found === undefined ? [] : [found.folder];
  }

  /** What a run's program is given. Its door and its relay are open from then on. */
  async surroundingsOf(
    assistant: Assistant,
    run: string,
    { agent, ...place }: Pick<Surroundings, "keeper" | "root"> & { readonly agent: string },
  ): Promise<Surroundings> {
    const { gates, relay, keys, secret, doorPathOf, paid, models, ways } = this.#options;
    const { file } = await this.programOf(assistant);
    // The same after every restart of the daemon: a program that goes on has what it was once given.
    const tokenFor = (what: string, whom = run): string =>
      createHmac("sha256", secret).update(`${what} ${whom}`).digest("base64url");
    const relayToken = tokenFor("relay");
    const doorToken = tokenFor("door");
    // What leads out of a cage is its agent's; a sub-run uses it with tokens of its own.
    await gates.open(agent);
    await relay().open(agent, tokenFor("relay", agent));
    if (run !== agent) relay().admit(agent, run, relayToken);
    await keys.admit(run, doorToken);
    const home = `${homeInside}/.${assistant.name.replace(":", "-")}-of-${run === agent ? "signalbox" : run}`;
    return {
      ...{ ...place, file, home },
      assistant: await ways.of(assistant, file),
      door: { url: `http://127.0.0.1:${doorPort}${doorPathOf(run)}`, token: doorToken },
      relay: { url: `http://127.0.0.1:${relayPort}`, token: relayToken, paid: await paid() },
      presets: await models.presetsOf(assistant),
      whyUnpaid: await models.whyUnpaid(assistant),
      lastNo: () => relay().lastNoOf(run),
    };
  }

  async end(run: string): Promise<void> {
    await this.#options.gates.shut(run);
    await this.#options.relay().shut(run);
  }

  /** Where its program is. Throws `runner-missing`, with what to do about it. */
  async programOf(assistant: Assistant): Promise<FoundProgram> {
    const { name, program, install } = assistant;
    const found = await findProgram(program, this.#options.folders);
    if (found === undefined) {
      const message = `the program ${program} of the runner ${name} is not on this machine; install it with: ${install}`;
      throw new Fault("runner-missing", { retry: "never", message });
    }
    if (await this.#options.canRead(found.file)) return found;
    const message = `agents may not read ${found.file}, the program of the runner ${name}; install it where everybody may`;
    throw new Fault("runner-missing", { retry: "never", message });
  }
}
