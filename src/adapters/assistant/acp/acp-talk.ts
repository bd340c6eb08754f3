// The talk with an agent of the Agent Client Protocol: a session is begun or taken up, then one prompt after the other.

import { unreachable } from "../../../base/assert.ts";
import type { Heard } from "../../../core/run/heard.ts";
import type { AssistantJob, HeardInFull, Reading, Talk, ToolServer } from "../../../ports/assistant.ts";
import type { Piece } from "../../../ports/growing-words.ts";
import { cut, type Json, listOf, nameOf, Oddities, other, recordOf, speech, textOf, withMore } from "../json-line.ts";
import { OwnPlan } from "../own-plan.ts";
import { readRpc, type RpcError, type RpcMessage, toNotice, toRefusal, toRequest, toResult } from "../json-rpc.ts";
import { addUsage, noUsage } from "../own-usage.ts";
import { AcpCalls } from "./acp-calls.ts";
import { AcpPermits, toOutcome } from "./acp-permits.ts";
import { endOfPrompt, endOfPromptError, usageOfPrompt } from "./read-acp.ts";

const protocolVersion = 1;
/** The name that the door's tools have in it. */
const doorName = "door";
const nothing: Reading = { heard: [], write: "" };
/** What it repeats, and its own book-keeping. All else is kept. */
const silent: ReadonlySet<string> = new Set([
  ...["user_message_chunk", "available_commands_update", "current_mode_update"],
  ...["config_option_update", "session_info_update"],
]);

export class AcpTalk implements Talk {
  readonly hooks = new AcpPermits();
  readonly #job: AssistantJob;
  readonly #odd = new Oddities();
  readonly #plan = new OwnPlan();
  readonly #calls = new AcpCalls();
  /** The way in which it wants to be let in, where it asks. */
  readonly #auth: string | null;
  #canLoad = false;
  #session = "";
  #prompts = 0;
  /** What it says comes in pieces; they are put together until something else comes. */
  #speech: { is: "message" | "thinking"; text: string } | null = null;
  #piece: { is: "message" | "thinking"; text: string } | null = null;
  #lastMessage = "";
  /** Its last turn broke off. Some forget it with that, and what they were told for it. */
  #brokeOff = false;
  #usage = noUsage;

  constructor(job: AssistantJob, auth: string | null = null) {
    this.#job = job;
    this.#auth = auth;
  }

  open(): string {
    // It has no hands here: files and terminals are the door's.
    const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
    const clientInfo = { name: "signalbox", title: "Signalbox", version: "1" };
    return toRequest("hello", "initialize", { protocolVersion, clientInfo, clientCapabilities });
  }

  read(line: string): Reading {
    const message = readRpc(line);
    if (message === undefined) return line.trim() === "" ? nothing : { heard: this.#odd.keep("text", line), write: "" };
    switch (message.is) {
      case "request":
        return this.#answer(message, line);
      case "notice": {
        const { method, params } = message;
        if (method !== "session/update") return { heard: this.#odd.keep(method, line), write: "" };
        return { heard: this.#readUpdate(params), pieces: this.#takePiece(), write: "" };
      }
      case "result":
        return this.#readResult(message.id, message.result);
      case "error":
        return this.#readError(message.id, message.error);
      default:
        return unreachable(message);
    }
  }

  say(text: string, owes: boolean): { write: string; begins: boolean } | null {
    if (owes) return null;
    const prompt = this.#brokeOff ? `${this.#job.anew}\n\n${text}` : text;
    this.#brokeOff = false;
    return { write: this.#toPrompt(prompt), begins: true };
  }

  interrupt(): string {
    if (this.#session === "") return "";
    return `${toNotice("session/cancel", { sessionId: this.#session })}${this.hooks.giveUp()}`;
  }

  #readResult(id: string, result: Json): Reading {
    const { session, prompt, anew } = this.#job;
    switch (id) {
      case "hello":
        this.#canLoad = recordOf(result["agentCapabilities"])["loadSession"] === true;
        if (this.#auth === null) return { heard: [], write: this.#toSession() };
        return { heard: [], write: toRequest("auth", "authenticate", { methodId: this.#auth }) };
      case "auth":
        return { heard: [], write: this.#toSession() };
      case "load":
        return this.#enter(session ?? "", result, prompt);
      case "new":
        return this.#enter(nameOf(result["sessionId"], ""), result, session === null ? prompt : anew);
      default:
        return { heard: [...this.#flush(), this.#endTurn(result)], write: "" };
    }
  }

  #readError(id: string, error: RpcError): Reading {
    // What it was to take up is not there: it begins anew, and is told everything.
    if (id === "load") return { heard: [other("session/load", error.message)], write: this.#toNew() };
    const text = cut(error.message);
    const why = endOfPromptError(error);
    this.#brokeOff = true;
    return { heard: [...this.#flush(), { is: "turn", ok: false, text, why, usage: this.#usage }], write: "" };
  }

  #enter(session: string, result: Json, prompt: string): Reading {
    this.#session = session;
    const model = nameOf(recordOf(result["models"])["currentModelId"], "") || null;
    const heard: Heard = { is: "session", session, model };
    return { heard: [heard], write: this.#toPrompt(prompt) };
  }

  #readUpdate(params: Json): HeardInFull[] {
    // Before it is entered, a session that is taken up tells its past.
    if (this.#session === "" || nameOf(params["sessionId"], "") !== this.#session) return [];
    const update = recordOf(params["update"]);
    switch (update["sessionUpdate"]) {
      case "agent_message_chunk":
        return this.#hearPiece("message", update);
      case "agent_thought_chunk":
        return this.#hearPiece("thinking", update);
      case "tool_call":
      case "tool_call_update": {
        const heard = this.#calls.read(update);
        return heard.length === 0 ? [] : [...this.#flush(), ...heard];
      }
      case "usage_update":
        return this.#noteCost(recordOf(update["cost"]));
      case "plan":
        return this.#plan.take(listOf(update["entries"]), "content", "status");
      default: {
        const kind = textOf(update["sessionUpdate"], "session/update");
        return silent.has(kind) ? [] : this.#odd.keep(kind, JSON.stringify(update));
      }
    }
  }

  #hearPiece(is: "message" | "thinking", update: Json): Heard[] {
    const text = textOf(recordOf(update["content"])["text"], "");
    const before = this.#speech?.is === is ? [] : this.#flush();
    this.#piece = { is, text };
    this.#speech = { is, text: withMore(this.#speech?.text ?? "", text) };
    return before;
  }

  /** The piece that the last line had. */
  #takePiece(): Piece[] {
    const piece = this.#piece;
    this.#piece = null;
    return piece === null ? [] : [{ of: piece.is, text: piece.text, parent: null }];
  }

  /** What it reckons that its conversation has cost, where it says so in the money that prices are in. */
  #noteCost({ amount, currency }: Json): Heard[] {
    if (currency === "USD" && typeof amount === "number" && amount >= 0)
      this.#usage = { ...this.#usage, costMicros: Math.round(amount * 1_000_000) };
    return [];
  }

  /** What it has said by now, as a whole. */
  #flush(): Heard[] {
    const said = this.#speech;
    this.#speech = null;
    if (said === null) return [];
    if (said.is === "message") this.#lastMessage = said.text;
    return speech(said.is, said.text, null);
  }

  #endTurn(result: Json): Heard {
    const why = endOfPrompt(result);
    this.#brokeOff = why !== "ended";
    this.#usage = addUsage(this.#usage, usageOfPrompt(result));
    const text = cut(this.#lastMessage);
    this.#lastMessage = "";
    return { is: "turn", ok: why === "ended", text, why, usage: this.#usage };
  }

  /** It may use servers of tools: those ask for themselves. Before it acts by itself, a person says whether it may. */
  #answer({ id, method, params }: Extract<RpcMessage, { is: "request" }>, line: string): Reading {
    if (method !== "session/request_permission")
      return { heard: this.#odd.keep(method, line), write: toRefusal(id, method) };
    this.#calls.meet(recordOf(params["toolCall"]));
    if (this.hooks.isFull) {
      const refused = toResult(id, { outcome: toOutcome(params, "no") });
      return { heard: this.#odd.keep("permission refused, so many are open", line), write: refused };
    }
    const asked = this.hooks.take(id, params);
    if (asked === null) return { heard: [], write: toResult(id, { outcome: toOutcome(params, "always") }) };
    return { heard: [...this.#flush(), ...this.#odd.keep("permission", asked)], write: "" };
  }

  #toSession(): string {
    const { session } = this.#job;
    if (session === null || !this.#canLoad) return this.#toNew();
    return toRequest("load", "session/load", { sessionId: session, ...this.#toPlace() });
  }

  #toNew(): string {
    return toRequest("new", "session/new", this.#toPlace());
  }

  #toPlace(): object {
    const { home, door, servers } = this.#job;
    return { cwd: home, mcpServers: [{ name: doorName, ...door }, ...servers].map(toServer) };
  }

  #toPrompt(text: string): string {
    const params = { sessionId: this.#session, prompt: [{ type: "text", text }] };
    return toRequest(`prompt-${++this.#prompts}`, "session/prompt", params);
  }
}

function toServer(server: ToolServer): object {
  const { name } = server;
  if ("url" in server) {
    const headers = [{ name: "Authorization", value: `Bearer ${server.token}` }];
    return { type: "http", name, url: server.url, headers };
  }
  const [command, ...args] = server.command;
  return { name, command, args, env: Object.entries(server.env).map(([each, value]) => ({ name: each, value })) };
}
