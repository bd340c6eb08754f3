// Numbers and times as people read them.

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long: 41s, 12m, 3h, 2d. The exact instant belongs into a title. */
export function toSpan(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.floor(ms / secondMs))}s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)}m`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)}h`;
  return `${Math.floor(ms / dayMs)}d`;
}

/** How long something took that may have been over at once: 8 ms, 2.8 s, 41s. */
export function toTook(ms: number): string {
  if (ms < secondMs) return `${Math.max(0, Math.round(ms))} ms`;
  return ms < 10 * secondMs ? `${(ms / secondMs).toFixed(1)} s` : toSpan(ms);
}

/** What is left: 0:42, 4:10, 1:02:00. Never negative: what is due says 0:00 until the daemon says that it is over. */
export function toCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / secondMs));
  const two = (value: number): string => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** The time of day, to the second: 14:35:02. */
export function toClock(wallMs: number): string {
  const at = new Date(wallMs);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** To the millisecond, with its day: 2026-11-15 14:35:02.417. */
export function toExact(wallMs: number): string {
  const at = new Date(wallMs);
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  return `${day} ${toClock(wallMs)}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/**
 * What somebody wrote as `toExact` and `toClock` write it, with as much of the time of day as they like: 2026-11-15 14:35, or 14:35:02 on
 * the day that `nowMs` is in. Null where it is none.
 */
export function readInstant(text: string, nowMs = Date.now()): number | null {
  const found = /^(?:(\d{4})-(\d\d)-(\d\d)(?:[T ]|$))?(?:(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?$/.exec(
    text.trim(),
  );
  if (found === null || text.trim() === "") return null;
  const [, year, month, day, ...clock] = found;
  const [hours = 0, minutes = 0, seconds = 0] = clock.slice(0, 3).map((part) => Number(part ?? 0));
  const today = new Date(nowMs);
  const at = new Date(
    ...([Number(year ?? today.getFullYear()), month === undefined ? today.getMonth() : Number(month) - 1] as const),
    day === undefined ? today.getDate() : Number(day),
    ...([hours, minutes, seconds, Number((clock[3] ?? "").padEnd(3, "0"))] as const),
  );
  // A 31st of February would be taken for a day in March.
  const isThere =
    (month === undefined || at.getMonth() === Number(month) - 1) && hours < 24 && minutes < 60 && seconds < 60;
  return isThere ? at.getTime() : null;
}

export function toOrdinal(place: number): string {
  const tens = place % 100;
  const suffix = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${suffix}`;
}

/** Made once: to make one takes longer than to write a hundred numbers. */
const counts = new Intl.NumberFormat("en-US");

/** 1,204 */
export function toCount(value: number): string {
  return counts.format(value);
}

/** 1 run, 2 runs */
export function toMany(count: number, noun: string): string {
  return `${toCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function toBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KB`;
  if (bytes < 1024 ** 3) return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}
