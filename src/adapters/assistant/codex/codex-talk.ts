// The talk with Codex: a thread is begun or taken up, then turns. What is said in the middle of a turn is steered into it;
// where the turn was over first, it becomes a turn of its own.

import { unreachable } from "../../../base/assert.ts";
import type { Heard } from "../../../core/run/heard.ts";
import type { AssistantJob, Reading, Talk } from "../../../ports/assistant.ts";
import type { Piece } from "../../../ports/growing-words.ts";
import { cut, type Json, listOf, nameOf, Oddities, other, recordOf, textOf } from "../json-line.ts";
import { Newest } from "../newest.ts";
import { OwnPlan } from "../own-plan.ts";
import { readRpc, type RpcError, type RpcMessage, toNotice, toRefusal, toRequest } from "../json-rpc.ts";
import { addUsage, noUsage, type OwnUsage } from "../own-usage.ts";
import { endOfCodexTurn, readCodexItem, threadBegunBy, usageOfCodex } from "./read-codex.ts";

type Turn = Extract<Heard, { is: "turn" }>;

const unwanted = ["item/commandExecution/outputDelta", "thread/started"];
/** What it says comes letter by letter, and again as a whole. */
const pieces: ReadonlyMap<string, Piece["of"]> = new Map([
  ["item/agentMessage/delta", "message"],
  ["item/reasoning/textDelta", "thinking"],
  ["item/reasoning/summaryTextDelta", "thinking"],
]);
/** Its own book-keeping, and pieces of what comes as a whole. All else is kept, whether we have a word for it or not. */
const silent: ReadonlySet<string> = new Set([
  ...["thread/started", "thread/status/changed", "thread/name/updated", "thread/closed", "thread/settings/updated"],
  ...["turn/diff/updated", "account/updated", "account/rateLimits/updated", "skills/changed", "app/list/updated"],
  ...["item/mcpToolCall/progress", "item/reasoning/summaryPartAdded", "remoteControl/status/changed"],
  ...["serverRequest/resolved", "thread/readState/changed"],
]);
const isPiece = /delta$/i;
const nothing: Reading = { heard: [], write: "" };

export class CodexTalk implements Talk {
  readonly #job: AssistantJob;
  readonly #odd = new Oddities();
  readonly #plan = new OwnPlan();
  #thread = "";
  /** The turn that is under way. */
  #turn: string | null = null;
  #isLeaving = false;
  #requests = 0;
  /** What was steered and is not answered, by the request's id. */
  readonly #steered = new Map<string, string>();
  /** The end of a turn, until it is known whether all that was steered had reached it. */
  #ended: Turn | null = null;
  /** What it has counted in each thread, its own and those of others who work for it. */
  readonly #usages = new Newest<OwnUsage>();
  /** The calls that others who work for it were begun with, and the turns that they are in, by their threads. */
  readonly #callsOf = new Newest<string>();
  readonly #turnsOf = new Newest<string>();
  #lastMessage = "";

  constructor(job: AssistantJob) {
    this.#job = job;
  }

  open(): string {
    const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unwanted };
    const clientInfo = { name: "signalbox", title: "Signalbox", version: "1" };
    return toRequest("hello", "initialize", { clientInfo, capabilities });
  }

  read(line: string): Reading {
    const message = readRpc(line);
    if (message === undefined) return line.trim() === "" ? nothing : { heard: this.#odd.keep("text", line), write: "" };
    switch (message.is) {
      case "request":
        return { heard: this.#odd.keep(message.method, line), write: toRefusal(message.id, message.method) };
      case "notice":
        return this.#readNotice(message, line);
      case "result":
        return this.#readResult(message.id, message.result);
      case "error":
        return this.#readError(message.id, message.error);
      default:
        return unreachable(message);
    }
  }

  say(text: string, owes: boolean): { write: string; begins: boolean } | null {
    if (!owes) return { write: this.#toTurn(text), begins: true };
    if (this.#turn === null || this.#isLeaving) return null;
    const id = `steer-${++this.#requests}`;
    this.#steered.set(id, text);
    const params = { threadId: this.#thread, expectedTurnId: this.#turn, input: toInput(text) };
    return { write: toRequest(id, "turn/steer", params), begins: false };
  }

  interrupt(): string {
    if (this.#turn === null) return "";
    this.#isLeaving = true;
    // Others would go on with what they do for it.
    const turns = [[this.#thread, this.#turn], ...this.#turnsOf.entries()];
    return turns
      .map(([threadId, turnId]) => toRequest(`interrupt-${++this.#requests}`, "turn/interrupt", { threadId, turnId }))
      .join("");
  }

  #readResult(id: string, result: Json): Reading {
    switch (kindOf(id)) {
      case "hello":
        return { heard: [], write: toNotice("initialized", {}) + this.#toThread() };
      case "thread":
      case "anew": {
        this.#thread = nameOf(recordOf(result["thread"])["id"], "");
        const model = nameOf(result["model"], "") || null;
        const prompt = kindOf(id) === "anew" ? this.#job.anew : this.#job.prompt;
        return { heard: [{ is: "session", session: this.#thread, model }], write: this.#toTurn(prompt) };
      }
      case "steer":
        this.#steered.delete(id);
        return { heard: this.#endIfAllReached(), write: "" };
      default:
        return nothing;
    }
  }

  #readError(id: string, error: RpcError): Reading {
    switch (kindOf(id)) {
      case "thread":
        // What it was to take up is not there: it begins anew, and is told everything.
        if (this.#job.session === null) return { heard: [this.#toFailure(error.message)], write: "" };
        return {
          heard: [other("thread/resume", error.message)],
          write: toRequest("anew", "thread/start", this.#toPlace()),
        };
      case "steer":
        return this.#sayAgain(id);
      case "interrupt":
        return nothing;
      default:
        return { heard: [this.#toFailure(error.message)], write: "" };
    }
  }

  #readNotice({ method, params }: Extract<RpcMessage, { is: "notice" }>, line: string): Reading {
    const thread = nameOf(params["threadId"], "?");
    const isOwn = thread === this.#thread;
    const of = pieces.get(method);
    if (of !== undefined)
      return { ...nothing, pieces: [{ of, text: textOf(params["delta"], ""), parent: this.#parentOf(thread) }] };
    switch (method) {
      case "turn/started": {
        const turn = nameOf(recordOf(params["turn"])["id"], "");
        if (isOwn) this.#turn = turn;
        else this.#turnsOf.set(thread, turn);
        return nothing;
      }
      case "turn/completed":
        this.#turnsOf.take(thread);
        return { heard: isOwn ? this.#endTurn(recordOf(params["turn"])) : [], write: "" };
      case "item/started":
      case "item/completed":
        return { heard: this.#readItem(method, params, thread), write: "" };
      case "thread/tokenUsage/updated":
        this.#usages.set(thread, usageOfCodex(recordOf(recordOf(params["tokenUsage"])["total"])));
        return nothing;
      case "mcpServer/startupStatus/updated":
        return typeof params["error"] === "string" ? { heard: this.#odd.keep(method, line), write: "" } : nothing;
      case "turn/plan/updated":
        return { heard: isOwn ? this.#plan.take(listOf(params["plan"]), "step", "status") : [], write: "" };
      default:
        if (silent.has(method) || isPiece.test(method)) return nothing;
        return { heard: this.#odd.keep(method, textOf(params["message"], line)), write: "" };
    }
  }

  #readItem(method: string, params: Json, thread: string): Heard[] {
    const item = recordOf(params["item"]);
    const begun = threadBegunBy(item);
    if (begun !== null) this.#callsOf.set(begun.thread, begun.call);
    const isOwn = thread === this.#thread;
    const heard = readCodexItem(item, method === "item/started" ? "begins" : "ends", this.#parentOf(thread));
    for (const each of heard) if (isOwn && each.is === "message") this.#lastMessage = each.text;
    return this.#odd.limit(heard);
  }

  /** The call that a thread works for; null for its own. */
  #parentOf(thread: string): string | null {
    return thread === this.#thread ? null : (this.#callsOf.get(thread) ?? thread);
  }

  #endTurn(turn: Json): Heard[] {
    const why = endOfCodexTurn(turn);
    const message = textOf(recordOf(turn["error"])["message"], "");
    const text = cut(why === "ended" ? this.#lastMessage : message);
    this.#ended = { is: "turn", ok: why === "ended", text, why, usage: this.#usage() };
    this.#turn = null;
    this.#isLeaving = false;
    this.#lastMessage = "";
    return this.#endIfAllReached();
  }

  #endIfAllReached(): Heard[] {
    if (this.#ended === null || this.#steered.size > 0) return [];
    const ended = this.#ended;
    this.#ended = null;
    return [ended];
  }

  /** The turn was over before it could hear this: what it owes goes on as a turn of its own. */
  #sayAgain(id: string): Reading {
    const text = this.#steered.get(id);
    this.#steered.delete(id);
    if (text === undefined) return nothing;
    this.#ended = null;
    return { heard: [], write: this.#toTurn(text) };
  }

  #toThread(): string {
    const { session } = this.#job;
    return session === null
      ? toRequest("thread", "thread/start", this.#toPlace())
      : toRequest("thread", "thread/resume", { ...this.#toPlace(), threadId: session, excludeTurns: true });
  }

  #toPlace(): object {
    return { cwd: this.#job.home, approvalPolicy: "never", sandbox: "read-only" };
  }

  #toTurn(text: string): string {
    const params = { threadId: this.#thread, input: toInput(text) };
    return toRequest(`turn-${++this.#requests}`, "turn/start", params);
  }

  #toFailure(message: string): Turn {
    return { is: "turn", ok: false, text: cut(message), why: "error", usage: this.#usage() };
  }

  /** All that its program has counted: its own, and what others took who worked for it. */
  #usage(): OwnUsage {
    return this.#usages.values().reduce(addUsage, noUsage);
  }
}

function toInput(text: string): object[] {
  return [{ type: "text", text, text_elements: [] }];
}

function kindOf(id: string): string {
  return id.split("-", 1)[0] ?? "";
}
