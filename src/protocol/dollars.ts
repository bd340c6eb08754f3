// Money on the wire is whole micro-dollars; this is how people read and write it.

const microsPerDollar = 1_000_000;

/** `$1.25`; small amounts keep as many places as it takes to tell them from nothing. */
export function showDollars(micros: number): string {
  const dollars = micros / microsPerDollar;
  if (micros === 0 || Math.abs(dollars) >= 0.01) return `$${dollars.toFixed(2)}`;
  return `$${dollars.toFixed(6).replace(/0+$/, "")}`;
}

/** The micro-dollars that somebody wrote as dollars, or undefined: at most six places, nothing below zero. */
export function parseDollars(text: string): number | undefined {
  const written = /^\$?(\d{1,9}(?:\.\d{1,6})?)$/.exec(text.trim())?.[1];
  return written === undefined ? undefined : Math.round(Number(written) * microsPerDollar);
}
