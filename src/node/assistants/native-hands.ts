// What an assistant's own tools may do: write what its run holds, and have it looked what they changed. They ask as its model
// would ask the door, in the same line, and wait as long as it takes.

import { isAbsolute, relative } from "node:path";
import type { Wish, WishOutcome } from "../../ports/assistant.ts";
import { readVerdict } from "../../core/run/leave.ts";
import { claimTool, lookTool, permitTool } from "../model-door/door-tools.ts";
import type { ModelDoor } from "../model-door/model-door.ts";

/** The program that wishes for something. */
export type Asker = {
  /** Whether it still waits for this. */
  readonly isThere: () => boolean;
  /** False when it does not hear any more. */
  readonly tell: (outcome: WishOutcome) => Promise<boolean>;
};

type Permit = Extract<Wish, { is: "permit" }>;

/** What a person was asked, and who is to hear the answer. */
type Asked = { readonly text: string; readonly outcome: Promise<WishOutcome>; asker: Asker };

export class NativeHands {
  readonly #door: Pick<ModelDoor, "call">;
  readonly #root: string;
  readonly #asked = new Set<Asked>();

  constructor(door: Pick<ModelDoor, "call">, root: string) {
    this.#door = door;
    this.#root = root;
  }

  async serve(wish: Wish, asker: Asker): Promise<void> {
    if (wish.is === "permit") await this.#permit(wish, asker);
    else await asker.tell(await this.#do(wish));
  }

  async #do(wish: Exclude<Wish, { is: "permit" }>): Promise<WishOutcome> {
    if (wish.is === "look") return this.#untilDone(() => this.#door.call(lookTool, {}));
    const path = isAbsolute(wish.path) ? relative(this.#root, wish.path) : wish.path;
    // Outside of the project the cage decides.
    if (path === "" || path === ".." || path.startsWith("../")) return { ok: true, message: "" };
    return this.#untilDone(() => this.#door.call(claimTool, { units: [`file:${path}`] }));
  }

  /**
   * A person's word is for one act. A program that had to begin anew before it heard it asks again, under another name, and has
   * it then; one that heard it asks anew for the next act, also for the same again.
   */
  async #permit(wish: Permit, asker: Asker): Promise<void> {
    const asked = this.#askedFor(wish, asker);
    const { ok, message } = await asked.outcome;
    if (asked.asker !== asker || !asker.isThere()) return;
    // Where telling it breaks, nobody knows whether it heard: it has to ask again then.
    this.#asked.delete(asked);
    const isHeard = await asker.tell({ ok: ok && readVerdict(message)?.allows === true, message });
    if (ok && !isHeard) this.#asked.add(asked);
  }

  #askedFor(wish: Permit, asker: Asker): Asked {
    const { text } = wish;
    const left = [...this.#asked].find((each) => each.text === text && !each.asker.isThere());
    if (left !== undefined) {
      left.asker = asker;
      return left;
    }
    const asked: Asked = { text, outcome: this.#ask(wish), asker };
    this.#asked.add(asked);
    // Where the question itself fails, nobody has said anything that could be kept.
    void asked.outcome.catch(() => ({ ok: false })).then(({ ok }) => (ok ? undefined : this.#asked.delete(asked)));
    return asked;
  }

  #ask({ text: question, leave, whole }: Permit): Promise<WishOutcome> {
    const more = whole === undefined ? {} : { whole };
    return this.#untilDone(() => this.#door.call(permitTool, { question, leave, ...more }));
  }

  async #untilDone(ask: () => ReturnType<ModelDoor["call"]>): Promise<WishOutcome> {
    for (;;) {
      const { text, isError, waits } = await ask();
      if (waits !== true) return { ok: !isError, message: text };
    }
  }
}
