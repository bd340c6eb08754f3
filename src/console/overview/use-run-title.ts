import { useLive } from "../live/live-context.tsx";

/** The title of a run that the page knows. */
export function useRunTitle(run: string | null): string | null {
  return useLive((state) => (run === null ? null : (state.runs.get(run)?.title ?? null)));
}
