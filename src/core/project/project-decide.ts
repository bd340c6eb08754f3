// Adding, changing and removing projects.

import { canonical } from "../../base/canonical.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { done, type Later } from "../later.ts";
import type { Input, Refusal } from "../inputs.ts";
import { isOver } from "../run/run-states.ts";
import type { State } from "../state.ts";
import { compareIds, type Step } from "../step.ts";

type AddProject = Extract<Input, { type: "project.add" }>;
type ChangeProject = Extract<Input, { type: "project.change" }>;

export function addProject(step: Step, input: AddProject): Result<Later, Refusal> {
  const others = [...step.state.projects.values()].filter((other) => !other.removed);
  const sameRoot = others.find((other) => other.root === input.root);
  if (sameRoot !== undefined)
    return refuse({ code: "already-there", kind: "project", id: input.root, as: sameRoot.name });
  const sameName = others.find((other) => other.name === input.name);
  if (sameName !== undefined)
    return refuse({ code: "already-there", kind: "project", id: input.name, as: sameName.root });
  // One file would have two names, and so two holders.
  const around = others.find((other) => isWithin(other.root, input.root) || isWithin(input.root, other.root));
  if (around !== undefined)
    return refuse({ code: "overlaps", root: input.root, name: around.name, other: around.root });
  const project = step.nextId("p");
  const { name, root, foldCase, processes, source, landingTest, commit, egress, derived, testTimeMs } = input;
  const added = { project, name, root, foldCase, processes, source, landingTest, commit };
  step.emit({
    type: "project.added",
    v: 1,
    ...added,
    ...(egress === undefined ? {} : { egress }),
    ...(derived === undefined ? {} : { derived }),
    ...(testTimeMs === undefined ? {} : { testTimeMs }),
  });
  return ok(() => ({ of: "id", id: project }));
}

/** The case rule and the scope of processes change keys, so they and what is derived change only while nothing is leased or queued (LS2). */
export function changeProject(step: Step, input: ChangeProject): Result<Later, Refusal> {
  const project = step.state.projects.get(input.project);
  if (project === undefined || project.removed)
    return refuse({ code: "not-found", kind: "project", id: input.project });
  const foldCase = input.foldCase ?? project.foldCase;
  const processes = input.processes ?? project.processes;
  const scopes = (of: typeof processes): string =>
    canonical(Object.fromEntries(Object.entries(of).map(([name, process]) => [name, process.scope])));
  const keysChange = foldCase !== project.foldCase || scopes(processes) !== scopes(project.processes);
  const derived = input.derived ?? project.derived;
  // What somebody has changed would be in no change set any more, or in one that nobody asked for.
  if (keysChange || canonical(derived) !== canonical(project.derived)) {
    const user = userOf(step.state, project.id);
    if (user !== undefined) return refuse({ code: "in-use", kind: "project", id: project.id, by: user });
  }
  const landingTest = input.landingTest === undefined ? project.landingTest : input.landingTest;
  const egress = input.egress ?? project.egress;
  const changed = { project: project.id, foldCase, processes, landingTest, egress, derived };
  const { warm, image, testTimeMs, landingMessage, landingBranch, derivedNetwork } = input;
  step.emit({
    ...{ type: "project.changed", v: 1, ...changed },
    ...(warm === undefined ? {} : { warm }),
    ...(image === undefined ? {} : { image }),
    ...(testTimeMs === undefined ? {} : { testTimeMs }),
    ...(landingMessage === undefined ? {} : { landingMessage }),
    ...(landingBranch === undefined ? {} : { landingBranch }),
    ...(derivedNetwork === undefined ? {} : { derivedNetwork }),
  });
  return done();
}

export function removeProject(step: Step, id: string): Result<Later, Refusal> {
  const project = step.state.projects.get(id);
  if (project === undefined || project.removed) return refuse({ code: "not-found", kind: "project", id });
  const [busy] = [...step.state.runs.values()]
    .filter((run) => run.project === id && !isOver(run.state))
    .map((run) => run.id)
    .toSorted(compareIds);
  if (busy !== undefined) return refuse({ code: "in-use", kind: "project", id, by: busy });
  const agent = [...step.state.agents.values()].find((each) => each.project === id);
  if (agent !== undefined) return refuse({ code: "in-use", kind: "project", id, by: `the agent ${agent.name}` });
  const user = userOf(step.state, id);
  if (user !== undefined) return refuse({ code: "in-use", kind: "project", id, by: user });
  step.emit({ type: "project.removed", v: 1, project: id });
  return done();
}

/** Somebody who holds or awaits a unit of the project, or has changed one. */
function userOf(state: State, project: string): string | undefined {
  const users = [...state.table.families.values()].filter((family) => {
    const changes = family.life === "over" ? 0 : family.dirty.size;
    return family.project === project && family.leases.size + family.queued.size + changes > 0;
  });
  return users.toSorted((a, b) => compareIds(a.id, b.id))[0]?.holder;
}

function isWithin(inner: string, outer: string): boolean {
  return inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}
