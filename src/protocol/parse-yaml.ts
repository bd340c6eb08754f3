// The library that reads YAML, kept from taking long over what nobody means.

import { type Document, type LineCounter, parseDocument } from "yaml";

/** Of brackets that are open at once, also in texts: nobody writes so many, and the library takes long to give up. */
const bracketsMax = 1000;

export function opensTooMany(source: string): boolean {
  let open = 0;
  for (const [bracket] of source.matchAll(/[[\]{}]/g)) {
    open = bracket === "[" || bracket === "{" ? open + 1 : Math.max(0, open - 1);
    if (open > bracketsMax) return true;
  }
  return false;
}

/**
 * Without pictures of each mistake and without a search for repeated keys, which take quadratic time, and without stacks:
 * there may be one for each character. A second document is a mistake; with a level of `silent` it would go unheard.
 */
export function parseQuickly(source: string, lineCounter?: LineCounter): Document.Parsed {
  const errors = Error as { stackTraceLimit?: number };
  const { stackTraceLimit } = errors;
  errors.stackTraceLimit = 0;
  const options = { strict: true, uniqueKeys: false, logLevel: "error", prettyErrors: false } as const;
  try {
    return parseDocument(source, lineCounter === undefined ? options : { ...options, lineCounter });
  } finally {
    errors.stackTraceLimit = stackTraceLimit ?? 10;
  }
}
