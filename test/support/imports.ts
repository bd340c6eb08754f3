// Finds what a file imports: `import … from`, `export … from`, `import "…"`, `import("…")` and `require("…")`.

import { maskSource } from "./mask-source.ts";
import { lineAt, type SourceFile } from "./source-files.ts";

export interface Import {
  /** Undefined when it is computed and cannot be known without running the code. */
  specifier: string | undefined;
  /** Loaded when it is needed, with `import()`, instead of when the file is. */
  lazy: boolean;
  line: number;
}

const patterns: readonly { pattern: RegExp; lazy: boolean }[] = [
  { pattern: /(?<![.\w$])(?:import|export)\b(?!\s*[.(])(?:[^"'`;()]*?\bfrom)?\s*(?<quote>["'])/g, lazy: false },
  { pattern: /(?<![.\w$])require\s*\(\s*(?<quote>["'`])?/g, lazy: false },
  { pattern: /(?<![.\w$])import\s*\(\s*(?<quote>["'`])?/g, lazy: true },
];

export function findImports({ text }: SourceFile): Import[] {
  const masked = maskSource(text);
  return patterns
    .flatMap(({ pattern, lazy }) =>
      [...masked.matchAll(pattern)].map((match) => {
        const start = match.index + match[0].length;
        const quote = match.groups?.["quote"];
        return {
          specifier: quote === undefined ? undefined : readLiteral(text, start, quote),
          lazy,
          line: lineAt(text, start),
        };
      }),
    )
    .toSorted((a, b) => a.line - b.line);
}

function readLiteral(text: string, start: number, quote: string): string | undefined {
  const literal = text.slice(start, text.indexOf(quote, start));
  return quote === "`" && literal.includes("${") ? undefined : literal;
}
