// What a line of Claude Code's output means.

import { createHash } from "node:crypto";
import type { Heard, TurnEnd } from "../../../core/run/heard.ts";
import type { HeardInFull } from "../../../ports/assistant.ts";
import type { Piece } from "../../../ports/growing-words.ts";
import {
  countOf,
  cut,
  type Json,
  listOf,
  nameOf,
  Oddities,
  other,
  parseLine,
  recordOf,
  speech,
  textOf,
} from "../json-line.ts";
import { Newest } from "../newest.ts";
import { ownCall, ownResult, textOfContent } from "../own-call.ts";

/** Progress of its own that says nothing about the work. */
const silent: ReadonlySet<unknown> = new Set(["stream_event", "control_response", "control_request", "keep_alive"]);
const silentOfSystem: ReadonlySet<unknown> = new Set([
  ...["status", "hook_started", "hook_response"],
  // Of those who work for it: what they say and do has their parent's name, and what they are for is in its call.
  ...["task_started", "task_updated", "task_progress"],
]);

/** What its tools of the door are called. */
const ofDoor = "mcp__door__";
/** How its shell says with what a command has ended. */
const exitLine = /^Exit code (\d{1,3})(?:\n|$)/;

/** What is remembered of earlier lines of its life. */
export class ClaudeMemory {
  /** The tools that were asked for beside the door's, by its names of the calls. */
  readonly calls = new Newest<string>();
  /** The print of what those said last who work for it, by the calls that they work for. */
  readonly lastWords = new Newest<string>();
  readonly odd = new Oddities();
}

export function readClaudeLine(line: string, memory = new ClaudeMemory()): readonly HeardInFull[] {
  return memory.odd.limit(readLine(line, memory));
}

function readLine(line: string, memory: ClaudeMemory): readonly HeardInFull[] {
  const message = parseLine(line);
  if (message === undefined) return line.trim() === "" ? [] : [other("text", line)];
  if (silent.has(message["type"])) return [];
  switch (message["type"]) {
    case "system":
      return readSystem(message, line, memory);
    case "assistant":
      return readBlocks(message, memory);
    case "user":
      return readResults(message, memory);
    case "result":
      return [readResult(message)];
    default:
      return [other(textOf(message["type"], "line"), line)];
  }
}

/** A piece of what it is saying. Claude sends none of those who work for it. */
export function pieceIn(message: Json): Piece[] {
  if (message["type"] !== "stream_event") return [];
  const delta = recordOf(recordOf(message["event"])["delta"]);
  const parent = parentOf(message);
  if (delta["type"] === "text_delta") return [{ of: "message", text: textOf(delta["text"], ""), parent }];
  return delta["type"] === "thinking_delta" ? [{ of: "thinking", text: textOf(delta["thinking"], ""), parent }] : [];
}

/** Whether it repeats what it was told, as a sign that it has taken it. */
export function repeatsWords(line: string): boolean {
  const message = parseLine(line);
  return message?.["type"] === "user" && message["isReplay"] === true;
}

function readSystem(message: Json, line: string, { lastWords }: ClaudeMemory): readonly Heard[] {
  const { subtype, summary } = message;
  const call = nameOf(message["tool_use_id"], "");
  if (silentOfSystem.has(subtype)) return [];
  if (subtype === "task_notification" && call !== "") {
    const last = lastWords.take(call);
    // Where its words did not come by themselves, the last of them stand here.
    return last !== undefined && last === printOf(textOf(summary, "")) ? [] : speech("message", summary, call);
  }
  const session = nameOf(message["session_id"], "");
  if (subtype !== "init" || session === "") return [other(`system ${textOf(subtype, "?")}`, line)];
  return [{ is: "session", session, model: nameOf(message["model"], "") || null }];
}

function readBlocks(message: Json, { calls, lastWords }: ClaudeMemory): Heard[] {
  const parent = parentOf(message);
  return listOf(recordOf(message["message"])["content"]).flatMap((block): Heard[] => {
    switch (block["type"]) {
      case "text":
        if (parent !== null) lastWords.set(parent, printOf(textOf(block["text"], "")));
        return speech("message", block["text"], parent);
      case "thinking":
        return speech("thinking", block["thinking"], parent);
      case "tool_use": {
        const about = { call: nameOf(block["id"], ""), tool: nameOf(block["name"], "?"), parent };
        if (about.tool.startsWith(ofDoor)) return [{ is: "tool", ...about }];
        calls.set(about.call, about.tool);
        return [ownCall(about, block["input"])];
      }
      default:
        return [other(`block ${textOf(block["type"], "?")}`, JSON.stringify(block))];
    }
  });
}

function printOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** What the door's tools answered is in the door's record, and what people said is in ours. */
function readResults(message: Json, { calls }: ClaudeMemory): HeardInFull[] {
  return listOf(recordOf(message["message"])["content"]).flatMap((block) => {
    const call = nameOf(block["tool_use_id"], "");
    const tool = block["type"] === "tool_result" ? calls.take(call) : undefined;
    if (tool === undefined) return [];
    const said = textOfContent(block["content"]);
    const ok = block["is_error"] !== true;
    const failed = exitLine.exec(said);
    const exit = tool === "Bash" && ok ? 0 : failed === null ? null : Number(failed[1]);
    const text = failed === null ? said : said.slice(failed[0].length);
    return [ownResult({ call, tool, parent: parentOf(message) }, { ok, exit, text })];
  });
}

function parentOf(message: Json): string | null {
  return nameOf(message["parent_tool_use_id"], "") || null;
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
