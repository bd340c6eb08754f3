import { describe, expect, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import type { KeeperOp, OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { readLive } from "./live-output.ts";

/** A keeper whose command has said this so far. */
class Keeper {
  said = "one two";
  readonly waits: AbortSignal[] = [];

  async request(op: KeeperOp, signal?: AbortSignal): Promise<unknown> {
    if (op.op !== "output" || op.call !== "r_1-4")
      throw new Fault("unknown-call", { retry: "never", message: "nobody knows it" });
    if (op.wait === true && op.offset >= this.said.length && signal !== undefined) {
      this.waits.push(signal);
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    }
    const offset = Math.min(op.offset, this.said.length);
    const base64 = Buffer.from(this.said.slice(offset, offset + op.limit)).toString("base64");
    return { base64, offset, totalBytes: this.said.length, ended: false } satisfies OutputAnswer;
  }

  close(): void {}
}

describe("the output of a command that is under way", () => {
  const read = async (keeper: Keeper, offset: number, { patience = new AbortController().signal, call = 4 } = {}) => {
    const said = await readLive(keeper, { run: "r_1", call, offset, limit: 100, patience });
    return said === null ? null : [Buffer.from(said.bytes).toString(), said.offset, said.size];
  };

  test("[RN38] is read from anywhere in it, also from its end", async () => {
    const keeper = new Keeper();
    expect(await read(keeper, 0)).toEqual(["one two", 0, 7]);
    expect(await read(keeper, 4)).toEqual(["two", 4, 7]);
    expect(await read(keeper, -3)).toEqual(["two", 4, 7]);
    expect(await read(keeper, -99)).toEqual(["one two", 0, 7]);
    expect(keeper.waits).toEqual([]);
  });

  test("[RN38] is waited for as long as somebody wants to, and no longer", async () => {
    const keeper = new Keeper();
    const patience = new AbortController();
    const reading = read(keeper, 7, { patience: patience.signal });
    while (keeper.waits.length === 0) await new Promise(setImmediate);
    patience.abort();
    expect(await reading).toEqual(["", 7, 7]);
  });

  test("[RN38] of a call that its keeper does not know there is none", async () => {
    expect(await read(new Keeper(), 0, { call: 5 })).toBeNull();
  });
});
