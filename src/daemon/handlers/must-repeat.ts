import { isMore } from "../../core/egress/egress.ts";
import type { Run } from "../../core/run/run-state.ts";
import type { State } from "../../core/state.ts";
import type { Caller } from "../context.ts";
import { findProject } from "../views/project-view.ts";
import { mustBePerson } from "./must-be-person.ts";

/**
 * Throws `forbidden` for a model that wants once more what a person gave one run alone, or to say what is done with it: their word was
 * for that one, and for what they asked of it (EG4, IM8).
 */
export function mustRepeat(caller: Caller, state: State, { caged, egress, image, project }: Run, what: string): void {
  const granted = findProject(state, project).egress.kind;
  const isBuilt = image !== null && image !== "none" && "dockerfile" in image;
  if (!caged || egress === "open" || isMore(egress ?? "none", granted) || isBuilt)
    mustBePerson(caller, `${what} a run that a person gave more than others`);
}
