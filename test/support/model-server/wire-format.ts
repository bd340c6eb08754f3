// What all formats have in common: a request is read for what scenarios look at, and a turn is written, whole or in pieces.

import type { Turn } from "./scenario.ts";

export type Json = Readonly<Record<string, unknown>>;

/** What a client sent, as far as scenarios look at it. */
export type Read = {
  readonly model: string;
  readonly firstSaid: string;
  readonly lastSaid: string;
  readonly toolResults: string;
  /** How often the model has answered in this conversation, as the client tells it. */
  readonly answers: number;
  /** Names of tools that the model may call. */
  readonly offers: readonly string[];
  readonly stream: boolean;
};

export type Answer = Pick<Read, "model" | "offers"> & { readonly id: string; readonly turn: Turn };

export type WireFormat = {
  read(body: Json, path: string): Read;
  whole(answer: Answer): Json;
  /** The stream, piece by piece, as it stands on the wire. */
  pieces(answer: Answer): string[];
  error(error: NonNullable<Turn["error"]>): Json;
};

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((each): each is Json => typeof each === "object" && each !== null) : [];
}

export function json(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

/** All the text in a message's content, whatever its shape. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("\n");
  const { text, content: inner, output, encrypted_content: sealed } = json(content);
  return [text, inner, output, sealed].map((each) => (each === undefined ? "" : textOf(each))).join("");
}

/** How many stretches of a history are the model's: what it said and called in one answer may be several items. */
export function countAnswers(history: readonly Json[], isModels: (item: Json) => boolean): number {
  return history.filter((item, at) => isModels(item) && !isModels(json(history[at - 1]))).length;
}

/** Text in the small bites that models stream. */
export function bites(text: string): string[] {
  return text.match(/[\s\S]{1,12}/g) ?? [];
}

export function data(value: unknown, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
}

export function callId(answer: Answer, at: number): string {
  return `call_${answer.id}_${at}`;
}
