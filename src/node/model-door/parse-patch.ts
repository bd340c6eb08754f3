// Reads a patch as models write it: sections that add, delete or update a file, whose hunks are lines that stay, go and
// come. Each hunk becomes the replacement of a text that occurs exactly once.

import { ok, refuse, type Result } from "../../base/result.ts";
import type { FileChange } from "../../ports/runner.ts";

type Section = { readonly kind: string; readonly path: string; readonly lines: string[] };

const heading = /^\*\*\* (Add File|Delete File|Update File|Move to): (.+)$/;
const endOfFile = "*** End of File";
const how = "a patch begins with *** Begin Patch and ends with *** End Patch";

export function parsePatch(text: string): Result<FileChange[], string> {
  const lines = text.trim().split("\n");
  if (lines[0]?.trim() !== "*** Begin Patch" || lines.at(-1)?.trim() !== "*** End Patch") return refuse(how);
  const sections: Section[] = [];
  for (const line of lines.slice(1, -1)) {
    const [, kind, path] = heading.exec(line) ?? [];
    if (kind !== undefined && path !== undefined) sections.push({ kind, path: path.trim(), lines: [] });
    else if (sections.length > 0) sections.at(-1)?.lines.push(line);
    else if (line.trim() !== "") return refuse(`"${line.slice(0, 60)}" stands before the first *** … File: line`);
  }
  if (sections.length === 0) return refuse("it changes no file");
  return toChanges(sections);
}

function toChanges(sections: readonly Section[]): Result<FileChange[], string> {
  const changes: FileChange[] = [];
  let updated: string | undefined;
  for (const { kind, path, lines } of sections) {
    if (kind === "Move to") {
      if (updated === undefined) return refuse(`*** Move to: ${path} has to follow *** Update File:`);
      // The hunks stand below the new name.
      const hunks = toEdits(path, lines);
      if (!hunks.ok) return hunks;
      changes.push({ do: "move", path: updated, to: path, careful: "not-other" }, ...hunks.value);
      updated = undefined;
      continue;
    }
    updated = kind === "Update File" ? path : undefined;
    if (kind === "Delete File") changes.push({ do: "delete", path, careful: "seen" });
    else if (kind === "Add File") {
      const wrong = lines.find((line) => line !== "" && !line.startsWith("+"));
      if (wrong !== undefined)
        return refuse(`every line of an added file begins with +; in ${path} one is "${wrong.slice(0, 60)}"`);
      const content = lines.filter((line) => line !== "").map((line) => `${line.slice(1)}\n`);
      changes.push({ do: "write", path, content: content.join(""), seen: "none" });
    } else {
      const edits = toEdits(path, lines);
      if (!edits.ok) return edits;
      changes.push(...edits.value);
    }
  }
  return ok(changes);
}

function toEdits(path: string, lines: readonly string[]): Result<FileChange[], string> {
  const hunks: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("@@")) hunks.push([]);
    else if (hunks.length === 0 && line !== "") hunks.push([line]);
    else hunks.at(-1)?.push(line);
  }
  const edits: FileChange[] = [];
  for (const hunk of hunks.filter((each) => each.length > 0)) {
    const end = hunk.at(-1) === endOfFile ? "" : "\n";
    const body = hunk.filter((line) => line !== endOfFile);
    const wrong = body.find((line) => line !== "" && !/^[ +-]/.test(line));
    if (wrong !== undefined)
      return refuse(`a line of a hunk begins with a space, - or +; in ${path} one is "${wrong.slice(0, 60)}"`);
    const side = (gone: string): string =>
      body
        .filter((line) => !line.startsWith(gone))
        .map((line) => line.slice(1))
        .join("\n") + end;
    const find = side("+");
    if (find.trim() === "")
      return refuse(`a hunk of ${path} has no line that stays or goes: nobody knows where it belongs`);
    edits.push({ do: "edit", path, find, replace: side("-") });
  }
  return ok(edits);
}
