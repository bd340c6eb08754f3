// Scripts: a run whose assistant is a YAML file. Tests, the demo, the simulator and people's CI are written in it. It is
// read once, when a run is submitted, so that a run never stumbles over a typing mistake in step 40.

import { ok, refuse, type Result } from "../base/result.ts";
import { limits } from "./limits.ts";
import { parseInput } from "./parse-input.ts";
import { readYaml } from "./script/read-yaml.ts";
import { parseSteps, type ScriptStep } from "./script/script-steps.ts";
import { planSchema, taskSchema } from "./script/step-schemas.ts";

export type { ScriptStep } from "./script/script-steps.ts";

/** A step that does something itself: repetitions are written out. */
export type PlainStep = Exclude<ScriptStep, { do: "repeat" }>;

/** Whether it goes through the door as a call, and is numbered as one. Giving back and failing do not. */
export function makesCall({ do: kind }: PlainStep): boolean {
  return kind !== "release" && kind !== "fail";
}

export type Script = {
  readonly task: string;
  readonly plan: readonly string[];
  readonly steps: readonly PlainStep[];
  /** What is done for each message that a person sends after the end. */
  readonly onMessage: readonly PlainStep[];
};

/** Where a script is wrong, and why. */
export type BadScript = { readonly code: "bad-script"; readonly where: string; readonly why: string };

/** Reads a script. The first thing that is wrong is named by its place: `steps[3].repeat.steps[0].write.path`. */
export function parseScript(source: string): Result<Script, BadScript> {
  const plain = readTop(source);
  if (!plain.ok) return plain;
  const { task, plan, steps, onMessage, ...rest } = plain.value;
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined)
    return bad(unknown.slice(0, 60), "there is no such field; a script has task, plan, steps and onMessage");
  const title = parseInput(taskSchema, task);
  if (!title.ok) return bad("task", title.refusal.why);
  const units = parseInput(planSchema, plan ?? []);
  if (!units.ok) return bad("plan", units.refusal.why);
  const main = parseSteps(steps, "steps");
  if (!main.ok) return main;
  const answers = parseSteps(onMessage ?? [], "onMessage");
  if (!answers.ok) return answers;
  return ok({
    task: title.value,
    plan: units.value,
    steps: writeOut(main.value),
    onMessage: writeOut(answers.value),
  });
}

function readTop(source: string): Result<Record<string, unknown>, BadScript> {
  if (source.length > limits.scriptCharsMax) return bad("the text", `at most ${limits.scriptCharsMax} characters`);
  const read = readYaml(source);
  if (!read.ok) return bad("the text", read.refusal);
  const plain = read.value;
  if (typeof plain === "object" && plain !== null && !Array.isArray(plain)) return ok(plain as Record<string, unknown>);
  return bad("the top", "a script is a mapping with task and steps");
}

function writeOut(steps: readonly ScriptStep[]): PlainStep[] {
  return steps.flatMap((step) => {
    if (step.do !== "repeat") return [step];
    const once = writeOut(step.steps);
    return Array.from({ length: step.times }, () => once).flat();
  });
}

function bad(where: string, why: string): Result<never, BadScript> {
  return refuse({ code: "bad-script", where, why });
}
