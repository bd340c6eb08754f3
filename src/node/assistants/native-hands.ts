// What an assistant's own tools may do: write what its run holds, and have it looked what they changed. They ask as its model
// would ask the door, in the same line, and wait as long as it takes.

import { isAbsolute, relative } from "node:path";
import type { Wish, WishOutcome } from "../../ports/assistant.ts";
import { askTool, claimTool, lookTool } from "../model-door/door-tools.ts";
import type { ModelDoor } from "../model-door/model-door.ts";

const isYes = /^\W*(allow|yes|y|ok)\b/i;

export class NativeHands {
  readonly #door: Pick<ModelDoor, "call">;
  readonly #root: string;
  readonly #permits = new Map<string, Promise<WishOutcome>>();

  constructor(door: Pick<ModelDoor, "call">, root: string) {
    this.#door = door;
    this.#root = root;
  }

  async do(wish: Wish): Promise<WishOutcome> {
    if (wish.is === "permit") return this.#permit(wish.text);
    if (wish.is === "look") return this.#untilDone(() => this.#door.call(lookTool, {}));
    const path = isAbsolute(wish.path) ? relative(this.#root, wish.path) : wish.path;
    // Outside of the project the cage decides.
    if (path === "" || path === ".." || path.startsWith("../")) return { ok: true, message: "" };
    return this.#untilDone(() => this.#door.call(claimTool, { units: [`file:${path}`] }));
  }

  /** A person is asked once: a program that had to begin anew meanwhile asks again, and has its answer. */
  async #permit(text: string): Promise<WishOutcome> {
    const known = this.#permits.get(text) ?? this.#untilDone(() => this.#door.call(askTool, { question: text }));
    this.#permits.set(text, known);
    const { ok, message } = await known;
    return { ok: ok && isYes.test(message), message };
  }

  async #untilDone(ask: () => ReturnType<ModelDoor["call"]>): Promise<WishOutcome> {
    for (;;) {
      const { text, isError, waits } = await ask();
      if (waits !== true) return { ok: !isError, message: text };
    }
  }
}
