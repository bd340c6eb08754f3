// What a policy or a profile states, in a line: by the names that its form has, and with numbers as people read them.

import { showDollars } from "../../protocol/dollars.ts";
import { toLabel } from "./form-fields.ts";
import { toBytes, toCount } from "./format.ts";

const inBytes = /Bytes$|^maxDisk$|^maxMemory$/;
const listCharsMax = 60;

export function toSettingWords(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => toWords(name, value))
    .join(", ");
}

function toWords(name: string, value: unknown): string {
  const label = toLabel(name).toLowerCase();
  if (value === true) return label;
  if (value === false) return `${label}: no`;
  if (value === null) return `${label}: none`;
  if (Array.isArray(value)) {
    const all = value.map(String).join(" ");
    return all.length > listCharsMax ? label : `${label} ${all}`;
  }
  if (typeof value === "number") return `${label} ${toNumber(name, value)}`;
  return typeof value === "string" ? `${label} ${value}` : label;
}

function toNumber(name: string, value: number): string {
  if (name.endsWith("Ms")) return toWholeSpan(value);
  if (name.endsWith("Micros")) return showDollars(value);
  return inBytes.test(name) ? toBytes(value) : toCount(value);
}

/** A limit is a limit to the second: 90 minutes are not an hour. */
function toWholeSpan(ms: number): string {
  const units = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1000],
  ] as const;
  let left = ms;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    if (left >= size) parts.push(`${Math.floor(left / size)}${unit}`);
    left %= size;
  }
  if (left > 0 || parts.length === 0) parts.push(`${left} ms`);
  return parts.join(" ");
}
