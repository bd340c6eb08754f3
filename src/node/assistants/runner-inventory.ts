// What this node's runners are: whether their programs are there, in which version, what they can do, and whether somebody
// pays for their models.

import { stat } from "node:fs/promises";
import { Fault } from "../../base/fault.ts";
import type { PresetModels } from "../../core/runner/presets.ts";
import type { Abilities, Assistant } from "../../ports/assistant.ts";
import { toWireError } from "../../protocol/errors.ts";
import type { CredentialSource } from "../relay/credentials.ts";
import type { ProbeAnswer } from "../relay/probe-model.ts";
import type { ProviderName } from "../relay/providers.ts";
import type { Lack, ModelSources } from "./model-sources.ts";
import { compareVersions, versionOf, type FoundProgram } from "./find-program.ts";
import type { Ways } from "./ways.ts";

export type RunnerInventoryOptions = {
  /** Runners that are part of Signalbox, with what they can do. */
  readonly own: Readonly<Record<string, Partial<Abilities>>>;
  readonly assistants: () => readonly Assistant[];
  /** Throws `runner-missing`. */
  readonly programOf: (assistant: Assistant) => Promise<FoundProgram>;
  /** Who pays for the models of one, which ones presets mean, and whether they answer. */
  readonly models: Pick<ModelSources, "credentialOf" | "lackOf" | "presetsOf" | "probe">;
  readonly ways: Pick<Ways, "of">;
  /** Where programs are tried: below the ground of the home. */
  readonly ground: string;
};

export type RunnerFacts = {
  readonly name: string;
  readonly kind: "built-in" | "assistant";
  readonly path: string | null;
  readonly version: string | null;
  readonly tried: { readonly from: string; readonly to: string } | null;
  /** Why it may not work as it was tried. */
  readonly warning: string | null;
  /** Why it cannot work here, and what to do. */
  readonly missing: string | null;
  readonly can: Abilities;
  /** How its program is spoken to, where there are several ways. */
  readonly way: string | null;
  readonly provider: ProviderName | null;
  readonly credential: { readonly name: string; readonly from: CredentialSource } | null;
  readonly presets: PresetModels;
};

const nothing: Abilities = {
  streaming: false,
  messages: false,
  resume: false,
  interrupt: false,
  steer: false,
  cost: false,
  subagents: false,
  models: false,
  native: false,
};

/** What there is to say of a program that is not there. */
const nowhere = { path: null, version: null, warning: null, way: null } as const;

export class RunnerInventory {
  readonly #options: RunnerInventoryOptions;
  /** Asking a program for its version takes a while; a file that has not changed says the same again. */
  readonly #versions = new Map<string, Promise<string | null>>();

  constructor(options: RunnerInventoryOptions) {
    this.#options = options;
  }

  async list(): Promise<RunnerFacts[]> {
    const own = Object.entries(this.#options.own).map(([name, can]) => ofOurs(name, { ...nothing, ...can }));
    return [...own, ...(await Promise.all(this.#options.assistants().map((assistant) => this.#examine(assistant))))];
  }

  /** Whether it is a program that asks models. */
  isAssistant(name: string): boolean {
    return this.#assistantOf(name) !== undefined;
  }

  /** Tools of the door that a runner has to see under other names. */
  toolNamesOf(name: string): Readonly<Record<string, string>> {
    return this.#assistantOf(name)?.toolNames ?? {};
  }

  /** What is known of one that asks models; undefined of all others. */
  async one(name: string): Promise<RunnerFacts | undefined> {
    const assistant = this.#assistantOf(name);
    return assistant === undefined ? undefined : this.#examine(assistant);
  }

  /** Why a runner cannot work here; null when it can. */
  async missing(name: string): Promise<string | null> {
    const assistant = this.#assistantOf(name);
    if (assistant === undefined) return null;
    const found = await this.#find(assistant);
    return typeof found === "string" ? found : null;
  }

  /** The credential that its models want and nobody has given; null when there is one, or it asks none. */
  async lackOf(name: string): Promise<Lack | null> {
    const assistant = this.#assistantOf(name);
    return assistant === undefined ? null : this.#options.models.lackOf(assistant);
  }

  /** Why a run of it would fail before its assistant has said a word: its program, or who pays for its models, is missing. */
  async whyNot(name: string): Promise<string | null> {
    const missing = await this.missing(name);
    if (missing !== null) return missing;
    const lack = await this.lackOf(name);
    return lack === null ? null : toWireError("credential-missing", lack).message;
  }

  /** Asks the runner's model for as little as it answers. Null where it asks none. */
  async probe(name: string, model: string | null): Promise<ProbeAnswer | null> {
    const assistant = this.#assistantOf(name);
    return assistant === undefined ? null : this.#options.models.probe(assistant, model);
  }

  #assistantOf(name: string): Assistant | undefined {
    return this.#options.assistants().find((assistant) => assistant.name === name);
  }

  async #examine(assistant: Assistant): Promise<RunnerFacts> {
    const { name, provider, tried } = assistant;
    const found = await this.#find(assistant);
    const presets = await this.#options.models.presetsOf(assistant);
    const credential = await this.#options.models.credentialOf(assistant);
    const base = { name, kind: "assistant", tried, provider, credential, presets } as const;
    if (typeof found === "string") return { ...base, can: assistant.can, ...nowhere, missing: found };
    const version = tried === null ? null : await this.#versionOf(found.file);
    const { can, way = null } = await this.#options.ways.of(assistant, found.file);
    return { ...base, can, way, path: found.file, version, warning: warningOf(version, tried), missing: null };
  }

  /** Its program, or why there is none. */
  async #find(assistant: Assistant): Promise<FoundProgram | string> {
    try {
      return await this.#options.programOf(assistant);
    } catch (error) {
      if (error instanceof Fault && error.code === "runner-missing") return error.message;
      throw error;
    }
  }

  async #versionOf(file: string): Promise<string | null> {
    const key = `${file} ${(await stat(file)).mtimeMs}`;
    const known = this.#versions.get(key) ?? versionOf(file, this.#options.ground);
    this.#versions.set(key, known);
    return known;
  }
}

function ofOurs(name: string, can: Abilities): RunnerFacts {
  return {
    name,
    kind: "built-in",
    can,
    provider: null,
    credential: null,
    presets: {},
    tried: null,
    missing: null,
    ...nowhere,
  };
}

function warningOf(version: string | null, tried: Assistant["tried"]): string | null {
  if (tried === null) return null;
  const { from, to } = tried;
  if (version === null) return `it does not say its version; tried were ${from} to ${to}`;
  if (compareVersions(version, from) < 0) return `${version} is older than what was tried: ${from} to ${to}`;
  return compareVersions(version, to) > 0 ? `${version} is newer than what was tried: ${from} to ${to}` : null;
}
