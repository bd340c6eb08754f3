// Which names a `.gitignore` leaves out. The rules of a folder come after those of the folders above it, and the last one
// that matches decides. A folder that is left out takes everything beneath along; nobody looks inside it.
//
// Agents write these files, and both the daemon and the keepers read them. So everything about them is bounded, and beyond the bounds
// nothing is left out (LD61).

import type { Work } from "./fits.ts";
import { type IgnoreGlob, type Name, namesPath, parseIgnoreGlob, toName } from "./ignore-glob.ts";

/** A longer file has no rules. Nor has one with more of them: half of it would leave out what the other half keeps. */
export const ignoreCharsMax = 1024 * 1024;
const rulesMax = 10_000;
/** A longer rule matches nothing. */
const ruleCharsMax = 4096;
/** What is done for one name. Ten thousand usual rules take a tenth of it. */
export const ignoreStepsMax = 1_000_000;

type IgnoreRule = {
  readonly glob: IgnoreGlob;
  /** Matched against the path from the rule's own folder, not against the last name alone. */
  readonly byPath: boolean;
  readonly foldersOnly: boolean;
  readonly keeps: boolean;
};

/** A name that somebody asks about, and what may still be done to answer. */
type Asked = { readonly path: readonly Name[]; readonly isFolder: boolean; readonly work: Work };

/** The rules in force in one folder. */
export class IgnoreRules {
  readonly #above: IgnoreRules | undefined;
  readonly #name: Name;
  readonly #rules: readonly IgnoreRule[];

  private constructor(above: IgnoreRules | undefined, name: string, text: string) {
    this.#above = above;
    this.#name = toName(name);
    this.#rules = parseRules(text);
  }

  /** For the root of a project, with the text of its `.gitignore`. */
  static forRoot(text: string): IgnoreRules {
    return new IgnoreRules(undefined, "", text);
  }

  /** For a folder beneath, with the text of its own file if it has one. */
  within(folder: string, text: string): IgnoreRules {
    return new IgnoreRules(this, folder, text);
  }

  /** Whether a name in this folder is left out. Whoever has many questions may give all of them one measure of work. */
  ignores(name: string, isFolder: boolean, work: Work = { stepsLeft: ignoreStepsMax }): boolean {
    const folders: IgnoreRules[] = [this];
    for (let above = this.#above; above !== undefined; above = above.#above) {
      if (--work.stepsLeft < 0) return false;
      folders.push(above);
    }
    const [, ...below] = folders.toReversed();
    const path = [...below.map((folder) => folder.#name), toName(name)];
    // The nearest folder that says anything decides.
    for (const [up, folder] of folders.entries()) {
      const decided = folder.#decide(below.length - up, { path, isFolder, work });
      if (decided !== undefined) return decided;
    }
    return false;
  }

  /** What the rules of this folder say, in which the path goes on with the name at `from`. */
  #decide(from: number, { path, isFolder, work }: Asked): boolean | undefined {
    const rule = this.#rules.findLast(({ glob, byPath, foldersOnly }) => {
      // Each is a step by itself, also one that does not come into question.
      if (--work.stepsLeft < 0) return true;
      return (!foldersOnly || isFolder) && namesPath(glob, path, byPath ? from : path.length - 1, work);
    });
    if (work.stepsLeft < 0) return false;
    return rule === undefined ? undefined : !rule.keeps;
  }
}

function parseRules(text: string): IgnoreRule[] {
  if (text.length > ignoreCharsMax) return [];
  const rules: IgnoreRule[] = [];
  for (const line of text.split("\n")) {
    const rule = parseRule(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (rule === undefined) continue;
    if (rules.length === rulesMax) return [];
    rules.push(rule);
  }
  return rules;
}

function parseRule(line: string): IgnoreRule | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  let text = withoutSpaces(line);
  if (text.length > ruleCharsMax) return undefined;
  const keeps = text.startsWith("!");
  if (keeps) text = text.slice(1);
  const foldersOnly = text.endsWith("/");
  if (foldersOnly) text = text.slice(0, -1);
  const byPath = text.includes("/");
  if (text.startsWith("/")) text = text.slice(1);
  if (text === "") return undefined;
  const glob = parseIgnoreGlob(text);
  return glob === undefined ? undefined : { glob, byPath, foldersOnly, keeps };
}

/** Spaces at the end count only behind a backslash. */
function withoutSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === " ") continue;
    if (line[at] === "\\") at++;
    end = at + 1;
  }
  return line.slice(0, end);
}
