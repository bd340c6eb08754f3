// What a command that is under way has said so far, straight from its keeper.

import { Fault } from "../../base/fault.ts";
import type { KeptOutput } from "../../ports/output-store.ts";
import type { OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

export type LiveOrder = {
  readonly run: string;
  readonly call: number;
  /** Negative counts from the end of what there is now. */
  readonly offset: number;
  readonly limit: number;
  /** Aborted when the answer should not wait any longer for something to be there. */
  readonly patience: AbortSignal;
};

/** Bytes of it, once there are some or nobody wants to wait any longer. Null where the keeper does not know the call. */
export async function readLive(keeper: KeeperLine, order: LiveOrder): Promise<KeptOutput | null> {
  const call = `${order.run}-${order.call}`;
  const { limit, patience } = order;
  const ask = async (offset: number, signal?: AbortSignal): Promise<OutputAnswer> => {
    const wait = signal === undefined ? {} : { wait: true };
    return (await keeper.request({ op: "output", call, offset, limit, ...wait }, signal)) as OutputAnswer;
  };
  try {
    const { totalBytes } = await ask(Number.MAX_SAFE_INTEGER);
    const from = order.offset < 0 ? Math.max(0, totalBytes + order.offset) : order.offset;
    const hasSome = from < totalBytes || patience.aborted;
    const part = hasSome ? await ask(from) : await ask(from, patience).catch(() => ask(from));
    return { bytes: Buffer.from(part.base64, "base64"), offset: part.offset, size: part.totalBytes };
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
