// A template that was changed here becomes a file the way everything does: a run writes it, and its result is reviewed and lands.

import { toShell } from "./shell-text.ts";

export type TemplateTarget = {
  /** Name of the project whose file it becomes; empty while none is chosen. */
  readonly project: string;
  readonly path: string;
  /** The file as it was read; null where there is none yet. */
  readonly hash: string | null;
};

/** Where a template lies in its project. */
export const templatePath = "signalbox.yaml";

/** The script of the run. It replaces only what was read, so that nobody's change is lost meanwhile. */
export function toTemplateScript({ path, hash }: TemplateTarget, text: string): string {
  return JSON.stringify({
    task: `${hash === null ? "Add" : "Change"} the template ${path}`,
    plan: [`file:${path}`],
    steps: [{ write: { path, content: text, seen: hash ?? "none" } }],
  });
}

/** The same for a terminal. As JSON the script is one line, so that nothing in it can end it early. */
export function toTemplateCommand(target: TemplateTarget, text: string): string {
  const { project } = target;
  return `signalbox run --project ${toShell(project)} --script - <<'END'\n${toTemplateScript(target, text)}\nEND`;
}

/** Why it cannot land as it stands here, or null. */
export function whyNotLand(seen: {
  readonly isChanged: boolean;
  readonly isRight: boolean | null;
  readonly isLive: boolean;
  readonly project: string;
  /** Whether a project that it would be new in has a template already. */
  readonly isTaken: boolean;
}): string | null {
  if (seen.project === "") return "there is no project to put it in";
  if (seen.isTaken) return `${seen.project} has a template already: change that one`;
  if (!seen.isChanged) return "nothing is changed";
  if (seen.isRight === null) return "it is being looked at";
  if (!seen.isRight) return "it has to be right first";
  return seen.isLive ? null : "the daemon is away";
}
