// Which steps of a run have to be asked for, where the page has only some of them.

import type { RunStory } from "../../protocol/wire/story.ts";

export type StepPage = RunStory["steps"];
/** The steps around a call, or around a place among all. */
export type StepQuestion = { readonly step: number } | { readonly place: number };

/** Whoever comes so near to the end of what is there goes on soon. */
const nearRows = 10;

/** Null where everything is there that is looked at. `wanted` is a place where somebody wants to go. */
export function toStepQuestion(now: {
  readonly page: StepPage | null;
  readonly call: number | null;
  readonly wanted: number | null;
  readonly count: number;
}): StepQuestion | null {
  const { page, call, wanted, count } = now;
  if (wanted !== null) return page?.rows[wanted - page.from] === undefined ? { place: wanted } : null;
  if (call === null || count === 0) return null;
  const at = page?.rows.findIndex((row) => row.call === call) ?? -1;
  if (page === null || at < 0) return { step: call };
  const isNearStart = at < nearRows && page.from > 0;
  const isNearEnd = at >= page.rows.length - nearRows && page.from + page.rows.length < count;
  return isNearStart || isNearEnd ? { step: call } : null;
}
