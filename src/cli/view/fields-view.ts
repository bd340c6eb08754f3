// One thing with many fields, for people: a name and a value per line, what is empty left out.

import type { Output } from "../output.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { padEnd } from "../text/text-width.ts";

export type Field = readonly [name: string, value: string | readonly string[] | null | undefined];

export function toFieldLines(out: Output, fields: readonly Field[]): string[] {
  const shown = fields.flatMap(([name, value]) => {
    const values = value === null || value === undefined ? [] : typeof value === "string" ? [value] : value;
    const filled = values.filter((each) => each !== "");
    return filled.length === 0 ? [] : [{ name, values: filled }];
  });
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  return shown.flatMap(({ name, values }) =>
    values.map((value, at) => `${out.colors.dim(padEnd(at === 0 ? name : "", width))}  ${toSafeLine(value)}`),
  );
}
