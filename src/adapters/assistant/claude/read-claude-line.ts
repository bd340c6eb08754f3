// What a line of Claude Code's output means.

import type { Heard, TurnEnd } from "../../../core/run/heard.ts";
import { countOf, cut, type Json, listOf, other, parseLine, recordOf, speech, textOf } from "../json-line.ts";

/** Progress of its own that says nothing about the work. */
const silent: ReadonlySet<unknown> = new Set(["stream_event", "control_response", "control_request", "keep_alive"]);
const silentOfSystem: ReadonlySet<unknown> = new Set(["status", "hook_started", "hook_response"]);

export function readClaudeLine(line: string): readonly Heard[] {
  const message = parseLine(line);
  if (message === undefined) return line.trim() === "" ? [] : [other("text", line)];
  if (silent.has(message["type"])) return [];
  switch (message["type"]) {
    case "system":
      return readSystem(message, line);
    case "assistant":
      return readBlocks(message);
    case "user":
      // What tools answered is in the door's record, and what people said is in ours.
      return [];
    case "result":
      return [readResult(message)];
    default:
      return [other(textOf(message["type"], "line"), line)];
  }
}

/** Whether it repeats what it was told, as a sign that it has taken it. */
export function repeatsWords(line: string): boolean {
  const message = parseLine(line);
  return message?.["type"] === "user" && message["isReplay"] === true;
}

function readSystem(message: Json, line: string): readonly Heard[] {
  const { subtype } = message;
  if (silentOfSystem.has(subtype)) return [];
  const session = message["session_id"];
  if (subtype !== "init" || typeof session !== "string") return [other(`system ${textOf(subtype, "?")}`, line)];
  return [{ is: "session", session, model: typeof message["model"] === "string" ? message["model"] : null }];
}

function readBlocks(message: Json): Heard[] {
  const parent = typeof message["parent_tool_use_id"] === "string" ? message["parent_tool_use_id"] : null;
  return listOf(recordOf(message["message"])["content"]).flatMap((block): Heard[] => {
    switch (block["type"]) {
      case "text":
        return speech("message", block["text"], parent);
      case "thinking":
        return speech("thinking", block["thinking"], parent);
      case "tool_use":
        return [{ is: "tool", call: textOf(block["id"], ""), tool: textOf(block["name"], "?"), parent }];
      default:
        return [other(`block ${textOf(block["type"], "?")}`, JSON.stringify(block))];
    }
  });
}

function readResult(message: Json): Heard {
  const why = endOf(message);
  const text = cut(textOf(message["result"], errorsOf(message)));
  return { is: "turn", ok: why === "ended", text, why, usage: usageOf(message) };
}

function errorsOf(message: Json): string {
  return Array.isArray(message["errors"]) ? message["errors"].join("; ") : "";
}

function endOf(message: Json): TurnEnd {
  const reason = textOf(message["terminal_reason"], "");
  // It left what it did because it was told to: that is no error to it.
  if (reason.startsWith("aborted")) return "interrupted";
  if (message["is_error"] === false) return "ended";
  if (reason === "max_turns" || message["subtype"] === "error_max_turns") return "max-turns";
  if (reason === "prompt_too_long") return "context";
  if (errorsOf(message).startsWith("No conversation found")) return "forgot";
  if (reason === "refusal" || message["stop_reason"] === "refusal") return "refused";
  const status = message["api_error_status"];
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate-limit";
  return typeof status === "number" && status >= 500 ? "outage" : "error";
}

function usageOf(message: Json): Extract<Heard, { is: "turn" }>["usage"] {
  const usage = recordOf(message["usage"]);
  const cost = message["total_cost_usd"];
  return {
    inputTokens: countOf(usage["input_tokens"]),
    outputTokens: countOf(usage["output_tokens"]),
    cacheReadTokens: countOf(usage["cache_read_input_tokens"]),
    cacheWriteTokens: countOf(usage["cache_creation_input_tokens"]),
    costMicros: typeof cost === "number" && cost >= 0 && Number.isFinite(cost) ? Math.round(cost * 1_000_000) : null,
  };
}
