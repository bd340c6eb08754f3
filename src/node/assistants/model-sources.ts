// What is known of the models that assistants ask: who pays for them, which ones presets mean, and whether they answer.

import type { OwnRunner } from "../../core/runner/own-runner.ts";
import type { PresetModels } from "../../core/runner/presets.ts";
import type { State } from "../../core/state.ts";
import type { Assistant } from "../../ports/assistant.ts";
import { toWireError } from "../../protocol/errors.ts";
import type { Credentials } from "../relay/credentials.ts";
import { probeModel, type ProbeAnswer } from "../relay/probe-model.ts";
import { providerNames, providers } from "../relay/providers.ts";
import type { Subscriptions } from "../relay/subscriptions.ts";
import { presetsOf } from "./presets-of.ts";
import type { RunnerFacts } from "./runner-inventory.ts";

export type ModelSourcesOptions = {
  readonly credentials: Credentials;
  readonly subscriptions: Pick<Subscriptions, "has" | "credentialOf">;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What people have said; undefined until the log is read. */
  readonly said: () => Pick<State, "runners" | "presets"> | undefined;
};

type Asking = Pick<Assistant, "name" | "provider">;

/** A credential that is not there: whose models it would pay for, and its usual name. */
export type Lack = { readonly provider: string; readonly name: string };

export class ModelSources {
  readonly #options: ModelSourcesOptions;

  constructor(options: ModelSourcesOptions) {
    this.#options = options;
  }

  /** What pays for the models of one, if anything does. */
  async credentialOf({ name, provider }: Asking): Promise<RunnerFacts["credential"]> {
    const { credentials, subscriptions } = this.#options;
    if (await subscriptions.has(name)) return { name, from: "subscription" };
    // One that asks several makers asks the first that somebody pays.
    const [maker = null] = provider === null ? await credentials.paid() : [provider];
    return maker === null ? null : credentials.describe(maker, this.#ownOf(name)?.credential);
  }

  async presetsOf(asking: Asking): Promise<PresetModels> {
    const said = this.#options.said()?.presets.get(asking.name);
    return presetsOf(asking, { said, own: this.#ownOf(asking.name), paid: await this.#options.credentials.paid() });
  }

  async probe(asking: Asking, model: string | null): Promise<ProbeAnswer> {
    const { name, provider } = asking;
    const around = { ...this.#options, ownOf: (runner: string) => this.#ownOf(runner) };
    return probeModel(around, { name, provider, presets: await this.presetsOf(asking) }, model);
  }

  /** The credential without which its models would turn everything down; null where somebody pays. */
  async lackOf(asking: Asking): Promise<Lack | null> {
    return (await this.credentialOf(asking)) === null ? toLack(asking, this.#ownOf(asking.name)) : null;
  }

  /** The same, as a sentence that says what to do. */
  async whyUnpaid(asking: Asking): Promise<string | null> {
    const lack = await this.lackOf(asking);
    return lack === null ? null : toWireError("credential-missing", lack).message;
  }

  #ownOf(name: string): OwnRunner | undefined {
    return this.#options.said()?.runners.get(name);
  }
}

function toLack({ provider }: Asking, own: OwnRunner | undefined): Lack {
  const [first] = providerNames;
  const name = own?.credential ?? providers[provider ?? first].credentials[0]?.name ?? "";
  return { provider: provider ?? anyOf(providerNames), name };
}

function anyOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}, one of which it asks`;
}
