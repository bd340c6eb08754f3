// What has a name and is not kept up to date on the page: asked for once, when the palette opens.

import { useAsked } from "../live/use-asked.ts";
import type { Catalogue } from "./setting-items.ts";

const mostOfEach = 1000;

const nothing: Catalogue = { tasks: [], profiles: [], policies: [], runners: [], templates: [], terminals: [] };

export function useCatalogue(): Catalogue {
  const { value } = useAsked({
    subject: "what has a name",
    stamp: 0,
    ask: async (client, signal): Promise<Catalogue> => {
      const [{ tasks }, { profiles }, { policies }, { runners }, { templates }, { terminals }] = await Promise.all([
        client.call("task.list", { kept: true, limit: mostOfEach }, { signal }),
        client.call("profile.list", {}, { signal }),
        client.call("policy.list", {}, { signal }),
        client.call("runner.list", {}, { signal }),
        client.call("template.list", {}, { signal }),
        client.call("terminal.list", { all: true, limit: mostOfEach }, { signal }),
      ]);
      return { tasks, profiles, policies, runners, templates, terminals };
    },
  });
  return value ?? nothing;
}
