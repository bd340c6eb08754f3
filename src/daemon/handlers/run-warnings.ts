// What a run will wait or fail for, as far as it is known when it is submitted: better said now than found in the inbox.

import type { Project } from "../../core/project/project.ts";
import type { ProtocolError } from "../../protocol/errors.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import { wildcardHint } from "../../protocol/wildcard-hint.ts";
import type { Context } from "../context.ts";

export type RunWarning = OutputOf<"run.submit">["warnings"][number];

export type WarnOrder = {
  readonly input: { readonly sub: boolean; readonly acceptance: readonly string[] | null };
  readonly plan: readonly string[];
  readonly project: Project;
  readonly runner: string;
  /** Why those of its profile who come before that one do not do it. */
  readonly passed: readonly ProtocolError[];
};

/** Each thing once (RN41). */
export async function warningsOf(
  { parts }: Context,
  { input, plan, project, runner, passed }: WarnOrder,
): Promise<RunWarning[]> {
  const warnings: RunWarning[] = passed.map(({ code, message }) => ({
    code: code === "credential-missing" ? code : "runner-missing",
    message: `${message} ${runner} does it instead.`,
  }));
  const facts = await parts.inventory.one(runner);
  const untried = facts?.warning ?? null;
  if (untried !== null)
    warnings.push({ code: "version-untried", message: `${runner} may not work as it should: ${untried}.` });
  const hint = wildcardHint(plan);
  if (hint !== undefined) warnings.push({ code: "wildcard", message: hint });
  // A sub-run's work lands with that of its root.
  if (!input.sub && project.landingTest === null && input.acceptance === null)
    warnings.push({
      code: "no-test",
      message: `${project.name} has no test, so what this run changes lands untested. Name one with: signalbox project change ${project.name} --test COMMAND`,
    });
  return warnings;
}
