import type { OperationName } from "../protocol/operations.ts";

/** How a request reaches the daemon. It throws a ProtocolError when the answer is no. */
export interface Transport {
  call(name: OperationName, input: unknown, signal?: AbortSignal): Promise<unknown>;
  close(): void;
}
