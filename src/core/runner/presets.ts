// What people have said that a preset means to a runner. What is built in stands with the runners.

import { refuse, type Result } from "../../base/result.ts";
import type { Input, Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import type { Preset } from "../profile/profile.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";

/** The models that presets mean to one runner. */
export type PresetModels = Readonly<Partial<Record<Preset, string>>>;

/** Null: what is built in counts again. */
export type PresetSet = {
  readonly type: "preset.set";
  readonly v: 1;
  readonly runner: string;
  readonly preset: Preset;
  readonly model: string | null;
};

export function setPreset(step: Step, input: Extract<Input, { type: "preset.set" }>): Result<Later, Refusal> {
  const { runner, preset, model } = input;
  const known = step.state.presets.get(runner)?.[preset] ?? null;
  if (known === null && model === null)
    return refuse({ code: "not-found", kind: "preset", id: `${preset} of ${runner}` });
  if (known !== model) step.emit({ type: "preset.set", v: 1, runner, preset, model });
  return done();
}

export function evolvePreset({ presets }: State, { runner, preset, model }: PresetSet): void {
  const { [preset]: _, ...others } = presets.get(runner) ?? {};
  const all = model === null ? others : { ...others, [preset]: model };
  if (Object.keys(all).length === 0) presets.delete(runner);
  else presets.set(runner, all);
}
