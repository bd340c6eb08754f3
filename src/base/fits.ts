// The one loop behind every pattern with stars. Patterns come from agents and from repositories, and a regular expression made of one
// can take for ever.

export type Fitting<Part, Item> = {
  /** The part that stands for any number of items. */
  readonly star: Part;
  readonly matches: (part: Part, item: Item) => boolean;
  /** What may be done for an answer, and goes down with every step. Nothing fits any more when none of it is left. */
  readonly work?: Work;
  /** The items before this one are left out of it. */
  readonly from?: number;
};

export type Work = { stepsLeft: number };

/**
 * Whether the pattern stands for exactly these items, where a star stands for any number of them. When the rest does not
 * fit, only the last star takes one more: what came before it fitted already. So a hostile pattern costs at most its
 * length times that of the items.
 */
export function fits<Part, Item>(
  pattern: readonly Part[],
  items: readonly Item[],
  { star, matches, work = { stepsLeft: Number.POSITIVE_INFINITY }, from = 0 }: Fitting<Part, Item>,
): boolean {
  let part = 0;
  let item = from;
  let retry: { part: number; item: number } | undefined;
  while (item < items.length) {
    if (--work.stepsLeft < 0) return false;
    const wanted = pattern[part];
    if (wanted === star) {
      part++;
      retry = { part, item };
    } else if (wanted !== undefined && matches(wanted, items[item] as Item)) {
      part++;
      item++;
    } else if (retry !== undefined) {
      retry.item++;
      part = retry.part;
      item = retry.item;
    } else {
      return false;
    }
  }
  while (pattern[part] === star) part++;
  return part === pattern.length;
}
