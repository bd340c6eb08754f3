// What presets of profiles mean to a runner: what people have said, and for the rest models of the maker that it asks.

import type { OwnRunner } from "../../core/runner/own-runner.ts";
import type { PresetModels } from "../../core/runner/presets.ts";
import type { Assistant, ModelMaker } from "../../ports/assistant.ts";
import { providers } from "../relay/providers.ts";

export type PresetSources = {
  /** What people said. */
  readonly said: PresetModels | undefined;
  readonly own: OwnRunner | undefined;
  /** Whose models somebody pays for. */
  readonly paid: readonly ModelMaker[];
};

export function presetsOf({ provider }: Pick<Assistant, "provider">, { said, own, paid }: PresetSources): PresetModels {
  return { ...builtIn(provider, own, paid), ...said };
}

function builtIn(provider: ModelMaker | null, own: OwnRunner | undefined, paid: readonly ModelMaker[]): PresetModels {
  // Elsewhere than where a maker's models usually are, nobody knows their names.
  if (own !== undefined && own.baseUrl !== null) return {};
  if (provider !== null) return providers[provider].presets;
  // One that asks several makers asks the first that somebody pays, by its name.
  const [maker] = paid;
  if (maker === undefined) return {};
  const named = Object.entries(providers[maker].presets).map(([preset, model]) => [preset, `${maker}/${model}`]);
  return Object.fromEntries(named) as PresetModels;
}
