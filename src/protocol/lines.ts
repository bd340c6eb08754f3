// JSON lines over a Unix socket: the quick way in for programs on the same machine. Requests may be sent without waiting
// for answers, and answers may come in another order; the id tells which belongs to which. Who may connect is decided by
// the permissions of the socket.

import type { WireError } from "./errors.ts";

export type LineRequest = {
  readonly id: number;
  readonly op: string;
  readonly input?: unknown;
  /** "mcp" when a model asks: what is for people only is then refused. */
  readonly face?: "mcp" | undefined;
};

export type LineReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number | null; readonly ok: false; readonly error: WireError };

/** The header by which HTTP requests say the same as `face`. */
export const faceHeader = "signalbox-face";
