// A template, from its text to what an agent is made of: or everything that is wrong with it, each with its line.

import type { AgentSpec } from "./agent-spec.ts";
import { checkAssistantTools } from "./check-assistant.ts";
import { checkFaces } from "./check-faces.ts";
import { checkImages } from "./check-images.ts";
import { checkLimits } from "./check-limits.ts";
import { checkNeeds } from "./check-needs.ts";
import { checkRecovery } from "./check-recovery.ts";
import { checkReferences } from "./check-references.ts";
import { checkSchedules } from "./check-schedule.ts";
import { checkSecrets } from "./check-secrets.ts";
import { checkServices } from "./check-services.ts";
import { checkShape } from "./check-shape.ts";
import { type Draft, toDraft } from "./draft.ts";
import { type Complain, type Finding, type TemplateProblem, toPathText, toSentence } from "./problem.ts";
import type { Template } from "./template-schema.ts";
import { readTemplateText, type TemplateText } from "./template-text.ts";
import { toSpec } from "./to-spec.ts";

export type ReadTemplate =
  | { readonly ok: true; readonly spec: AgentSpec; readonly warnings: readonly TemplateProblem[] }
  | { readonly ok: false; readonly problems: readonly TemplateProblem[] };

/** Nobody reads more. */
const problemsMax = 100;

export function readTemplate(source: string, { file }: { readonly file: string }): ReadTemplate {
  const read = readTemplateText(source);
  if (!read.ok) return { ok: false, problems: read.refusal.map((bad) => ({ file, path: "", ...bad })) };
  const found: Finding[] = [...read.value.findings];
  const strange: Finding[] = [];
  const checked = checkAll(read.value.plain, collect(found), collect(strange));
  const toProblems = (findings: readonly Finding[]): TemplateProblem[] => placeAll(findings, read.value, file);
  if (checked === undefined || found.length > 0) return { ok: false, problems: toProblems(found) };
  return { ok: true, spec: toSpec(checked.template, checked.draft), warnings: toProblems(strange) };
}

type Checked = { readonly template: Template; readonly draft: Draft };

function checkAll(plain: unknown, complain: Complain, warn: Complain): Checked | undefined {
  const shape = checkShape(plain, complain);
  if (shape === undefined) return undefined;
  const { template } = shape;
  const draft = toDraft(shape);
  checkServices(template, draft, complain, warn);
  checkImages(draft, complain);
  checkLimits(template, draft, complain, warn);
  checkNeeds(draft, complain);
  checkSchedules(draft, complain);
  checkReferences(template, draft, complain, warn);
  checkFaces(template, draft, complain, warn);
  checkAssistantTools(template, complain);
  checkSecrets(template, draft, complain);
  checkRecovery(shape, complain, warn);
  return { template, draft };
}

function collect(findings: Finding[]): Complain {
  return (path, message, at = "value") => void findings.push({ path, message: toSentence(message), at });
}

/** In the order of the text. */
function placeAll(findings: readonly Finding[], { placeOf }: TemplateText, file: string): TemplateProblem[] {
  return findings
    .slice(0, problemsMax * 10)
    .map(({ path, at, message }) => ({ file, ...placeOf(path, at), path: toPathText(path), message }))
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, problemsMax);
}
