import type { Subject } from "./event-subjects.ts";

/** Which events somebody wants; what is left out means any. */
export type EventFilter = {
  readonly types?: readonly string[] | undefined;
  /** By id. */
  readonly project?: string | undefined;
  readonly run?: string | undefined;
};

/** Whether subjects have to be known to decide. */
export function needsSubjects(filter: EventFilter): boolean {
  return filter.project !== undefined || filter.run !== undefined;
}

export function matchesType(filter: EventFilter, type: string): boolean {
  return (
    filter.types === undefined || filter.types.length === 0 || filter.types.some((prefix) => type.startsWith(prefix))
  );
}

export function matchesSubjects(filter: EventFilter, subjects: readonly Subject[]): boolean {
  const { project, run } = filter;
  if (project !== undefined && !subjects.some((subject) => subject.project === project)) return false;
  return run === undefined || subjects.some((subject) => subject.run === run);
}

/** Equal filters have equal names, so that their readers share frames. */
export function filterName(filter: EventFilter): string {
  return JSON.stringify([[...(filter.types ?? [])].toSorted(), filter.project ?? null, filter.run ?? null]);
}
