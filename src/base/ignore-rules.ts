// Which names a `.gitignore` leaves out. The rules of a folder come after those of the folders above it, and the last one
// that matches decides. A folder that is left out takes everything beneath along; nobody looks inside it.

type IgnoreRule = {
  readonly pattern: RegExp;
  /** Matched against the path from the rule's own folder, not against the last name alone. */
  readonly byPath: boolean;
  readonly foldersOnly: boolean;
  readonly keeps: boolean;
};

/** The rules in force in one folder. */
export class IgnoreRules {
  readonly #above: IgnoreRules | undefined;
  readonly #name: string;
  readonly #rules: readonly IgnoreRule[];

  private constructor(above: IgnoreRules | undefined, name: string, text: string) {
    this.#above = above;
    this.#name = name;
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

  /** Whether a name in this folder is left out. */
  ignores(name: string, isFolder: boolean): boolean {
    return this.#lookUp(name, name, isFolder);
  }

  /** The nearest folder that says anything decides. */
  #lookUp(path: string, name: string, isFolder: boolean): boolean {
    const decided = this.#decide(path, name, isFolder);
    if (decided !== undefined) return decided;
    const above = this.#above;
    return above === undefined ? false : above.#lookUp(`${this.#name}/${path}`, name, isFolder);
  }

  #decide(path: string, name: string, isFolder: boolean): boolean | undefined {
    const rule = this.#rules.findLast((each) => {
      if (each.foldersOnly && !isFolder) return false;
      return each.pattern.test(each.byPath ? path : name);
    });
    return rule === undefined ? undefined : !rule.keeps;
  }
}

function parseRules(text: string): IgnoreRule[] {
  return text.split("\n").flatMap((line) => {
    const rule = parseRule(line.replace(/\r$/, ""));
    return rule === undefined ? [] : [rule];
  });
}

function parseRule(line: string): IgnoreRule | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  // Spaces at the end count only behind a backslash.
  let glob = line.replace(/(?<!\\)((?:\\\\)*) +$/, "$1");
  const keeps = glob.startsWith("!");
  if (keeps) glob = glob.slice(1);
  const foldersOnly = glob.endsWith("/");
  if (foldersOnly) glob = glob.slice(0, -1);
  const byPath = glob.includes("/");
  if (glob.startsWith("/")) glob = glob.slice(1);
  if (glob === "") return undefined;
  const pattern = toPattern(glob);
  return pattern === undefined ? undefined : { pattern, byPath, foldersOnly, keeps };
}

/** Undefined for a glob that is broken: such a rule matches nothing. */
function toPattern(glob: string): RegExp | undefined {
  let source = "^";
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] ?? "";
    if (char === "\\") {
      if (at + 1 === glob.length) return undefined;
      source += escape(glob[++at] ?? "");
    } else if (char === "*") {
      const stars = glob.slice(at).match(/^\*+/)?.[0].length ?? 1;
      const opens = at === 0 || glob[at - 1] === "/";
      const next = glob[at + stars];
      if (stars === 2 && opens && next === "/") {
        source += "(?:[^/]+/)*";
        at += 2;
        continue;
      }
      if (stars === 2 && opens && next === undefined) source += ".+";
      else source += "[^/]*";
      at += stars - 1;
    } else if (char === "?") source += "[^/]";
    else if (char === "[") {
      const set = readSet(glob, at);
      if (set === undefined) return undefined;
      source += set.source;
      at = set.end;
    } else source += escape(char);
  }
  try {
    return new RegExp(`${source}$`, "su");
  } catch {
    return undefined;
  }
}

/** A set of characters such as `[a-c]` or `[!x]`. */
function readSet(glob: string, start: number): { readonly source: string; readonly end: number } | undefined {
  let at = start + 1;
  const negated = glob[at] === "!" || glob[at] === "^";
  if (negated) at++;
  let body = "";
  for (let first = true; at < glob.length; at++, first = false) {
    const char = glob[at] ?? "";
    if (char === "]" && !first) return { source: `(?!/)[${negated ? "^" : ""}${body}]`, end: at };
    if (char === "[" && glob[at + 1] === ":") {
      const named = glob.slice(at).match(/^\[:([a-z]+):\]/);
      const characters = named?.[1] === undefined ? undefined : namedSets[named[1]];
      if (named === null || characters === undefined) return undefined;
      body += characters;
      at += named[0].length - 1;
    } else if (char === "\\") body += glob[++at] === "-" ? "\\-" : escape(glob[at] ?? "");
    else body += char === "-" ? "-" : escape(char);
  }
  return undefined;
}

const namedSets: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  punct: "!-\\/:-@\\[-`{-~",
  xdigit: "0-9a-fA-F",
};

/** A dash means something in a set alone, and may not be escaped elsewhere: then the whole rule would be lost. */
function escape(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}
