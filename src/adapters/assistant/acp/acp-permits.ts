// What an agent asks leave for. The tools of servers are allowed as they are: they ask for themselves. What it would do with hands of
// its own, to files, commands or the network, a person decides.

import type { Hooks, Wish, WishOutcome } from "../../../ports/assistant.ts";
import { type Json, listOf, recordOf } from "../json-line.ts";
import { toResult } from "../json-rpc.ts";
import { type PermitQuestion, permitQuestion } from "./permit-question.ts";

type Permit = PermitQuestion & { readonly id: string | number; readonly params: Json };

/** Kinds of acts, in the protocol's words, that an agent does itself. */
const ownHands: ReadonlySet<unknown> = new Set(["edit", "delete", "move", "execute", "fetch", "switch_mode"]);

/** Nobody answers more, and each is kept with all that is said of it. */
const openMax = 100;

export class AcpPermits implements Hooks {
  readonly #open = new Map<string, Permit>();

  /** More cannot be asked now. */
  get isFull(): boolean {
    return this.#open.size >= openMax;
  }

  /** What a person is asked, where one has to be. */
  take(id: string | number, params: Json): string | null {
    const call = recordOf(params["toolCall"]);
    if (!ownHands.has(call["kind"])) return null;
    const question = permitQuestion(call);
    this.#open.set(`permit-${id}`, { id, ...question, params });
    return question.text;
  }

  open(): readonly Wish[] {
    return [...this.#open].map(([id, { text, leave, whole }]) => ({
      ...{ id, is: "permit", text, leave },
      ...(whole === undefined ? {} : { whole }),
    }));
  }

  answer(id: string, { ok }: WishOutcome): string {
    const permit = this.#open.get(id);
    this.#open.delete(id);
    return permit === undefined ? "" : toResult(permit.id, { outcome: toOutcome(permit.params, ok ? "once" : "no") });
  }

  /** Whoever leaves a turn says so of everything that is open in it. */
  giveUp(): string {
    const all = [...this.#open.values()].map(({ id }) => toResult(id, { outcome: { outcome: "cancelled" } }));
    this.#open.clear();
    return all.join("");
  }
}

/** Options by what they say, the best first. */
const answers = {
  always: ["allow_always", "allow_once"],
  once: ["allow_once", "allow_always"],
  no: ["reject_once", "reject_always"],
} as const;

export function toOutcome(params: Json, answer: keyof typeof answers): object {
  const options = listOf(params["options"]);
  const chosen = answers[answer]
    .map((kind) => options.find((option) => option["kind"] === kind)?.["optionId"])
    .find((option) => typeof option === "string");
  return chosen === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: chosen };
}
