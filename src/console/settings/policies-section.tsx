import { type ReactNode, useCallback } from "react";
import type { Client } from "../../client/client.ts";
import type { InputOf } from "../../protocol/operations.ts";
import type { Policy } from "../../protocol/wire/policy.ts";
import { useLive } from "../live/live-context.tsx";
import { toSettingWords } from "../model/setting-words.ts";
import { NamedSection } from "./named-section.tsx";

export function PoliciesSection(): ReactNode {
  const projects = useLive((state) => state.projects);
  const read = useCallback(
    async (client: Client, signal: AbortSignal): Promise<readonly Policy[]> => {
      const { policies } = await client.call("policy.list", {}, { signal });
      // People know a project by its name; the daemon takes both.
      const nameOf = (id: string): string => projects.find((each) => each.id === id)?.name ?? id;
      return policies.map((policy) => {
        const { project } = policy.scope;
        return project === undefined ? policy : { ...policy, scope: { ...policy.scope, project: nameOf(project) } };
      });
    },
    [projects],
  );
  return (
    <NamedSection
      noun="policy"
      title="Policies, the most important first"
      empty="A policy limits what runs may do, or says whether a person has to approve."
      set="policy.set"
      read={read}
      wordsOf={wordsOf}
      onSet={(client, value) => client.call("policy.set", value as InputOf<"policy.set">)}
      onRemove={(client, name) => client.call("policy.remove", { name })}
    />
  );
}

function wordsOf({ enabled, priority, scope, rules }: Policy): string {
  const whom = Object.entries(scope).map(([name, value]) => `${name} ${value}`);
  const lead = [enabled ? "" : "off", priority === 0 ? "" : `priority ${priority}`, ...whom].filter(
    (part) => part !== "",
  );
  return `${lead.length === 0 ? "" : `${lead.join(", ")}: `}${toSettingWords(rules)}`;
}
