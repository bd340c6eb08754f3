import { ok, refuse, type Result } from "../../base/result.ts";

/** Replaces a text that occurs exactly once. Works on bytes, so that whatever else is in the file stays as it is. */
export function replaceOnce(before: Buffer, find: string, replace: string): Result<Buffer, string> {
  const wanted = Buffer.from(find);
  const first = wanted.length === 0 ? -1 : before.indexOf(wanted);
  if (first < 0) return refuse("does not occur");
  if (before.includes(wanted, first + 1)) return refuse("occurs more than once, and has to occur exactly once,");
  return ok(Buffer.concat([before.subarray(0, first), Buffer.from(replace), before.subarray(first + wanted.length)]));
}
