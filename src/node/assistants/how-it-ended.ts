// The end of a program, and of a turn that it could not end itself.

import { lastWords } from "../../base/last-words.ts";
import type { Heard } from "../../core/run/heard.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";

export type Turn = Extract<Heard, { is: "turn" }>;

/** What a program that was ended could not say itself. */
export const leftTurn: Turn = {
  ...{ is: "turn", ok: false, text: "", why: "interrupted" },
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicros: null },
};

export function howItEnded({ exit, tail, why }: CommandEnd): string {
  const said = lastWords(tail);
  return `${why === "lost" ? "its keeper was lost" : `exit ${exit}`}${said === "" ? "" : `, saying ${said}`}`;
}
