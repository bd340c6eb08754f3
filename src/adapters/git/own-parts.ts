import type { GitRunner } from "./git-runner.ts";
import type { ObjectStore } from "./object-store.ts";
import type { OwnFacts } from "./own-repository.ts";

/** Our side of a project, as those need it who deal with the person's side. */
export type OwnParts = {
  readonly git: GitRunner;
  readonly gitDir: string;
  readonly facts: OwnFacts;
  readonly store: ObjectStore;
  isAncestor(commit: string, of: string): Promise<boolean>;
};

/** Where we remember what the person's branch or folder had when we last looked. */
export function personRef({ branch }: OwnFacts): string {
  return `refs/signalbox/person/${branch}`;
}

/** Where we remember what was last brought to the person's branch. */
export function publishedRef({ branch }: OwnFacts): string {
  return `refs/signalbox/published/${branch}`;
}

/** A word for a command line that people may copy. */
export function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
