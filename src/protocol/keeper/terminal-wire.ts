// What the daemon and a keeper say to each other about terminals, and the names in a recording's folder.

export type TerminalOp =
  /**
   * Opens a terminal and starts a program in it, or finds the one of this name. Everything that it says is in the folder
   * before anybody reads it. The folder belongs to the keeper's user.
   */
  | {
      readonly op: "terminal-open";
      readonly terminal: string;
      readonly argv: readonly string[];
      readonly cwd: string | null;
      readonly env: Readonly<Record<string, string>>;
      readonly cols: number;
      readonly rows: number;
      readonly folder: string;
    }
  /** What comes under a tag is written once, however often it is sent. */
  | { readonly op: "terminal-input"; readonly terminal: string; readonly base64: string; readonly tag: string }
  | { readonly op: "terminal-resize"; readonly terminal: string; readonly cols: number; readonly rows: number }
  /** With `wait` the answer comes when there is something at the offset, or the terminal has ended. */
  | {
      readonly op: "terminal-read";
      readonly terminal: string;
      readonly offset: number;
      readonly limit: number;
      readonly wait?: boolean;
    }
  /** What it shows now, with this many lines above it. */
  | { readonly op: "terminal-screen"; readonly terminal: string; readonly scrollback: number }
  /** Where viewers of this terminal reach its host, who shows what is said and takes what is typed without the keeper. */
  | { readonly op: "terminal-line"; readonly terminal: string }
  /** Answers when the terminal has ended. */
  | { readonly op: "terminal-wait"; readonly terminal: string }
  /** Ends a terminal with everything that was started in it, first gently. */
  | { readonly op: "terminal-close"; readonly terminal: string; readonly graceMs: number }
  | { readonly op: "terminal-list" };

export type TerminalReadAnswer = {
  readonly base64: string;
  /** Where the bytes stand in everything it said: later than asked for where the beginning was let go. */
  readonly offset: number;
  readonly totalBytes: number;
  readonly ended: boolean;
};

export type TerminalLineAnswer = { readonly socket: string };

export type TerminalScreenAnswer = {
  /** Written to an empty terminal of this size, it gives the same screen. */
  readonly screen: string;
  /** What was said up to here is on it; bytes from here on continue it. */
  readonly offset: number;
  readonly cols: number;
  readonly rows: number;
  readonly title: string;
  /** The same as plain lines. */
  readonly lines: readonly string[];
};

export type TerminalListAnswer = {
  readonly terminals: readonly {
    readonly terminal: string;
    readonly cols: number;
    readonly rows: number;
    readonly totalBytes: number;
    readonly ended: boolean;
  }[];
};

/** Windows of people are smaller than this; programs break at sizes that are larger. */
export const terminalColsMax = 1000;
export const terminalRowsMax = 500;

/** The first file of a recording. */
export const recordingHeadName = "recording.json";

export type RecordingHead = {
  readonly version: 1;
  readonly terminal: string;
  readonly argv: readonly string[];
  readonly cols: number;
  readonly rows: number;
  /** The time of day when it began. */
  readonly wallMs: number;
};

/**
 * One line of a `times` file: when, in milliseconds since the beginning, and how many bytes had been said by then; with a
 * size where it was changed.
 */
export type RecordingTime = readonly [atMs: number, upTo: number] | readonly [number, number, number, number];

/** A recording is cut into pieces, named by the offset of their first byte. */
export const recordingPieceName = (kind: "bytes" | "times" | "screen", from: number): string => `${kind}-${from}`;

/** The offsets of the pieces among these names, in order. */
export function recordingPieces(names: readonly string[]): number[] {
  return names
    .flatMap((name) => /^bytes-(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}
