// Projects and policies as they are shown, and how people name them.

import type { Policy as CorePolicy } from "../../core/policy/policy.ts";
import { type Project as CoreProject, testTimeMsDefault } from "../../core/project/project.ts";
import type { State } from "../../core/state.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { Policy } from "../../protocol/wire/policy.ts";
import type { Project } from "../../protocol/wire/project.ts";

/** The project of an id or a name. Throws `not-found`. */
export function findProject(state: State, ref: string): CoreProject {
  const byId = state.projects.get(ref);
  if (byId !== undefined && !byId.removed) return byId;
  for (const project of state.projects.values()) if (project.name === ref && !project.removed) return project;
  throw protocolError("not-found", { kind: "project", id: ref });
}

export function toProject(project: CoreProject): Project {
  const processes: Project["processes"] = {};
  for (const [name, { argv, scope }] of Object.entries(project.processes)) processes[name] = { argv: [...argv], scope };
  return {
    id: project.id,
    name: project.name,
    root: project.root,
    foldCase: project.foldCase,
    processes,
    kind: project.source.kind,
    branch: project.source.branch,
    landingTest: project.landingTest === null ? null : [...project.landingTest],
    testTimeMs: project.testTimeMs ?? testTimeMsDefault,
    landingMessage: project.landingMessage ?? null,
    landingBranch: project.landingBranch ?? null,
    derivedNetwork: project.derivedNetwork ?? false,
    egress: { kind: project.egress.kind, allow: [...project.egress.allow] },
    derived: project.derived.map(({ paths, command }) => ({ paths: [...paths], command: [...command] })),
    warm: { ...project.warm },
    image: project.image,
    mainline: project.mainline,
    published: project.published,
    notPublished: project.notPublished,
  };
}

export function toPolicy(policy: CorePolicy): Policy {
  return structuredClone(policy) as Policy;
}
