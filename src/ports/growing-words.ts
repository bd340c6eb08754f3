/** A piece of something that an assistant is saying or thinking; the whole comes later. */
export type Piece = { readonly of: "message" | "thinking"; readonly text: string; readonly parent: string | null };

/** What it has said of it by now: of much only the end, which begins at `from`. */
export type Growing = Piece & { readonly from: number };

/** Where it is told what a run's assistant is just saying, to whoever looks. It is in no log, and holds nobody up. */
export interface GrowingWords {
  /** All that grows now, in place of what was told before; nothing when nothing does. */
  tell(run: string, words: readonly Growing[]): void;
  /** What must not be shown, however it is spelled. */
  secrets(): Promise<readonly string[]>;
}
