// Small rules of order that no linter knows.

import { findTestCalls } from "./test-calls.ts";
import { type Finding, isTest, lineAt, type SourceFile } from "./source-files.ts";

const lineCountMax = 500;
const fileName = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
const assertion = /(?<![\w$])(expect|assert|check)\w*\s*[.(<]/i;
// Spelled apart, so that this file passes its own check.
const leftover = /\b(TO[D]O|FIX[M]E|XX[X])\b/g;

/** In a value: hexadecimal, by a function, or by a name. The name of a custom property may have one in it. */
const colour =
  /#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|(?<![\w-])(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|light-dark)\(|(?<=:[^;{}]*)(?<![\w.#-])(?:white|black|red|green|blue|gray|grey|orange|yellow|silver|navy|teal|purple|maroon|lime|aqua|fuchsia|olive)(?![\w-])/gi;

export function checkFileSize(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const lineCount = text.trimEnd().split("\n").length;
    if (lineCount <= lineCountMax) return [];
    const message = `${lineCount} lines. Past ${lineCountMax} the next idea starts a new file: look for the seam and move one part out.`;
    return [{ path, line: lineCountMax, message }];
  });
}

export function checkFileNames(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path }) => {
    const bad = path.split("/").find((name) => !fileName.test(name));
    if (bad === undefined) return [];
    return [
      { path, line: 1, message: `"${bad}" is not kebab-case. Call files after what they export: \`claim-queue.ts\`.` },
    ];
  });
}

/** A folder that the map leaves out is one that a newcomer has to guess at. */
export function checkMap(map: SourceFile, files: readonly SourceFile[]): Finding[] {
  const folders = files.flatMap(({ path }) => {
    const [top, layer = "", part = ""] = path.split("/").slice(0, -1);
    const isDivided = part !== "" && (layer === "core" || layer === "node");
    return [`${top}/${layer}`, ...(isDivided ? [`${top}/${layer}/${part}`] : [])];
  });
  const missing = [...new Set(folders)].filter((folder) => !map.text.includes(`\`${folder}\``));
  const message = (folder: string): string =>
    `${folder} is not on the map. Add a row: what it owns, and where to start.`;
  return missing.map((folder) => ({ path: map.path, line: 1, message: message(folder) }));
}

export function checkLeftovers(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(leftover)].map((match) => ({
      path,
      line: lineAt(text, match.index),
      message: `"${match[0]}" is a promise that nobody keeps. Do it now, or open an issue and leave the code whole.`,
    })),
  );
}

/** Colours have names, so that both themes and their contrast are looked after in one place. */
export function checkColours(sheets: readonly SourceFile[]): Finding[] {
  return sheets.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(colour)].map((match) => ({
      path,
      line: lineAt(text, match.index),
      message: `\`${match[0].replace(/^:\s*/, "")}\` is a colour. Give it a name in src/console/style/tokens.css, light and dark, and use that.`,
    })),
  );
}

/** As long as it was, so that places in it stay. */
function withoutComments(css: string): string {
  return css.replace(/\/\*.*?\*\//gs, (comment) => comment.replace(/[^\n]/g, " "));
}

export function checkOpeningComments(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    if (isTest(path) || /^\s*(\/\/|\/\*)/.test(text)) return [];
    return [
      { path, line: 1, message: "a file in the core opens with a comment: what it owns, and what it does not know." },
    ];
  });
}

export function checkTests(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isTest(path))
    .flatMap((file) => {
      const calls = findTestCalls(file);
      const findings = calls.flatMap(({ kind, modifiers, title, body, line }) => {
        const idle = modifiers.find((word) => ["only", "skip", "todo", "fails"].includes(word));
        if (idle !== undefined) {
          const message = `${kind}.${idle} hides tests. Mend or remove it; use skipIf when a machine may lack something.`;
          return [{ path: file.path, line, message }];
        }
        if (kind === "describe" || assertion.test(body)) return [];
        const message = `"${title}" asserts nothing, so it can only fail by accident. Use expect, or a helper called expect…, assert… or check….`;
        return [{ path: file.path, line, message }];
      });
      if (calls.some(({ kind }) => kind === "test") || /\bdescribe\w+\s*\(/.test(file.text)) return findings;
      return [...findings, { path: file.path, line: 1, message: "a test file without a test." }];
    });
}
