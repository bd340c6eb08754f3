// How many cells a letter takes. Terminals do not agree on that, so of what a program says in a pane only that is drawn which no
// terminal draws beyond the pane, and where the next letter stands is said after each on which they might differ.

import { widthOf } from "../../text/text-width.ts";

/** How a terminal of ours is told the width of letters, as @xterm/headless asks for it. */
type Measure = {
  readonly version: string;
  readonly wcwidth: (codepoint: number) => 0 | 1 | 2;
  readonly charProperties: (codepoint: number, preceding: number) => number;
};

/** More than any language puts on one letter. */
const marksMax = 4;
const sign = "\ufffd";
// Letters, lines and blocks that take one cell everywhere, and marks that take none.
const surelyOne =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u0556\u1e00-\u1fff\u2010-\u2027\u2190-\u2193\u2200-\u22ff\u2500-\u259f\u2800-\u28ff]$/u;
const surelyNone = /^[\u0300-\u036f]$/u;
// What turns the direction of reading, joins letters or chooses between their looks: it changes what stands around it.
const unseen = /[\p{Cf}\ufe00-\ufe0f]/gu;

/** What is drawn for a cell, and whether every terminal agrees where it ends. */
export function drawCell(
  chars: string,
  { wide, room }: { readonly wide: number; readonly room: number },
): { readonly text: string; readonly isSure: boolean } {
  if (chars === "") return { text: " ".repeat(wide), isSure: true };
  // One cell can hold marks without end.
  const letters = Array.from(chars.slice(0, 64).replace(unseen, "")).slice(0, 1 + marksMax);
  const reach = letters.reduce((sum, letter) => sum + reachOf(letter), 0);
  const isFit = letters.length > 0 && reach <= room;
  const text = isFit ? letters.join("") : sign.padEnd(wide);
  return { text, isSure: !isFit || (letters.length === 1 && reach === 1 && wide === 1) };
}

/** As terminals of today do, and the programs in them. */
export function measureOf(version: string): Measure {
  const known = new Uint8Array(0x1_0000);
  const wcwidth = (codepoint: number): 0 | 1 | 2 => {
    if (codepoint >= 0x20 && codepoint < 0x7f) return 1;
    if (codepoint < 0xa0) return 0;
    const before = known[codepoint] ?? 0;
    if (before > 0) return (before - 1) as 0 | 1 | 2;
    const width = widthOf(String.fromCodePoint(codepoint)) as 0 | 1 | 2;
    if (codepoint < known.length) known[codepoint] = width + 1;
    return width;
  };
  return {
    version,
    wcwidth,
    // The width is in the second and third bit, and the first says that it joins what was before, whose width it then has.
    charProperties: (codepoint, preceding) => {
      const width = wcwidth(codepoint);
      const before = (preceding >> 1) & 3;
      return width === 0 && before > 0 ? (before << 1) | 1 : width << 1;
    },
  };
}

/** How many cells a letter may take on any terminal. */
function reachOf(letter: string): number {
  if (surelyNone.test(letter)) return 0;
  return surelyOne.test(letter) ? 1 : 2;
}
