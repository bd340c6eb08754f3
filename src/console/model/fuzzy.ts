// How well what somebody typed fits a text: all its letters in order, the better the closer together and the nearer to the
// beginnings of words. Several words may come in any order.

/** Higher is better; undefined is no match. */
export function fitOf(typed: string, text: string): number | undefined {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const lower = text.toLowerCase();
  let total = 0;
  for (const word of words) {
    const fit = fitOfWord(word, lower);
    if (fit === undefined) return undefined;
    total += fit;
  }
  // Of two that fit alike, the shorter one is meant.
  return total - Math.min(text.length, 200) / 1000;
}

const isPart = /[\p{L}\p{N}]/u;

function fitOfWord(word: string, text: string): number | undefined {
  const whole = text.indexOf(word);
  if (whole >= 0) return word.length * 3 + (startsWord(text, whole) ? 6 : 0) + (whole === 0 ? 3 : 0);
  let fit = 0;
  let at = -1;
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    // Letters far apart, in the middle of words, are chance.
    fit += next === at + 1 ? 2 : startsWord(text, next) ? 1.5 : -Math.min(2, (next - at) / 8);
    at = next;
  }
  return fit > 0 ? fit : undefined;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || !isPart.test(text.charAt(at - 1));
}
