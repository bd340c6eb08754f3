// A path of a workspace, as every rule of landing sees it.

import type { Entry } from "./entry.ts";

/** `work` is what is there now, `base` the mainline entry that Signalbox itself last put there (LD2). */
export type WorkspacePath = { readonly path: string; readonly base: Entry; readonly work: Entry };

/** Whether the path was changed: by content, never by what anyone says was written (LD4). */
export function isDirty({ base, work }: { readonly base: Entry; readonly work: Entry }): boolean {
  return work !== base;
}
