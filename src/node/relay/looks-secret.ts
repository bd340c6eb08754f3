// Whether somebody is about to write a secret where it would be kept in plain.

import { finderOf } from "./redactor.ts";

/** How credentials of well-known makers begin. */
const shapes =
  /\bsk-[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-[\w-]{10,}|\bAIza[\w-]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY/;

/** Whether a text has one of the values in it, in any spelling, or something that looks like a credential. */
export function looksSecret(text: string, values: readonly string[]): boolean {
  return shapes.test(text) || finderOf(values).find(Buffer.from(text), true).spans.length > 0;
}
