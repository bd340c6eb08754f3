// Times in a template: `500ms`, `10s`, `1m30s`. Never a bare number: some would read seconds and others milliseconds.

export const durationPattern = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

const part = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
const unitsMs = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

/** Of a text that has the form; in whole milliseconds. */
export function toMs(text: string): number {
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(part)) ms += Number(amount) * unitsMs[unit as keyof typeof unitsMs];
  return Math.round(ms);
}

/** In the largest unit that has no fraction: read again, it is the same number. */
export function spellMs(ms: number): string {
  const unit = (["h", "m", "s"] as const).find((each) => ms >= unitsMs[each] && ms % unitsMs[each] === 0) ?? "ms";
  return `${ms / unitsMs[unit]}${unit}`;
}
