// The talk with a Codex that does one turn and ends. It hears nothing after its prompt; what it says comes as events in lines,
// and what it complains of before there are any as plain text.

import type { Heard, TurnEnd } from "../../../core/run/heard.ts";
import type { AssistantJob, Reading, Talk } from "../../../ports/assistant.ts";
import { cut, type Json, listOf, nameOf, Oddities, other, parseLine, recordOf, textOf } from "../json-line.ts";
import { Newest } from "../newest.ts";
import { OwnPlan } from "../own-plan.ts";
import { endOfCodexMessage, readCodexItem, usageOfCodex } from "./read-codex.ts";

/** What it says where the conversation to take up is not there any more. */
const forgot = /no rollout found for thread id/;

export class CodexExecTalk implements Talk {
  readonly #job: AssistantJob;
  readonly #odd = new Oddities();
  readonly #plan = new OwnPlan();
  /** Items whose beginning was told. Of some only the end is. */
  readonly #begun = new Newest<true>();
  #lastMessage = "";

  constructor(job: AssistantJob) {
    this.#job = job;
  }

  open(): string {
    return this.#job.prompt;
  }

  read(line: string): Reading {
    const event = parseLine(line);
    return { heard: event === undefined ? this.#readText(line) : this.#readEvent(event, line), write: "" };
  }

  say(): null {
    return null;
  }

  interrupt(): string {
    return "";
  }

  #readText(line: string): Heard[] {
    if (line.trim() === "") return [];
    if (this.#job.session !== null && forgot.test(line)) return [other("resume", line), toTurn("forgot", line)];
    return this.#odd.keep("text", line);
  }

  #readEvent(event: Json, line: string): Heard[] {
    switch (event["type"]) {
      case "thread.started":
        return this.#enter(nameOf(event["thread_id"], ""));
      case "turn.started":
        return [];
      case "item.started":
      case "item.updated":
      case "item.completed":
        return this.#readItem(event["type"], toCamel(recordOf(event["item"])));
      case "turn.completed":
        return [toTurn("ended", this.#lastMessage, toCamel(recordOf(event["usage"])))];
      case "turn.failed": {
        const message = textOf(recordOf(event["error"])["message"], "");
        return [toTurn(endOfCodexMessage(message), message)];
      }
      case "error":
        return this.#odd.keep("error", textOf(event["message"], line));
      default:
        return this.#odd.keep(textOf(event["type"], "text"), line);
    }
  }

  #enter(thread: string): Heard[] {
    const { session, model } = this.#job;
    // A name that it does not know begins another conversation, in which it was told only the last of it.
    if (session !== null && thread !== session) return [toTurn("forgot", `it began ${thread}`)];
    return [{ is: "session", session: thread, model }];
  }

  #readItem(event: "item.started" | "item.updated" | "item.completed", item: Json): Heard[] {
    if (item["type"] === "error") return this.#odd.keep("error", textOf(item["message"], ""));
    if (item["type"] === "todoList") return this.#plan.take(listOf(item["items"]), "text", "completed");
    const id = nameOf(item["id"], "");
    const heard = [
      ...(event === "item.updated" || this.#begun.get(id) === true ? [] : readCodexItem(item, "begins", null)),
      ...(event === "item.completed" ? readCodexItem(item, "ends", null) : []),
    ];
    this.#begun.set(id, true);
    for (const each of heard) if (each.is === "message") this.#lastMessage = each.text;
    return this.#odd.limit(heard);
  }
}

function toTurn(why: TurnEnd, text: string, usage: Json = {}): Heard {
  return { is: "turn", ok: why === "ended", text: cut(text), why, usage: usageOfCodex(usage) };
}

/** The same names as those of the server: they differ in how they are spelled. */
function toCamel(record: Json): Json {
  const spell = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const { type } = record;
  const spelled = Object.fromEntries(Object.entries(record).map(([name, value]) => [spell(name), value]));
  return typeof type === "string" ? { ...spelled, type: spell(type) } : spelled;
}
