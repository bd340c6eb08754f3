// What Codex's items, ends of turns and counts mean, in the words that all programs share.

import type { TurnEnd } from "../../../core/run/heard.ts";
import type { HeardInFull } from "../../../ports/assistant.ts";
import { countOf, type Json, listOf, nameOf, other, recordOf, speech, textOf } from "../json-line.ts";
import { type Outcome, ownCall, ownResult, textOfContent } from "../own-call.ts";
import type { OwnUsage } from "../own-usage.ts";

/** Items in which it repeats what it was told, or what the door recorded. */
const silent: ReadonlySet<unknown> = new Set(["userMessage", "functionCallOutput", "hookPrompt"]);

/** Items in which it uses something beside the door. */
const ownActs: ReadonlySet<unknown> = new Set([
  ...["mcpToolCall", "commandExecution", "fileChange", "dynamicToolCall", "collabAgentToolCall", "webSearch"],
  ...["imageView", "imageGeneration", "sleep"],
]);
/** The name that the door's tools have in it. */
const doorName = "door";

/** Speech counts when it is whole, an act when it begins, and what came of it when that is not in the door's record. */
export function readCodexItem(item: Json, when: "begins" | "ends", parent: string | null): HeardInFull[] {
  const { type } = item;
  if (silent.has(type)) return [];
  if (type === "agentMessage" || type === "plan") return when === "ends" ? speech("message", item["text"], parent) : [];
  if (type === "reasoning") return when === "ends" ? speech("thinking", thoughtOf(item), parent) : [];
  const call = nameOf(item["id"], "");
  // Of others who work for it their own words tell the rest.
  if (type === "subAgentActivity") {
    const begins = when === "begins" && threadBegunBy(item) !== null;
    return begins ? [{ is: "tool", call, tool: "spawn_agent", parent }] : [];
  }
  const about = { call, tool: nameOf(toolOf(item), "?"), parent };
  if (call === "") return when === "begins" ? [other("item", JSON.stringify(item))] : [];
  const isOwn = ownActs.has(type) && item["server"] !== doorName;
  if (!isOwn) return when === "begins" ? [{ is: "tool", ...about }] : [];
  return when === "begins" ? [ownCall(about, inputOf(item))] : [ownResult(about, outcomeOf(item))];
}

function toolOf(item: Json): string {
  const { type } = item;
  if (type === "collabAgentToolCall") return `${textOf(item["tool"], "?")}_agent`;
  if (type === "mcpToolCall") return `mcp__${textOf(item["server"], "?")}__${textOf(item["tool"], "?")}`;
  return type === "dynamicToolCall" ? textOf(item["tool"], "?") : textOf(type, "?");
}

function inputOf(item: Json): unknown {
  const paths = listOf(item["changes"]).map(({ path }) => textOf(path, "?"));
  if (paths.length > 0) return paths.join(", ");
  return item["command"] ?? item["arguments"] ?? item["prompt"] ?? item["query"] ?? item["path"];
}

function outcomeOf(item: Json): Outcome {
  const exit = typeof item["exitCode"] === "number" ? item["exitCode"] : null;
  const ok = !["failed", "declined"].includes(textOf(item["status"], "")) && (exit ?? 0) === 0;
  const error = recordOf(item["error"])["message"];
  const said = item["aggregatedOutput"] ?? recordOf(item["result"])["content"] ?? item["contentItems"];
  return { ok, exit, text: typeof error === "string" ? error : textOfContent(said) };
}

/** The thread of somebody who begins to work for it, and the call by which that was asked for. */
export function threadBegunBy(item: Json): { readonly thread: string; readonly call: string } | null {
  if (item["type"] !== "subAgentActivity" || item["kind"] !== "started") return null;
  return { thread: nameOf(item["agentThreadId"], "?"), call: nameOf(item["id"], "?") };
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
export function usageOfCodex(total: Json): OwnUsage {
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
