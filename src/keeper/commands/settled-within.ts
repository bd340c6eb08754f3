const lookMs = 20;

/** Resolves as soon as it is done, and after so long at the latest. */
export async function settledWithin(ms: number, isDone: () => boolean): Promise<void> {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs && !isDone()) await new Promise((resolve) => setTimeout(resolve, lookMs));
}
