// That the tools which are taken from an assistant, or left to it, are tools of the door.

import { didYouMean } from "../../base/did-you-mean.ts";
import { quoted } from "../complaint.ts";
import { doorToolNames } from "../door-tool-names.ts";
import type { Complain } from "./problem.ts";
import type { Template } from "./template-schema.ts";

const known: readonly string[] = doorToolNames;

export function checkAssistantTools({ assistant }: Template, complain: Complain): void {
  for (const list of ["allow", "deny"] as const)
    for (const [at, tool] of (assistant?.permissions?.[list] ?? []).entries())
      if (!known.includes(tool))
        complain(
          ["assistant", "permissions", list, at],
          `There is no tool ${quoted(tool)}.${didYouMean(tool, known) || ` There is: ${known.join(", ")}.`}`,
        );
}
