// Who works for an assistant within its program, by what the call was about that began them; and which of the calls at the door are
// theirs: what their program calls the use of a tool stands in both records.

import { heardIn } from "./heard.ts";

type AnyEvent = Readonly<Record<string, unknown>>;

const nameCharsMax = 40;

export class CallNames {
  readonly #names = new Recent<string>();
  /** The calls that others work for, by those that they have made for them. */
  readonly #parents = new Recent<string>();
  /** What programs call the calls at the door. */
  readonly #uses = new Recent<string>();
  readonly #used = new Recent<true>();

  /** Takes in an event of a run. */
  learn(event: AnyEvent): void {
    const { type, use } = event;
    if (type === "call.queued" && typeof use === "string") {
      this.#uses.set(keyOf(event), use);
      this.#used.set(use, true);
    }
    for (const item of heardIn(event)) {
      if (item.is !== "tool" || item.call === "") continue;
      if (item.parent !== null) this.#parents.set(item.call, item.parent);
      if ((item.input ?? "") === "") continue;
      // What it is about comes first where there is such a thing, and then what it is told.
      const [about = ""] = (item.input ?? "").trim().split(/: |\n/, 1);
      this.#names.set(item.call, about.slice(0, nameCharsMax));
    }
  }

  /** Who works for a call; null for the assistant itself. */
  whoFor(parent: string | null): string | null {
    if (parent === null) return null;
    return `subagent ${this.#names.get(parent) ?? `of ${parent}`}`;
  }

  /** Who has made a call at the door, by an event of it; null for the assistant itself, or where nobody knows. */
  whoMade(event: AnyEvent): string | null {
    const use = this.#uses.get(keyOf(event));
    return this.whoFor(use === undefined ? null : (this.#parents.get(use) ?? null));
  }

  /** Whether the door has a record of all that a program tells in an event: it need not be told twice. */
  isAtDoor(event: AnyEvent): boolean {
    const heard = heardIn(event);
    return heard.length > 0 && heard.every((item) => item.is === "tool" && this.#used.get(item.call) === true);
  }
}

function keyOf({ run, call }: AnyEvent): string {
  return `${String(run)} ${String(call)}`;
}

/** The newest of many, for what is never told to its end would be remembered for ever. */
class Recent<T> {
  readonly #entries = new Map<string, T>();

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > entriesMax && oldest !== undefined) this.#entries.delete(oldest);
  }
}

const entriesMax = 4000;
