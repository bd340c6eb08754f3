// What an assistant's own tools may do: write what its run holds, and have it looked what they changed. They ask as its model
// would ask the door, in the same line, and wait as long as it takes.

import { isAbsolute, relative } from "node:path";
import type { Wish, WishOutcome } from "../../ports/assistant.ts";
import { claimTool, lookTool } from "../model-door/door-tools.ts";
import type { ModelDoor } from "../model-door/model-door.ts";

export class NativeHands {
  readonly #door: Pick<ModelDoor, "call">;
  readonly #root: string;

  constructor(door: Pick<ModelDoor, "call">, root: string) {
    this.#door = door;
    this.#root = root;
  }

  async do(wish: Wish): Promise<WishOutcome> {
    if (wish.is === "look") return this.#untilDone(() => this.#door.call(lookTool, {}));
    const path = isAbsolute(wish.path) ? relative(this.#root, wish.path) : wish.path;
    // Outside of the project the cage decides.
    if (path === "" || path === ".." || path.startsWith("../")) return { ok: true, message: "" };
    return this.#untilDone(() => this.#door.call(claimTool, { units: [`file:${path}`] }));
  }

  async #untilDone(ask: () => ReturnType<ModelDoor["call"]>): Promise<WishOutcome> {
    for (;;) {
      const { text, isError, waits } = await ask();
      if (waits !== true) return { ok: !isError, message: text };
    }
  }
}
