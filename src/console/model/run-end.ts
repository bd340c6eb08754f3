// How a run came to its end: what it did last, the last command that it ran, and what it said after that.

import type { RunStory } from "../../protocol/wire/story.ts";

export type RunEnd = {
  readonly step: RunStory["lastStep"];
  /** The last one whose output is kept. */
  readonly command: RunStory["lastCommand"];
  /** What it said last, if that says more than what came before its last command. */
  readonly said: RunStory["lastSaid"];
};

export function endOf(story: Pick<RunStory, "lastStep" | "lastCommand" | "lastSaid">): RunEnd {
  const { lastStep, lastCommand, lastSaid } = story;
  const isLater = lastSaid !== null && lastSaid.atMs >= (lastCommand?.fromMs ?? Number.NEGATIVE_INFINITY);
  return { step: lastStep, command: lastCommand, said: isLater ? lastSaid : null };
}
