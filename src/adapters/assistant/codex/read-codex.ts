// What Codex's items, ends of turns and counts mean, in the words that all programs share.

import type { Heard, TurnEnd } from "../../../core/run/heard.ts";
import { countOf, type Json, other, recordOf, speech, textOf } from "../json-line.ts";

/** Items in which it repeats what it was told, or what the door recorded. */
const silent: ReadonlySet<unknown> = new Set(["userMessage", "functionCallOutput", "hookPrompt"]);

/** Speech counts when it is whole, an act when it begins. */
export function readCodexItem(item: Json, when: "begins" | "ends", parent: string | null): Heard[] {
  const { type } = item;
  if (silent.has(type)) return [];
  if (type === "agentMessage" || type === "plan") return when === "ends" ? speech("message", item["text"], parent) : [];
  if (type === "reasoning") return when === "ends" ? speech("thinking", thoughtOf(item), parent) : [];
  if (when === "ends") return [];
  const call = textOf(item["id"], "");
  if (type === "mcpToolCall") {
    const tool = `mcp__${textOf(item["server"], "?")}__${textOf(item["tool"], "?")}`;
    return [{ is: "tool", call, tool, parent }];
  }
  return call === "" ? [other("item", JSON.stringify(item))] : [{ is: "tool", call, tool: textOf(type, "?"), parent }];
}

export function endOfCodexTurn(turn: Json): TurnEnd {
  if (turn["status"] === "completed") return "ended";
  if (turn["status"] === "interrupted") return "interrupted";
  const info = recordOf(turn["error"])["codexErrorInfo"];
  if (typeof info === "string") return endsByName[info] ?? "error";
  return endOfStatus(Object.values(recordOf(info)).map((each) => recordOf(each)["httpStatusCode"])[0]);
}

/** The same, where it says it in a sentence for people and in nothing else. */
export function endOfCodexMessage(message: string): TurnEnd {
  const said = endsBySentence.find(([sentence]) => sentence.test(message));
  return said?.[1] ?? endOfStatus(Number(/\bstatus:? (\d{3})\b/.exec(message)?.[1]));
}

function endOfStatus(status: unknown): TurnEnd {
  if (status === 401 || status === 403) return "auth";
  if (typeof status === "number" && status >= 500) return "outage";
  return status === 429 ? "rate-limit" : "error";
}

const endsByName: Readonly<Record<string, TurnEnd>> = {
  unauthorized: "auth",
  usageLimitExceeded: "rate-limit",
  rateLimitExceeded: "rate-limit",
  serverOverloaded: "outage",
  internalServerError: "outage",
  contextWindowExceeded: "context",
  cyberPolicy: "refused",
  misalignmentPolicyViolation: "refused",
};

const endsBySentence: readonly (readonly [RegExp, TurnEnd])[] = [
  [/ran out of room in the model's context window/, "context"],
  [/usage limit|^Quota exceeded/, "rate-limit"],
  [/model is at capacity|experiencing high demand/, "outage"],
  [/flagged for possible|misalignment policy violation/, "refused"],
];

/** It counts what was read from the cache, or written to it, among the input. */
export function usageOfCodex(total: Json): Extract<Heard, { is: "turn" }>["usage"] {
  const cacheReadTokens = countOf(total["cachedInputTokens"]);
  const cacheWriteTokens = countOf(total["cacheWriteInputTokens"]);
  return {
    inputTokens: Math.max(0, countOf(total["inputTokens"]) - cacheReadTokens - cacheWriteTokens),
    outputTokens: countOf(total["outputTokens"]),
    cacheReadTokens,
    cacheWriteTokens,
    costMicros: null,
  };
}

function thoughtOf(item: Json): string {
  const parts: unknown[] = [item["text"], item["summary"], item["content"]].flat();
  return parts.filter((each) => typeof each === "string").join("\n\n");
}
