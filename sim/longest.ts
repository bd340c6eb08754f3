// How long things took at most that have to end, in the time of their world: what a person may have to wait for.

export const spans = {
  /** While a world is hurt its machines and daemons are gone for long, which counts. */
  ladder: "from the first rung of a ladder until its agent was up, in error or gone",
  heal: "from the end of all faults until everything that was begun had ended",
} as const;

export type Span = keyof typeof spans;
/** With the seed of the world in which it was so. */
export type Longest = { readonly span: Span; readonly ms: number; readonly seed: number };

/** The longest of each, whichever world it was in. */
export function longestOf(all: readonly Longest[]): Longest[] {
  const most = new Map<Span, Longest>();
  for (const each of all) if (each.ms > (most.get(each.span)?.ms ?? -1)) most.set(each.span, each);
  return (Object.keys(spans) as Span[]).flatMap((span) => most.get(span) ?? []);
}

export function toLine({ span, ms, seed }: Longest): string {
  const seconds = Math.ceil(ms / 1000);
  const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `longest: ${time} ${spans[span]} (seed ${seed})`;
}
