// The steps of a run around the one that is looked at. Of a long run the page has no more than these.

import { useState } from "react";
import type { RunStep, RunStory } from "../../protocol/wire/story.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { type StepPage, type StepQuestion, toStepQuestion } from "../model/step-pages.ts";
import { goTo } from "../shell/address.ts";

export type Steps = {
  /** The step that is looked at; null while it is on its way, or where there is none. */
  readonly step: RunStep | null;
  /** Whether it is known that there is no such step. */
  readonly isMissing: boolean;
  /** Its place among all, counted from 0; -1 while nobody knows it. How many there are stands for none of them. */
  readonly place: number;
  readonly trouble: string | null;
  readonly again: () => void;
  /** Looks at the step in a place, or beyond the last one at none. */
  readonly goToPlace: (place: number) => void;
};

const pageSteps = 100;

export function useSteps(id: string, call: number | null, story: RunStory | null): Steps {
  const count = story?.counts.steps ?? 0;
  const moment = useLive(({ link }) => (link.is === "past" ? link.seq : null));
  const key = `steps of ${id}, seen from ${moment ?? "now"}`;
  const [question, setQuestion] = useState<StepQuestion | null>(null);
  // Where somebody wants to go whose step is not there yet.
  const [wanted, setWanted] = useState<number | null>(null);
  const [kept, setKept] = useState<{ readonly key: string; readonly page: StepPage } | null>(null);
  const page = kept?.key === key ? kept.page : null;
  const found = call === null || page === null ? -1 : page.rows.findIndex((row) => row.call === call);
  const isNews = (call !== null && found < 0) || page?.rows.some(({ ok }) => ok === null) === true;
  const asked = useAsked({
    subject: `${key} ${JSON.stringify(question)}`,
    // What has ended stays as it was.
    stamp: isNews ? (story?.seq ?? 0) : 0,
    ask: async (client, signal) => {
      if (question === null) return null;
      const which = "step" in question ? question : { from: Math.max(0, question.place - pageSteps / 2) };
      const { steps } = await client.call("run.story", { run: id, ...which, limit: pageSteps }, { signal });
      if (signal.aborted) return steps;
      setKept({ key, page: steps });
      if (wanted === null) return steps;
      setWanted(null);
      const arrived = steps.rows[wanted - steps.from];
      if (arrived !== undefined) goTo({ step: arrived.call, file: null }, "replace");
      return steps;
    },
  });
  const next = toStepQuestion({ page, call, wanted, count });
  if (next !== null && JSON.stringify(next) !== JSON.stringify(question)) setQuestion(next);
  const goToPlace = (to: number): void => {
    const place = Math.max(0, Math.min(count, to));
    const row = page?.rows[place - page.from];
    const isHere = place === count || row !== undefined;
    setWanted(isHere ? null : place);
    if (isHere) goTo({ step: row?.call ?? null, file: null }, "replace");
  };
  const isAnswered = asked.value !== null && question !== null && "step" in question && question.step === call;
  return {
    step: page?.rows[found] ?? null,
    isMissing: call !== null && found < 0 && wanted === null && isAnswered && story?.more === false,
    place: wanted ?? (call === null ? count : page === null || found < 0 ? -1 : page.from + found),
    trouble: asked.trouble,
    again: asked.again,
    goToPlace,
  };
}
