/** What commands said, kept after the workspace they ran in is gone. */
export interface OutputStore {
  /**
   * Bytes of an output, at most `limit` of them; a negative offset counts from its end. Null when nothing is kept under
   * that name. Names are those that events carry.
   */
  read(name: string, from: { readonly offset: number; readonly limit: number }): Promise<KeptOutput | null>;
}

export type KeptOutput = {
  readonly bytes: Uint8Array;
  /** Where the bytes begin, counted from the start. */
  readonly offset: number;
  readonly size: number;
};
