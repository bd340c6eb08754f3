// Works out what a list of changes makes of the files that they name, before anything is touched. Later changes see what
// earlier ones made, so that a file can be moved and edited in one patch.

import { unreachable } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { blobOf, modeOf, type Entry } from "../../core/landing/entry.ts";
import type { FileChange } from "../../ports/runner.ts";
import { replaceOnce } from "./replace-once.ts";
import { sayLink } from "./say-link.ts";
import type { Sight } from "./seen-files.ts";

export type ReadFile = (path: string) => Promise<{ readonly entry: Entry; readonly bytes: Uint8Array | null }>;

/** A file as the changes leave it: its mode and bytes, or null where it is gone. */
export type PlannedFile = {
  readonly path: string;
  readonly before: Entry;
  readonly after: { readonly mode: string; readonly bytes: Buffer } | null;
};

export type Unplannable = { readonly code: string; readonly message: string };

type Content = PlannedFile["after"];
type Touched = { readonly before: Entry; now: Content };

const linkMode = "120000";
const plainMode = "100644";

export async function planChanges(
  changes: readonly FileChange[],
  read: ReadFile,
  sightOf: (path: string, entry: Entry) => Sight,
): Promise<Result<PlannedFile[], Unplannable>> {
  const files = new Map<string, Touched>();
  const touch = async (path: string): Promise<Touched> => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const { entry, bytes } = await read(path);
    const isThere = entry !== null && bytes !== null;
    const file: Touched = {
      before: entry,
      now: isThere ? { mode: modeOf(entry), bytes: Buffer.from(bytes) } : null,
    };
    files.set(path, file);
    return file;
  };
  for (const change of changes) {
    const file = await touch(change.path);
    const no =
      checkSeen(change, file.before) ??
      checkSight(change, file.before, sightOf) ??
      apply(change, file, change.do === "move" ? await touch(change.to) : file);
    if (no !== undefined) return refuse(no);
  }
  return ok([...files].map(([path, { before, now }]) => ({ path, before, after: now })));
}

/** Whether what stands there is what the writer saw (LD13). */
function checkSeen({ path, seen }: FileChange, entry: Entry): Unplannable | undefined {
  if (seen === undefined) return undefined;
  if (seen === "none" ? entry === null : entry !== null && blobOf(entry).startsWith(seen)) return undefined;
  return hasChanged(path, entry);
}

/** Whether a change that says nothing of what its writer saw may be made all the same (LD13). */
function checkSight(
  { path, seen, careful }: FileChange,
  entry: Entry,
  sightOf: (path: string, entry: Entry) => Sight,
): Unplannable | undefined {
  if (careful === undefined || seen !== undefined || entry === null) return undefined;
  const sight = sightOf(path, entry);
  if (sight === "other") return hasChanged(path, entry);
  if (sight === "this" || careful === "not-other") return undefined;
  const message = `${path} is there (hash ${hashOf(entry)}) and you have not read it; nothing was changed`;
  return { code: "not-read", message };
}

export function hasChanged(path: string, entry: Entry): Unplannable {
  const now = entry === null ? "it does not exist" : `its hash is ${hashOf(entry)}`;
  return { code: "changed", message: `${path} is not as you saw it: now ${now}; nothing was changed; read it again` };
}

function apply(change: FileChange, file: Touched, target: Touched): Unplannable | undefined {
  const { path } = change;
  const { now } = file;
  // Whoever writes there means the file that it leads to, or does not know that it is one (LD62).
  if (now?.mode === linkMode && (change.do === "write" || change.do === "edit"))
    return { code: "is-link", message: `${sayLink(path, now.bytes.toString("utf8"))}; nothing was changed` };
  if (change.do === "write") {
    file.now = { mode: modeAfter(now), bytes: Buffer.from(change.content) };
    return undefined;
  }
  if (now === null) return { code: "no-file", message: `${path} does not exist` };
  switch (change.do) {
    case "edit": {
      const edited = replaceOnce(now.bytes, change.find, change.replace);
      if (!edited.ok) return { code: "no-match", message: `the text to replace ${edited.refusal} in ${path}` };
      file.now = { mode: modeAfter(now), bytes: edited.value };
      return undefined;
    }
    case "delete":
      file.now = null;
      return undefined;
    case "move":
      if (target.now !== null) {
        return { code: "in-the-way", message: `${change.to} exists already; delete it first, or choose another name` };
      }
      target.now = now;
      file.now = null;
      return undefined;
    default:
      return unreachable(change);
  }
}

/** A file stays executable. */
function modeAfter(before: Content): string {
  return before?.mode ?? plainMode;
}

/** Enough of a hash to recognise a file by. */
export function hashOf(entry: string): string {
  return blobOf(entry).slice(0, 12);
}
