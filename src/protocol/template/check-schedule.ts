// That what is started by a schedule can come and go: nobody waits for it, and nothing keeps it running.

import { type Draft, type DraftService, policyOf } from "./draft.ts";
import { statedNeeds } from "./check-needs.ts";
import type { Complain } from "./problem.ts";

export function checkSchedules(draft: Draft, complain: Complain): void {
  for (const service of draft.services) {
    if (service.said.schedule !== undefined) checkOne(service, complain);
    for (const { service: name, path } of statedNeeds(service))
      if (draft.byName.get(name)?.said.schedule !== undefined)
        complain(path, `The service ${name} comes and goes by its schedule, so nobody can wait for it. Take this out.`);
  }
}

function checkOne({ said, path, kind, name, isSure }: DraftService, complain: Complain): void {
  if (kind === "external")
    complain(
      [...path, "schedule"],
      `Others stand on external services, so ${name} cannot come and go. Move it to services.`,
      "key",
    );
  for (const key of ["health", "instances", "overlap", "watch"] as const)
    if (said[key] !== undefined && said[key] !== 1 && said[key] !== false)
      complain([...path, key], `It comes and goes by its schedule, so ${key} means nothing here. Take it out.`, "key");
  if (policyOf(said) === "always" && isSure("restart"))
    complain(
      [...path, "restart"],
      "It would be started again whenever it ends, so its schedule would mean nothing. Write on-failure or never.",
      "key",
    );
}
