// Durations as people write and read them: `500ms`, `10s`, `5m`, `1h`.

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const pattern = /^(?:(\d+(?:\.\d+)?)(ms|s|m|h|d))+$/;
const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** Reads `10s` or `1m30s` as milliseconds. */
export function parseDuration(text: string): number {
  if (!pattern.test(text)) {
    const hint = /^\d+(\.\d+)?$/.test(text) ? ` Did you mean ${text}s?` : "";
    throw new Error(`a duration is a number with a unit, such as 500ms, 10s, 5m or 1h.${hint}`);
  }
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(part)) totalMs += Number(amount) * unitsMs[unit as keyof typeof unitsMs];
  const ms = Math.round(totalMs);
  if (!Number.isSafeInteger(ms)) throw new Error("this duration is too long to count.");
  return ms;
}

/** The same within bounds. */
export function parseDurationBetween(minMs: number, maxMs: number): (text: string) => number {
  return (text) => {
    const ms = parseDuration(text);
    if (ms >= minMs && ms <= maxMs) return ms;
    throw new Error(`it has to be from ${spellDuration(minMs)} to ${spellDuration(maxMs)}.`);
  };
}

/** How long, short enough for a table: `12s`, `3m20s`, `2h15m`, `4d3h`. */
export function showDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return two(minutes, "m", seconds % 60, "s");
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return two(hours, "h", minutes % 60, "m");
  return two(Math.floor(hours / 24), "d", hours % 24, "h");
}

/** The same where fractions matter: `0.42s`, `12.3s`, then as above. */
export function showExactDuration(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(2)}s`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)}s`;
  return showDuration(ms);
}

/** A setting, spelled as it would be typed: `100ms`, `1m30s`. */
export function spellDuration(ms: number): string {
  if (ms % 1000 !== 0) return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
  return showDuration(ms);
}

function two(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`;
}
