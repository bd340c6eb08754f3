// What an agent asks leave for. The tools of servers are allowed as they are: they ask for themselves. What it would do with hands of
// its own, to files, commands or the network, a person decides.

import type { Hooks, Wish, WishOutcome } from "../../../ports/assistant.ts";
import { type Json, listOf, recordOf } from "../json-line.ts";
import { toResult } from "../json-rpc.ts";
import { type PermitQuestion, permitQuestion } from "./permit-question.ts";

/** With what its program is answered in each case. */
type Permit = PermitQuestion & { readonly answers: Readonly<Record<"allowed" | "refused" | "left", string>> };

/** Kinds of acts, in the protocol's words, that an agent does itself. */
const ownHands: ReadonlySet<unknown> = new Set(["edit", "delete", "move", "execute", "fetch", "switch_mode"]);

/** Nobody answers more, and each is kept with all that is said of it, … */
const openMax = 100;
/** … which may be as long as a file. */
const openCharsMax = 16_000_000;

export class AcpPermits implements Hooks {
  readonly #open = new Map<string, Permit>();

  /** More cannot be asked now. */
  get isFull(): boolean {
    const chars = [...this.#open.values()].reduce((sum, permit) => sum + charsOf(permit), 0);
    return this.#open.size >= openMax || chars >= openCharsMax;
  }

  /** What a person is asked, where one has to be. */
  take(id: string | number, params: Json): string | null {
    const call = recordOf(params["toolCall"]);
    if (!ownHands.has(call["kind"])) return null;
    const question = permitQuestion(call);
    const toAnswer = (outcome: object): string => toResult(id, { outcome });
    const [allowed, refused] = [toAnswer(toOutcome(params, "once")), toAnswer(toOutcome(params, "no"))];
    this.#open.set(`permit-${id}`, { ...question, answers: { allowed, refused, left: toAnswer(cancelled) } });
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
    return permit?.answers[ok ? "allowed" : "refused"] ?? "";
  }

  /** Whoever leaves a turn says so of everything that is open in it. */
  giveUp(): string {
    const all = [...this.#open.values()].map(({ answers: { left } }) => left);
    this.#open.clear();
    return all.join("");
  }
}

function charsOf({ text, whole, answers: { allowed, refused, left } }: Permit): number {
  return [text, whole?.text ?? "", allowed, refused, left].reduce((sum, each) => sum + each.length, 0);
}

const cancelled = { outcome: "cancelled" } as const;

/** Options by what they say, the best first. */
const preferred = {
  always: ["allow_always", "allow_once"],
  once: ["allow_once", "allow_always"],
  no: ["reject_once", "reject_always"],
} as const;

export function toOutcome(params: Json, answer: keyof typeof preferred): object {
  const options = listOf(params["options"]);
  const chosen = preferred[answer]
    .map((kind) => options.find((option) => option["kind"] === kind)?.["optionId"])
    .find((option) => typeof option === "string");
  return chosen === undefined ? cancelled : { outcome: "selected", optionId: chosen };
}
