// A terminal over a WebSocket. Whoever looks says once what they want and then gets the true screen, followed by the bytes
// that continue it. Frames of bytes begin with a number of eight bytes: shown ones with how far in the terminal's output
// they reach, typed ones with a number that rises, by which they are typed once also where they had to be sent again.

import { z } from "zod";
import type { WireError } from "./errors.ts";
import { cols, rows, saidText, type Terminal, terminalId, viewerId, viewerName } from "./wire/terminal.ts";

export const terminalPath = "/terminal";

const size = z.strictObject({ cols, rows });

export const attachSchema = z.strictObject({
  attach: z.strictObject({
    terminal: terminalId,
    viewer: viewerId,
    name: viewerName,
    readOnly: z.boolean().default(false).describe("Only looks: nothing that comes from here is ever typed."),
    size: size.optional().describe("Of the window. The terminal has the size of whoever types."),
    scrollback: z.int().min(0).max(2000).default(0).describe("How many lines above the screen."),
    from: z.int().min(0).optional().describe("How far this window has got: it goes on from there."),
    whole: z.boolean().default(false).describe("Every byte, however slow this window is."),
  }),
});
export type Attach = z.output<typeof attachSchema>["attach"];
export type AttachWish = z.input<typeof attachSchema>["attach"];

export const terminalWordSchema = z.union([
  z.strictObject({ resize: size }),
  z.strictObject({ keyboard: z.enum(["ask", "take", "free"]) }),
  z.strictObject({ give: z.strictObject({ viewer: viewerId }) }),
  z.strictObject({ say: saidText }),
]);
/** What a viewer says, beside what they type. */
export type TerminalWord = z.output<typeof terminalWordSchema>;

export type PresentViewer = {
  readonly viewer: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly keyboard: boolean;
  readonly asks: boolean;
};

/** Something that one viewer said to all, and when: as a time of the day. */
export type Said = { readonly name: string; readonly text: string; readonly atMs: number };

/** What is told to a viewer, beside what is shown. */
export type TerminalNews =
  /** The next bytes are a whole screen of this size; what was shown before is void. */
  | { readonly screen: { readonly cols: number; readonly rows: number; readonly title: string } }
  /** The terminal has another size now. */
  | { readonly size: { readonly cols: number; readonly rows: number } }
  | { readonly viewers: readonly PresentViewer[] }
  /** What was typed up to this number is with the terminal. */
  | { readonly typed: number }
  /** It was not typed: somebody else has the keyboard, or more waits than the program reads. */
  | { readonly refused: number }
  | { readonly said: Said }
  /** It went with its agent's place, which is made anew: who stays here is led to the one that stands in for it. */
  | { readonly comingBack: { readonly because: string | null } }
  /** The terminal that was asked for went with its agent's place: from here on it is this one that stands in for it. */
  | { readonly moved: { readonly terminal: string } }
  | { readonly ended: NonNullable<Terminal["ended"]> }
  | { readonly error: WireError };

/** Of what is typed, in one frame. A longer paste is several, each with its own number. */
export const typedPieceBytesMax = 64 * 1024;
/** What of one viewer may wait for a program that does not read, beyond what the terminal itself has waiting. */
export const untakenBytesMax = 4 * 1024 * 1024;

const numberBytes = 8;

export function toFrame(number: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(numberBytes + bytes.length);
  new DataView(frame.buffer).setFloat64(0, number);
  frame.set(bytes, numberBytes);
  return frame;
}

/** Undefined where it is none. */
export function fromFrame(frame: Uint8Array): { readonly number: number; readonly bytes: Uint8Array } | undefined {
  if (frame.length < numberBytes) return undefined;
  const number = new DataView(frame.buffer, frame.byteOffset).getFloat64(0);
  return Number.isSafeInteger(number) && number >= 0 ? { number, bytes: frame.subarray(numberBytes) } : undefined;
}
