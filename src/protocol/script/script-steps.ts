// Reads the steps of a script, one verb each. Walked by hand rather than as one big union, so that a mistake is named at
// its own place.

import type { z } from "zod";
import { ok, refuse, type Result } from "../../base/result.ts";
import { limits } from "../limits.ts";
import { parseInput } from "../parse-input.ts";
import { repeatSchema, stepSchemas } from "./step-schemas.ts";

type Schemas = typeof stepSchemas;

export type ScriptStep =
  | { [Verb in keyof Schemas]: z.output<Schemas[Verb]> }[keyof Schemas]
  | { readonly do: "repeat"; readonly times: number; readonly steps: readonly ScriptStep[] };

type Bad = { readonly code: "bad-script"; readonly where: string; readonly why: string };

const repeatDepthMax = 8;
const verbs = [...Object.keys(stepSchemas), "repeat"];

export function parseSteps(given: unknown, where: string): Result<readonly ScriptStep[], Bad> {
  const steps = parseList(given, where, 0);
  if (!steps.ok) return steps;
  if (countSteps(steps.value) > limits.scriptStepsMax) {
    return bad(where, `with its repetitions a script has at most ${limits.scriptStepsMax} steps`);
  }
  return steps;
}

function parseList(given: unknown, where: string, depth: number): Result<readonly ScriptStep[], Bad> {
  if (!Array.isArray(given)) return bad(where, "steps are a list");
  if (given.length > limits.scriptStepsMax) return bad(where, `at most ${limits.scriptStepsMax} steps`);
  const steps: ScriptStep[] = [];
  for (const [at, each] of (given as readonly unknown[]).entries()) {
    const step = parseStep(each, `${where}[${at}]`, depth);
    if (!step.ok) return step;
    steps.push(step.value);
  }
  return ok(steps);
}

function parseStep(given: unknown, where: string, depth: number): Result<ScriptStep, Bad> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return bad(where, `a step is one of ${verbs.join(", ")}, with what it needs`);
  }
  const [verb, ...more] = Object.keys(given);
  if (verb === undefined || more.length > 0) return bad(where, "a step has exactly one verb");
  const body = (given as Record<string, unknown>)[verb];
  if (verb === "repeat") return parseRepeat(body, `${where}.repeat`, depth);
  if (!Object.hasOwn(stepSchemas, verb))
    return bad(where, `there is no step "${verb.slice(0, 60)}"; a step is one of ${verbs.join(", ")}`);
  const schema: z.ZodType<ScriptStep> = stepSchemas[verb as keyof Schemas];
  const parsed = parseInput(schema, body);
  if (parsed.ok) return parsed;
  const inner = parsed.refusal.where === "the top" ? "" : `.${parsed.refusal.where}`;
  return bad(`${where}.${verb}${inner}`, parsed.refusal.why);
}

function parseRepeat(body: unknown, where: string, depth: number): Result<ScriptStep, Bad> {
  if (depth >= repeatDepthMax) return bad(where, `repetitions nest at most ${repeatDepthMax} deep`);
  const parsed = parseInput(repeatSchema, body);
  if (!parsed.ok) return bad(`${where}.${parsed.refusal.where}`, parsed.refusal.why);
  const steps = parseList(parsed.value.steps, `${where}.steps`, depth + 1);
  return steps.ok ? ok({ do: "repeat", times: parsed.value.times, steps: steps.value }) : steps;
}

/** How many steps there are with repetitions written out; stops counting once it is too many. */
function countSteps(steps: readonly ScriptStep[]): number {
  let count = 0;
  for (const step of steps) {
    count += step.do === "repeat" ? Math.max(1, step.times * countSteps(step.steps)) : 1;
    if (count > limits.scriptStepsMax) return count;
  }
  return count;
}

function bad(where: string, why: string): Result<never, Bad> {
  return refuse({ code: "bad-script", where, why });
}
