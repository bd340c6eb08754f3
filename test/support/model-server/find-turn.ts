// Which conversation of a scenario a request belongs to, and which of its turns comes.

import type { Conversation, Scenario, Turn } from "./scenario.ts";
import type { Read } from "./wire-format.ts";

/** What follows the task in the first prompt of a run: how it works there, and what others hold and are called. */
const afterTask = "# How this place works";

/**
 * The first that fits. Programs put into the first message also what landed last, titles and all, and put it before the
 * task: of several markers the one that stands last counts, and none that stands behind the task.
 */
export function findConversation({ conversations }: Scenario, read: Read): Conversation | undefined {
  const said = read.firstSaid.split(afterTask, 1)[0] ?? "";
  const fitting = conversations.filter(
    ({ match }) =>
      (match.marker === undefined || said.includes(match.marker)) &&
      (match.model === undefined || read.model.startsWith(match.model)),
  );
  const [first] = fitting;
  if (first?.match.marker === undefined) return first;
  const placeOf = ({ match }: Conversation): number =>
    match.marker === undefined ? -1 : said.lastIndexOf(match.marker);
  return fitting.reduce((best, each) => (placeOf(each) > placeOf(best) ? each : best), first);
}

export function turnAt({ turns, repeat }: Conversation, at: number): Turn | undefined {
  return turns[repeat ? at % turns.length : at];
}

/** Whether a client has nothing of it in its history: it will ask the same once more. */
export function isUnheard(turn: Turn | undefined): boolean {
  return turn?.error !== undefined || turn?.cut !== undefined;
}

/**
 * What has a place of its own in a conversation. One that repeats is for any number of clients at once, so each is known
 * by its first message and by how far it is; the turns of any other come once, whoever asks.
 */
export function threadOf({ name, repeat }: Conversation, { firstSaid, answers }: Read): string {
  return repeat ? JSON.stringify([name, firstSaid, answers]) : name;
}

/** Where a thread begins that was not there before: behind as many answers as its client has heard. */
export function firstTurn(conversation: Conversation, { answers }: Read): number {
  const { turns, repeat } = conversation;
  if (!repeat || turns.every(isUnheard)) return 0;
  let at = 0;
  for (let heard = 0; heard < answers; at++) if (!isUnheard(turnAt(conversation, at))) heard++;
  return at;
}
