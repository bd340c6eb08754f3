// What is kept of the beginnings of long outputs, for all commands of an agent together: the agent's share of the disk has it.

import type { Quota } from "../cage/quota.ts";

export class KeptHeads {
  readonly #quota: Pick<Quota, "mayKeep">;
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  constructor(quota: Pick<Quota, "mayKeep">) {
    this.#quota = quota;
  }

  /** Whether the output of a call may have so many bytes. What is not counted takes nothing from later ones. */
  roomOf(call: string, folder: string, { isCounted }: { readonly isCounted: boolean }): (bytes: number) => boolean {
    return (bytes) => {
      const own = this.#bytesOf.get(call) ?? 0;
      if (!this.#quota.mayKeep(bytes, folder, this.#bytes - own)) return false;
      if (isCounted) this.#set(call, bytes);
      return true;
    };
  }

  /** Its output is gone, and others have the room. */
  forget(call: string): void {
    this.#set(call, 0);
    this.#bytesOf.delete(call);
  }

  #set(call: string, bytes: number): void {
    this.#bytes += bytes - (this.#bytesOf.get(call) ?? 0);
    this.#bytesOf.set(call, bytes);
  }
}
