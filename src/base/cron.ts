// Times that come again and again, as cron writes them: minute, hour, day of the month, month, day of the week. Instants are
// milliseconds since 1970; whose hours are meant is said by shifts.

import { refuse, ok, type Result } from "./result.ts";

export type Cron = {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Where both kinds of days are said, one of them is enough. */
  readonly isEitherDay: boolean;
};

/** From this instant on, clocks are so far ahead of UTC. In order; before the first, and without any, they show UTC. */
export type Shift = { readonly fromMs: number; readonly offsetMs: number };

type Field = {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
};

const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const minute: Field = { name: "minute", min: 0, max: 59 };
const hour: Field = { name: "hour", min: 0, max: 23 };
const monthday: Field = { name: "day of the month", min: 1, max: 31 };
const month: Field = { name: "month", min: 1, max: 12, names: monthNames };
// 7 is Sunday, too.
const weekday: Field = { name: "day of the week", min: 0, max: 7, names: weekdayNames };

const shorthands: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
};

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** The 29th of February may be eight years away. */
const daysMax = 366 * 9;

/** What a text means, or what is wrong with it. */
export function parseCron(text: string): Result<Cron, string> {
  const words = (shorthands[text.trim()] ?? text).trim().split(/\s+/);
  const [atMinute, atHour, onDay, inMonth, onWeekday, ...more] = words;
  if (onWeekday === undefined || more.length > 0)
    return refuse(
      `a schedule has five fields (minute, hour, day of the month, month, day of the week), and this has ${words.length}`,
    );
  const minutes = parseField(atMinute ?? "", minute);
  const hours = parseField(atHour ?? "", hour);
  const days = parseField(onDay ?? "", monthday);
  const months = parseField(inMonth ?? "", month);
  const weekdays = parseField(onWeekday, weekday);
  for (const field of [minutes, hours, days, months, weekdays]) if (typeof field === "string") return refuse(field);
  const isEitherDay = !(onDay ?? "").startsWith("*") && !onWeekday.startsWith("*");
  const found = { minutes, hours, days, months, weekdays } as Omit<Cron, "isEitherDay">;
  const cron = { ...found, weekdays: new Set([...found.weekdays].map((day) => day % 7)), isEitherDay };
  if (nextLocal(cron, 0) === undefined) return refuse("no day of any year is meant by this");
  return ok(cron);
}

/** The first instant after this one. Hours that clocks leave out come when they go on; hours that come twice count once. */
export function nextCron(cron: Cron, afterMs: number, shifts: readonly Shift[]): number {
  let local = afterMs + offsetAt(shifts, afterMs);
  for (;;) {
    local = nextLocal(cron, local) ?? Infinity;
    const atMs = toInstant(shifts, local);
    if (atMs > afterMs) return atMs;
  }
}

function parseField(text: string, field: Field): Set<number> | string {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [range = "", step, ...more] = part.split("/");
    const every = step === undefined ? 1 : toNumber(step);
    const [first = "", last, ...rest] = range.split("-");
    const from = range === "*" ? field.min : toValue(first, field);
    const to =
      range === "*" ? field.max : last === undefined ? (step === undefined ? from : field.max) : toValue(last, field);
    const isWrong = more.length > 0 || rest.length > 0 || from === undefined || to === undefined || from > to;
    if (isWrong || every === undefined || every < 1)
      return `the ${field.name} is from ${field.min} to ${field.max}, and ${JSON.stringify(part)} is none`;
    for (let value = from; value <= to; value += every) found.add(value);
  }
  return found;
}

function toValue(text: string, { min, max, names }: Field): number | undefined {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  const value = named === -1 ? toNumber(text) : named + min;
  return value === undefined || value < min || value > max ? undefined : value;
}

function toNumber(text: string): number | undefined {
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

/** As clocks show it: the first minute after this instant. */
function nextLocal(cron: Cron, afterMs: number): number | undefined {
  const fromMs = Math.floor(afterMs / minuteMs) * minuteMs + minuteMs;
  const firstDay = Math.floor(fromMs / dayMs);
  for (let day = firstDay; day < firstDay + daysMax; day++) {
    if (!isMeant(cron, day)) continue;
    const startMinute = day === firstDay ? (fromMs - day * dayMs) / minuteMs : 0;
    for (let at = startMinute; at < 1440; at++)
      if (cron.hours.has(Math.floor(at / 60)) && cron.minutes.has(at % 60)) return day * dayMs + at * minuteMs;
  }
  return undefined;
}

function isMeant({ days, months, weekdays, isEitherDay }: Cron, day: number): boolean {
  const { month: inMonth, dayOfMonth } = toCivil(day);
  if (!months.has(inMonth)) return false;
  // The first of January 1970 was a Thursday.
  const isWeekday = weekdays.has((((day + 4) % 7) + 7) % 7);
  const isDay = days.has(dayOfMonth);
  return isEitherDay ? isDay || isWeekday : isDay && isWeekday;
}

/** The date of a day since 1970, by counting from a first of March: then the day that comes and goes is the last one. */
function toCivil(day: number): { readonly month: number; readonly dayOfMonth: number } {
  const days = day + 719_468;
  const era = Math.floor(days / 146_097);
  const ofEra = days - era * 146_097;
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const dayOfMonth = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  return { month: fromMarch < 10 ? fromMarch + 3 : fromMarch - 9, dayOfMonth };
}

function offsetAt(shifts: readonly Shift[], atMs: number): number {
  return shifts.findLast(({ fromMs }) => fromMs <= atMs)?.offsetMs ?? 0;
}

/** The first instant at which clocks show this, or would if they did not leave it out. */
function toInstant(shifts: readonly Shift[], localMs: number): number {
  const offsets = [...new Set([0, ...shifts.map(({ offsetMs }) => offsetMs)])];
  const shown = offsets.map((offset) => localMs - offset).filter((atMs) => atMs + offsetAt(shifts, atMs) === localMs);
  if (shown.length > 0) return Math.min(...shown);
  // In a gap: as if clocks had not been set forward.
  const after = shifts.findLast(({ fromMs, offsetMs }) => fromMs + offsetMs <= localMs + dayMs) ?? { fromMs: 0 };
  return localMs - offsetAt(shifts, after.fromMs - 1);
}
