// The runs that the address lets through, for all panels alike.

import { useMemo } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useLive } from "../live/live-context.tsx";
import { useAddress } from "../shell/address.ts";

/** Id of the project that the address names: null for all, and one that nothing has when it is not here. */
export function useProjectId(): string | null {
  const { project } = useAddress();
  return useLive((state) =>
    project === null ? null : (state.projects.find(({ name }) => name === project)?.id ?? `no ${project}`),
  );
}

export function useRunsOfProject(): readonly Run[] {
  const project = useProjectId();
  const runs = useLive((state) => state.runs);
  return useMemo(
    () => [...runs.values()].filter((run) => project === null || run.project === project),
    [runs, project],
  );
}
