// Finds what the compiler cannot hide from the pure layers: names that exist in every JavaScript engine and yet make
// the same input give another answer on another day, machine or locale.

import { maskSource } from "./mask-source.ts";
import { type Finding, isTest, lineAt, type SourceFile } from "./source-files.ts";

interface Impurity {
  pattern: RegExp;
  layers: readonly string[];
  advice: string;
}

const pureLayers = ["base", "core", "ports"];
const time = "Time arrives in the input, as engine time in milliseconds.";
const effects = "The core is synchronous: an effect's outcome comes back as another input.";
const order = "Its answer depends on the machine's locale. Compare by code unit with < and >.";

const impurities: readonly Impurity[] = [
  { pattern: /(?<![.\w$])Date\b(?!\s*\??:)/g, layers: pureLayers, advice: time },
  { pattern: /(?<![.\w$])Temporal\b/g, layers: pureLayers, advice: time },
  { pattern: /(?<![.\w$])performance\s*\./g, layers: pureLayers, advice: time },
  {
    pattern: /\bMath\s*\.\s*random\b/g,
    layers: pureLayers,
    advice: "Chance arrives in the input; base/ has a generator that takes a seed.",
  },
  { pattern: /(?<![.\w$])crypto\s*\./g, layers: pureLayers, advice: "Chance and fresh ids arrive in the input." },
  {
    pattern: /(?<![.\w$])(setTimeout|setInterval|setImmediate|queueMicrotask)\b/g,
    layers: pureLayers,
    advice: "Put the instant into the state; the engine sends the input when it has come.",
  },
  {
    pattern: /(?<![.\w$])(console|globalThis)\s*[.[]/g,
    layers: pureLayers,
    advice: "There is no process here. Return what you have to say.",
  },
  // A process is also a word of the domain, and a variable of that name is fine; these are what only Node's own has.
  {
    pattern:
      /(?<![.\w$])process\s*\.\s*(argv|cwd|env|exit|hrtime|nextTick|on|once|pid|platform|std\w+|uptime|version\w*)\b/g,
    layers: pureLayers,
    advice: "There is no process here. What you need arrives in the input.",
  },
  { pattern: /\blocaleCompare\b/g, layers: pureLayers, advice: order },
  { pattern: /\btoLocale\w*/g, layers: pureLayers, advice: order },
  { pattern: /(?<![.\w$])Intl\b/g, layers: pureLayers, advice: order },
  {
    pattern: /(?<![.\w$])(WeakRef|FinalizationRegistry)\b/g,
    layers: pureLayers,
    advice: "When memory is collected is chance.",
  },
  { pattern: /(?<![.\w$])(async|await)\b(?!\s*\??:)/g, layers: ["core"], advice: effects },
  { pattern: /(?<![.\w$])Promise(Like)?\b/g, layers: ["core"], advice: effects },
];

export function checkPurity(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const layer = /^src\/([^/]+)\//.exec(file.path)?.[1] ?? "";
    if (!pureLayers.includes(layer) || isTest(file.path)) return [];
    const masked = maskSource(file.text);
    const findings = impurities
      .filter(({ layers }) => layers.includes(layer))
      .flatMap(({ pattern, advice }) =>
        [...masked.matchAll(pattern)].map((match) => ({
          path: file.path,
          line: lineAt(file.text, match.index),
          message: `${layer}/ may not use \`${match[0].replace(/\s*[.[]$/, "")}\`. ${advice}`,
        })),
      );
    return [...findings, ...findReferences(file, layer)].toSorted((a, b) => a.line - b.line);
  });
}

// A reference is a comment to everyone but the compiler, for which it brings back all the names taken away.
function findReferences({ path, text }: SourceFile, layer: string): Finding[] {
  return [...text.matchAll(/^[ \t]*\/\/\/\s*<reference\b/gm)].map((match) => ({
    path,
    line: lineAt(text, match.index),
    message: `${layer}/ may not use \`/// <reference>\`. It would bring back the names that its tsconfig takes away.`,
  }));
}
