// What is written down of terminals: that one was opened, in whose cage and under which name, how it ended, and who could
// type when. What was said in it is in its recording.

/** Somebody who looks at a terminal: a window of theirs, and the name they go by. */
export type Viewer = { readonly viewer: string; readonly name: string };

/** In whose cage it is: of a run, with which it ends, or of a living agent. */
export type TerminalOwner = { readonly run: string } | { readonly agent: string };

export type TerminalOpened = TerminalOwner & {
  readonly type: "terminal.opened";
  readonly v: 1;
  readonly terminal: string;
  /** The name that people know it by, once among those of its owner that are open. Left out by those of long ago. */
  readonly window?: string;
  /** The one that it stands in for, of the same person, which went when the place of its agent was made anew. */
  readonly after?: string;
  /** The program in it; empty is the shell. */
  readonly argv: readonly string[];
  readonly cols: number;
  readonly rows: number;
};

/** `renewed`: its agent was begun anew, and another one comes in its place. */
export type TerminalWhy = "ended" | "stopped" | "out-of-memory" | "out-of-disk" | "lost" | "not-started" | "renewed";

export type TerminalEnded = TerminalOwner & {
  readonly type: "terminal.ended";
  readonly v: 1;
  readonly terminal: string;
  readonly exit: number | "unknown";
  readonly why: TerminalWhy;
  /** How much was said in it. */
  readonly bytes: number;
  /** Why there is none, where it was not started. */
  readonly message: string | null;
};

/** Somebody wants the keyboard, has it, or has let it go. Who types is whoever has it. */
export type TerminalKeyboard = Viewer &
  TerminalOwner & {
    readonly type: "terminal.keyboard";
    readonly v: 1;
    readonly terminal: string;
    /** `given` and `taken` name who has it now, `asked` and `freed` who did that. */
    readonly how: "asked" | "given" | "taken" | "freed";
  };

/** People know it by another name now. */
export type TerminalRenamed = TerminalOwner & {
  readonly type: "terminal.renamed";
  readonly v: 1;
  readonly terminal: string;
  readonly window: string;
};

/** Its recording was kept for as long as that was wanted, or a person has removed it, and nothing is known of it any more. */
export type TerminalForgotten = TerminalOwner & {
  readonly type: "terminal.forgotten";
  readonly v: 1;
  readonly terminal: string;
  readonly because: ForgottenBecause;
};

export type ForgottenBecause = "age" | "size" | "person";

export type TerminalEvent = TerminalOpened | TerminalEnded | TerminalKeyboard | TerminalRenamed | TerminalForgotten;

export type OpenTerminal = TerminalOwner & {
  readonly type: "terminal.open";
  /** Left out: the person's own, or for a program one that is called like it. */
  readonly window?: string | undefined;
  /** Whether one of that name that is open is the answer. */
  readonly join?: boolean;
  readonly argv: readonly string[];
  readonly cols: number;
  readonly rows: number;
};

export type TerminalInput =
  | OpenTerminal
  | { readonly type: "terminal.rename"; readonly terminal: string; readonly window: string }
  | { readonly type: "terminal.forget"; readonly terminal: string; readonly because: ForgottenBecause }
  | {
      readonly type: "terminal.end";
      readonly terminal: string;
      readonly exit: number | "unknown";
      readonly why: TerminalWhy;
      readonly bytes: number;
      readonly message: string | null;
    }
  /** `to` is whom it is given to. */
  | ({
      readonly type: "terminal.keyboard";
      readonly terminal: string;
      readonly act: "ask" | "take" | "give" | "free";
      readonly to?: Viewer | undefined;
    } & Viewer);

export type TerminalPlace = {
  readonly project: string;
  readonly node: string;
  /** The living agent in whose cage it is, also that of a run in it, and the name that people know it by. */
  readonly agent: { readonly id: string; readonly name: string } | null;
};

export type Terminal = {
  readonly id: string;
  /** In whose cage it is: a root, or a living agent. */
  readonly owner: TerminalOwner;
  window: string;
  readonly by: string;
  readonly argv: readonly string[];
  readonly cols: number;
  readonly rows: number;
  readonly openedAtMs: number;
  /** Where it was opened, which is known also when its owner is removed (TM23). */
  readonly place: TerminalPlace;
  /** When its run or agent was removed: only its recording is left. */
  removedAtMs: number | null;
  keyboard: Viewer | null;
  /** Who waits for it, the first first. */
  asks: Viewer[];
  /** The one that stands in for it. */
  heir: string | null;
  ended: {
    readonly atMs: number;
    readonly exit: number | "unknown";
    readonly why: TerminalWhy;
    readonly bytes: number;
    readonly message: string | null;
  } | null;
};
