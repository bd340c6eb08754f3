// What a handler has at hand, and how it answers.

import { ok, refuse, type Result } from "../base/result.ts";
import type { Answer, Input } from "../core/inputs.ts";
import type { State } from "../core/state.ts";
import { Past } from "../engine/past.ts";
import { ProtocolError, protocolError, type WireError } from "../protocol/errors.ts";
import type { OperationName, OutputOf, ParsedInputOf } from "../protocol/operations.ts";
import type { AgentFaces } from "./agent-faces/agent-faces.ts";
import type { DurableReads } from "./durable-reads.ts";
import { toError, toThrownError } from "./failure.ts";
import type { History } from "./history.ts";
import type { DaemonParts } from "./parts.ts";
import { RunStories } from "./story/run-stories.ts";
import type { Waits } from "./waits.ts";

/** Who asks. */
export type Caller = {
  readonly actor: string;
  /** A model may not do what is for people only. */
  readonly face: "person" | "mcp";
  /** Says that nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined;
  /** The connection that they ask over, where all that they ask comes over one. */
  readonly connection?: AbortSignal;
};

export type Reply<Value = unknown> = (outcome: Result<Value, WireError>) => void;

export type Handler<Name extends OperationName> = (
  context: Context,
  input: ParsedInputOf<Name>,
  caller: Caller,
  reply: Reply<OutputOf<Name>>,
) => void;

export type Handlers<Name extends OperationName> = { readonly [Each in Name]: Handler<Each> };

/** What the server knows of itself. */
export type ServerFacts = {
  readonly url: string;
  readonly socket: string | null;
  readonly startedAtMs: number;
  readonly subscribers: () => number;
  readonly makeLoginLink: () => { url: string; expiresInMs: number };
  readonly faces: Pick<AgentFaces, "urlOf" | "open">;
};

export class Context {
  readonly parts: DaemonParts;
  readonly reads: DurableReads;
  readonly waits: Waits;
  readonly history: History;
  readonly past: Past;
  readonly stories: RunStories;
  readonly facts: ServerFacts;

  constructor(parts: DaemonParts, own: { reads: DurableReads; waits: Waits; history: History; facts: ServerFacts }) {
    this.parts = parts;
    this.past = new Past(parts.store, () => new Promise(setImmediate));
    this.reads = own.reads;
    this.waits = own.waits;
    this.history = own.history;
    this.stories = new RunStories(own.history, parts.store);
    this.facts = own.facts;
  }

  get state(): State {
    return this.parts.engine.state;
  }

  /** Gives the engine one input and answers with what becomes of it, once that is durable. */
  submit<Value>(caller: Caller, input: Input, reply: Reply<Value>, answer: (answer: Answer) => Value): void {
    this.parts.engine.submit({ actor: caller.actor, input }, (outcome) => {
      if (outcome.ok) reply(ok(answer(outcome.value)));
      else reply(refuse(toError(this.state, outcome.refusal)));
    });
  }

  /** The same for whoever goes on with the answer; a refusal is thrown. */
  ask(caller: Caller, input: Input): Promise<Answer> {
    return new Promise((resolve, reject) =>
      this.submit<Answer>(
        caller,
        input,
        (outcome) => (outcome.ok ? resolve(outcome.value) : reject(new ProtocolError(outcome.refusal))),
        (answer) => answer,
      ),
    );
  }

  /** Answers from the state. */
  read<Value>(view: (state: State) => Value, reply: Reply<Value>): void {
    this.reads.read(
      view,
      (value) => reply(ok(value)),
      (error) => reply(refuse(this.toThrown(error))),
    );
  }

  /** Answers with what is found for something of the state. */
  readThen<Seen, Value>(view: (state: State) => Seen, find: (seen: Seen) => Promise<Value>, reply: Reply<Value>): void {
    this.read(view, (seen) => {
      if (seen.ok) this.later(find(seen.value), reply);
      else reply(seen);
    });
  }

  /** Answers from the state, once something else is known. */
  readAfter<Known, Value>(
    first: Promise<Known>,
    view: (state: State, known: Known) => Value,
    reply: Reply<Value>,
  ): void {
    first.then(
      (known) => this.read((state) => view(state, known), reply),
      (error: unknown) => reply(refuse(this.toThrown(error))),
    );
  }

  /** Answers from the state, or from what it was after an event; `nowMs` is what the time was then. */
  readAt<Value>(at: number | undefined, view: (state: State, nowMs: number) => Value, reply: Reply<Value>): void {
    if (at === undefined) return this.read((state) => view(state, this.parts.engine.nowMs()), reply);
    return this.later(this.#lookBack(at, view), reply);
  }

  async #lookBack<Value>(at: number, view: (state: State, nowMs: number) => Value): Promise<Value> {
    if (at > this.parts.store.lastSeq) throw protocolError("not-found", { kind: "event", id: at });
    const state = await this.past.at(at);
    return view(state, state.atMs);
  }

  /** Answers with what a promise brings. */
  later<Value>(promise: Promise<Value>, reply: Reply<Value>): void {
    promise.then(
      (value) => reply(ok(value)),
      (error: unknown) => reply(refuse(this.toThrown(error))),
    );
  }

  toThrown(error: unknown): WireError {
    return toThrownError(error, this.parts.onDefect);
  }
}
