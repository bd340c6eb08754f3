// Whom services wait for: that it is there, can become what is waited for, and does not wait for them.

import { didYouMean } from "../../base/did-you-mean.ts";
import { quoted } from "../complaint.ts";
import type { Need } from "./agent-spec.ts";
import { type Draft, type DraftService, policyOf } from "./draft.ts";
import type { Complain, Path } from "./problem.ts";

export type StatedNeed = Need & { readonly path: Path };

export function checkNeeds(draft: Draft, complain: Complain): void {
  for (const service of draft.services) {
    const seen = new Set<string>();
    for (const need of statedNeeds(service)) {
      if (seen.has(need.service)) complain(need.path, `${quoted(need.service)} is named twice. Take one of them out.`);
      else checkNeed(draft, service, need, complain);
      seen.add(need.service);
    }
  }
  tellCycles(draft, complain);
}

/** What a service says itself, in its order. */
export function statedNeeds({ said, path }: Pick<DraftService, "said" | "path">): StatedNeed[] {
  const stated = said.depends_on ?? [];
  if (Array.isArray(stated))
    return stated.map((service, at) => ({ service, until: "started", path: [...path, "depends_on", at] }));
  return Object.entries(stated).map(([service, until]) => ({ service, until, path: [...path, "depends_on", service] }));
}

function checkNeed(
  draft: Draft,
  service: DraftService,
  { service: name, until, path }: StatedNeed,
  complain: Complain,
): void {
  const other = draft.byName.get(name);
  if (other === undefined) {
    if (!draft.isWhole) return;
    const known = [...draft.byName.keys()].filter((each) => each !== service.name);
    return complain(
      path,
      `There is no service ${quoted(name)} to wait for.${didYouMean(name, known) || " Add it, or take this out."}`,
    );
  }
  if (other === service) return complain(path, `The service ${service.name} waits for itself. Take this out.`);
  if (service.kind === "external" && other.kind === "application")
    return complain(
      path,
      `External services come first, so ${service.name} cannot wait for ${name}. Make ${service.name} one of the services, or ${name} an external one.`,
    );
  if (until === "healthy" && other.said.health === undefined && other.isSure("health"))
    complain(
      path,
      `The service ${name} has no health check, so nobody would ever see it healthy. Give it one, or wait for started.`,
    );
  if (until === "completed" && policyOf(other.said) === "always" && other.isSure("restart"))
    complain(
      path,
      `The service ${name} is started again whenever it ends, so it never completes. Give it \`restart: on-failure\` or \`restart: never\`, or wait for started.`,
    );
}

/** Each circle is told once, where it closes. */
function tellCycles(draft: Draft, complain: Complain): void {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (service: DraftService): void => {
    way.push(service.name);
    for (const { service: name, path } of statedNeeds(service)) {
      const other = draft.byName.get(name);
      const from = way.indexOf(name);
      if (other === undefined || other === service || done.has(name)) continue;
      if (from === -1) visit(other);
      else
        complain(
          path,
          `These wait for each other, so none would ever begin: ${[...way.slice(from), name].join(" → ")}. Take one of the needs out.`,
        );
    }
    way.pop();
    done.add(service.name);
  };
  for (const service of draft.services) if (!done.has(service.name)) visit(service);
}
