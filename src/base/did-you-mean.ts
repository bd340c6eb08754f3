// Finds what somebody probably meant: typing mistakes are a letter missing, added, wrong, or two exchanged.

/** The closest of the known words, best first; empty when none is close. */
export function closest(word: string, known: Iterable<string>, countMax = 3): string[] {
  const wanted = word.toLowerCase();
  const near = [...new Set(known)].flatMap((candidate) => {
    const name = candidate.toLowerCase();
    const distance = editDistance(wanted, name);
    if (distance <= Math.max(1, Math.floor(wanted.length / 3))) return [{ candidate, distance }];
    // A beginning that is long enough to mean it.
    return wanted.length >= 3 && name.startsWith(wanted) ? [{ candidate, distance: 10 + distance }] : [];
  });
  return near
    .toSorted((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, countMax)
    .map(({ candidate }) => candidate);
}

/** ` Did you mean a or b?`, with a space in front, or nothing at all. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const found = closest(word, known);
  if (found.length === 0) return "";
  const last = found.at(-1) ?? "";
  return ` Did you mean ${found.length === 1 ? last : `${found.slice(0, -1).join(", ")} or ${last}`}?`;
}

/** Damerau and Levenshtein's distance, in which exchanged neighbours count as one mistake. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (exchanged) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
