import type { TimeMark } from "../base/time-marks.ts";

/** What commands said, kept after the workspace they ran in is gone. */
export interface OutputStore {
  /**
   * Bytes of an output, at most `limit` of them; a negative offset counts from its end. Null when nothing is kept under
   * that name. Names are those that events carry.
   */
  read(name: string, from: { readonly offset: number; readonly limit: number }): Promise<KeptOutput | null>;
}

/** Where a part of the whole stands in what was kept of it, after something that was not. */
export type KeptPiece = { readonly from: number; readonly at: number };

/** The file beside an output that has them. */
export function keptPiecesOf(file: string): string {
  return `${file}.pieces`;
}

/** The file beside an output that says when what in it was said, where that was noted. */
export function keptTimesOf(file: string): string {
  return `${file}.times`;
}

export type KeptOutput = {
  readonly bytes: Uint8Array;
  /** Where the bytes begin, counted from the start. */
  readonly offset: number;
  readonly size: number;
  /** When the bytes were said; left out where nobody has noted it. */
  readonly times?: readonly TimeMark[];
};
