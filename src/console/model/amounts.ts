// Numbers in a form, said again as people say them: 1800000 is 30 minutes.

import { showDollars } from "../../protocol/dollars.ts";
import { toBytes, toSpan } from "./format.ts";

export function toAmount(text: string, unit: "ms" | "micros" | "bytes"): string {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value))
    return { ms: "ms", micros: "millionths of a dollar", bytes: "bytes" }[unit];
  if (unit === "bytes") return `bytes, ${toBytes(value)}`;
  if (unit === "micros") return `millionths of a dollar, ${showDollars(value)}`;
  return value < 1000 ? "ms" : `ms, ${toSpan(value)}`;
}
