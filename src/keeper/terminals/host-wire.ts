// What a keeper and the host of its terminals say to each other, over the channel that Node gives a child.

export type HostRequest = { readonly id: number } & HostOp;

export type HostOp =
  /** Whether it is there: answered at once. */
  | { readonly op: "there" }
  | {
      readonly op: "open";
      readonly terminal: string;
      readonly argv: readonly string[];
      readonly cols: number;
      readonly rows: number;
      readonly folder: string;
    }
  /** Its program has its end now. */
  | { readonly op: "begun"; readonly terminal: string }
  | { readonly op: "input"; readonly terminal: string; readonly bytes: Uint8Array; readonly tag: string }
  | { readonly op: "resize"; readonly terminal: string; readonly cols: number; readonly rows: number }
  | { readonly op: "screen"; readonly terminal: string; readonly scrollback: number }
  /** Its program has ended: reads the rest, and answers when everything is in the files. */
  | { readonly op: "end"; readonly terminal: string };

export type HostMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string }
  /** So much has been said by now, and is in the files. It is told now and then: viewers hear it by lines of their own. */
  | { readonly said: Readonly<Record<string, number>> };

export type HostOpened = { readonly path: string };
export type HostEnded = { readonly totalBytes: number };
