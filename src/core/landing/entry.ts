/**
 * What a tree has at a path: git's mode and the blob's name as one text, such as `100644:8ab686ea…`, or null where it has
 * nothing. Kind, mode and bytes are all in it, so two entries are equal exactly when the texts are (LD1).
 */
export type Entry = string | null;

export type EntryKind = "file" | "link" | "submodule";

export function entryOf(mode: string, blob: string): string {
  return `${mode}:${blob}`;
}

export function modeOf(entry: string): string {
  return entry.slice(0, entry.indexOf(":"));
}

export function blobOf(entry: string): string {
  return entry.slice(entry.indexOf(":") + 1);
}

export function kindOf(entry: string): EntryKind {
  if (entry.startsWith("120000:")) return "link";
  return entry.startsWith("160000:") ? "submodule" : "file";
}
