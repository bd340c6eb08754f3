import { useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import type { Field } from "../model/form-fields.ts";
import { type Known, nothingKnown, withKnown } from "../model/known-names.ts";

/** The names that there are to choose from in forms. What is not read yet is not offered, and can be written. */
export function useKnown(): Known {
  const projects = useLive((state) => state.projects);
  const agents = useLive((state) => state.agents);
  const newest = useNewest(({ type }) => /^(profile|policy|runner)\./.test(type));
  const { value } = useAsked({
    subject: "names to choose from",
    stamp: newest,
    ask: async (client, signal) => {
      const [{ profiles }, { policies }, { runners }, { secrets }] = await Promise.all([
        client.call("profile.list", {}, { signal }),
        client.call("policy.list", {}, { signal }),
        client.call("runner.list", {}, { signal }),
        client.call("secret.list", {}, { signal }),
      ]);
      return {
        ...{ profiles: namesOf(profiles), policies: namesOf(policies) },
        ...{ runners: namesOf(runners), secrets: namesOf(secrets) },
      };
    },
  });
  return useMemo(
    () => ({ ...nothingKnown, ...value, projects: namesOf(projects), agents: namesOf([...agents.values()]) }),
    [value, projects, agents],
  );
}

/** The fields of a form with the names that there are. */
export function useKnownFields(fields: readonly Field[] | null): readonly Field[] | null {
  const known = useKnown();
  return useMemo(() => (fields === null ? null : withKnown(fields, known)), [fields, known]);
}

function namesOf(all: readonly { readonly name: string }[]): string[] {
  return all.map(({ name }) => name);
}
