// A change as the text that everyone reads: a unified diff with git's headers, which `git apply` also takes. Only files
// that are not text are named rather than shown.

import { kindOf, blobOf, modeOf, type Entry } from "./entry.ts";
import { contextLines, type Hunk, hunksOf } from "./hunks.ts";
import { splitLines } from "./text-diff.ts";
import { decodeText } from "./utf8.ts";

/** One side of a change. `bytes` are the file's, or a link's target; a submodule has none. */
export type DiffSide = { readonly entry: Entry; readonly bytes: Uint8Array | null };

export type DiffOrder = {
  readonly path: string;
  /** Where it was before, when it was moved here. */
  readonly movedFrom?: string;
  readonly base: DiffSide;
  readonly work: DiffSide;
};

const nowhere: DiffSide = { entry: null, bytes: null };
const abbreviated = 12;

/** The diff of one path; empty when nothing changed. */
export function renderDiff({ path, movedFrom = path, base, work }: DiffOrder): string {
  if (base.entry === work.entry && movedFrom === path) return "";
  // What became another kind of thing is one thing gone and another one new.
  if (base.entry !== null && work.entry !== null && kindOf(base.entry) !== kindOf(work.entry)) {
    return renderDiff({ path: movedFrom, base, work: nowhere }) + renderDiff({ path, base: nowhere, work });
  }
  const from = quotePath(`a/${movedFrom}`);
  const to = quotePath(`b/${path}`);
  const head = [`diff --git ${from} ${to}`, ...modeLines(base.entry, work.entry)];
  if (movedFrom !== path) head.push(`rename from ${quotePath(movedFrom)}`, `rename to ${quotePath(path)}`);
  if (!isSameBlob(base.entry, work.entry)) head.push(indexLine(base.entry, work.entry));
  const texts = { base: shown(base), work: shown(work) };
  const before = base.entry === null ? "/dev/null" : from;
  const after = work.entry === null ? "/dev/null" : to;
  if (texts.base === undefined || texts.work === undefined) {
    if (!isSameBlob(base.entry, work.entry)) head.push(`Binary files ${before} and ${after} differ`);
    return `${head.join("\n")}\n`;
  }
  const body = renderHunks(hunksOf({ base: texts.base, work: texts.work }), splitLines(texts.base));
  if (body !== "") head.push(`--- ${before}${tabAfter(before)}`, `+++ ${after}${tabAfter(after)}`);
  return `${head.join("\n")}\n${body}`;
}

/** What is compared of a side: nothing where there is no file, undefined where it cannot be shown. */
function shown({ entry, bytes }: DiffSide): string | undefined {
  if (entry === null) return "";
  if (kindOf(entry) === "submodule") return `Subproject commit ${blobOf(entry)}\n`;
  return bytes === null ? undefined : decodeText(bytes);
}

function modeLines(base: Entry, work: Entry): string[] {
  if (base === null) return work === null ? [] : [`new file mode ${modeOf(work)}`];
  if (work === null) return [`deleted file mode ${modeOf(base)}`];
  return modeOf(base) === modeOf(work) ? [] : [`old mode ${modeOf(base)}`, `new mode ${modeOf(work)}`];
}

function isSameBlob(base: Entry, work: Entry): boolean {
  return base !== null && work !== null && blobOf(base) === blobOf(work);
}

function indexLine(base: Entry, work: Entry): string {
  const name = (entry: Entry): string =>
    (entry === null ? "0" : blobOf(entry)).padEnd(abbreviated, "0").slice(0, abbreviated);
  const isSameMode = base !== null && work !== null && modeOf(base) === modeOf(work);
  return `index ${name(base)}..${name(work)}${isSameMode ? ` ${modeOf(base)}` : ""}`;
}

/** Hunks whose context would overlap are shown together. */
function renderHunks(hunks: readonly Hunk[], base: readonly string[]): string {
  let text = "";
  let together: Hunk[] = [];
  for (const [at, hunk] of hunks.entries()) {
    together.push(hunk);
    const next = hunks[at + 1];
    if (next !== undefined && next.baseFrom - hunk.baseTo <= 2 * contextLines) continue;
    text += renderTogether(together, base);
    together = [];
  }
  return text;
}

function renderTogether(hunks: readonly Hunk[], base: readonly string[]): string {
  const first = hunks[0];
  const last = hunks.at(-1);
  if (first === undefined || last === undefined) return "";
  const from = Math.max(0, first.baseFrom - contextLines);
  const to = Math.min(base.length, last.baseTo + contextLines);
  const workFrom = first.workFrom - (first.baseFrom - from);
  const workTo = last.workTo + (to - last.baseTo);
  let text = `@@ -${range(from, to)} +${range(workFrom, workTo)} @@\n`;
  let at = from;
  for (const hunk of hunks) {
    text += prefixed(" ", base.slice(at, hunk.baseFrom)) + prefixed("-", hunk.removed) + prefixed("+", hunk.added);
    at = hunk.baseTo;
  }
  return text + prefixed(" ", base.slice(at, to));
}

/** An empty range is named by the line before it, as `diff` always did. */
function range(from: number, to: number): string {
  const count = to - from;
  return count === 1 ? String(from + 1) : `${count === 0 ? from : from + 1},${count}`;
}

function prefixed(sign: string, lines: readonly string[]): string {
  return lines
    .map((line) => (line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`))
    .join("");
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };

/** Names with quotes, backslashes or control characters are quoted as in C; all others stand as they are. */
function quotePath(path: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this finds
  const special = /[\u0000-\u001f\u007f"\\]/g;
  if (path.search(special) < 0) return path;
  const octal = (char: string): string => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return `"${path.replaceAll(special, (char) => escapes[char] ?? octal(char))}"`;
}

/** After a name with a space a tab says where it ends. */
function tabAfter(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? "\t" : "";
}
