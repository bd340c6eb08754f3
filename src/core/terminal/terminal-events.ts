// What is written down of terminals: that one was opened and how it ended, and who could type when. What was said in it
// is in its recording.

/** Somebody who looks at a terminal: a window of theirs, and the name they go by. */
export type Viewer = { readonly viewer: string; readonly name: string };

export type TerminalOpened = {
  readonly type: "terminal.opened";
  readonly v: 1;
  readonly terminal: string;
  readonly run: string;
  /** The program in it; empty is the shell. */
  readonly argv: readonly string[];
  readonly cols: number;
  readonly rows: number;
};

export type TerminalWhy = "ended" | "stopped" | "out-of-memory" | "lost" | "not-started";

export type TerminalEnded = {
  readonly type: "terminal.ended";
  readonly v: 1;
  readonly terminal: string;
  readonly run: string;
  readonly exit: number | "unknown";
  readonly why: TerminalWhy;
  /** How much was said in it. */
  readonly bytes: number;
  /** Why there is none, where it was not started. */
  readonly message: string | null;
};

/** Somebody wants the keyboard, has it, or has let it go. Who types is whoever has it. */
export type TerminalKeyboard = Viewer & {
  readonly type: "terminal.keyboard";
  readonly v: 1;
  readonly terminal: string;
  readonly run: string;
  /** `given` and `taken` name who has it now, `asked` and `freed` who did that. */
  readonly how: "asked" | "given" | "taken" | "freed";
};

export type TerminalEvent = TerminalOpened | TerminalEnded | TerminalKeyboard;

export type TerminalInput =
  | {
      readonly type: "terminal.open";
      readonly run: string;
      readonly argv: readonly string[];
      readonly cols: number;
      readonly rows: number;
    }
  | ({ readonly type: "terminal.end" } & Omit<TerminalEnded, "type" | "v" | "run">)
  /** `to` is whom it is given to. */
  | ({
      readonly type: "terminal.keyboard";
      readonly terminal: string;
      readonly act: "ask" | "take" | "give" | "free";
      readonly to?: Viewer | undefined;
    } & Viewer);

export type Terminal = {
  readonly id: string;
  /** The run whose agent it is in: a root. */
  readonly run: string;
  readonly by: string;
  readonly argv: readonly string[];
  readonly cols: number;
  readonly rows: number;
  readonly openedAtMs: number;
  keyboard: Viewer | null;
  /** Who waits for it, the first first. */
  asks: Viewer[];
  ended: {
    readonly atMs: number;
    readonly exit: number | "unknown";
    readonly why: TerminalWhy;
    readonly bytes: number;
    readonly message: string | null;
  } | null;
};
