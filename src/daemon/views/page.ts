// Lists that have the newest first, page by page.

import { numberOfId } from "../number-of-id.ts";

/** What comes after an id in a list that has the newest first, also when that one is gone. */
export function from<T extends { readonly id: string }>(items: readonly T[], after: string | undefined): readonly T[] {
  const number = after === undefined ? undefined : numberOfId(after);
  return number === undefined ? items : items.filter((item) => (numberOfId(item.id) ?? 0) < number);
}

/** Where the next page goes on; null where there is none. */
export function nextOf<T extends { readonly id: string }>(all: readonly T[], page: readonly T[]): string | null {
  const last = page.at(-1);
  return last === undefined || last === all.at(-1) ? null : last.id;
}
