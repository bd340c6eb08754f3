import type { ToolChoice } from "../core/profile/profile.ts";
import type { Heard } from "../core/run/heard.ts";
import type { Leave, WholeAct } from "../core/run/leave.ts";
import type { Piece } from "./growing-words.ts";

/** Who answers model requests. */
export type ModelMaker = "anthropic" | "openai" | "gemini";

/**
 * One kind of assistant's program: how it is started, and how one talks with it. It touches nothing itself: the program runs
 * under the agent's keeper, which keeps what it writes while nobody reads.
 */
export interface Assistant {
  readonly name: string;
  /** The command that people know it by. */
  readonly program: string;
  /** How to get it, for whoever does not have it. */
  readonly install: string;
  /** Versions that were tried, from the first that works to the last that was seen; null where nobody tried any. */
  readonly tried: { readonly from: string; readonly to: string } | null;
  readonly can: Abilities;
  /** Whose models it asks for; null where that is not known beforehand. */
  readonly provider: ModelMaker | null;
  /** It chooses among several models by itself where nobody names one. It is named one, so that what is paid for is known. */
  readonly chooses?: boolean;
  /** Tools of the door that its program has to see under other names, by the usual ones. */
  readonly toolNames?: Readonly<Record<string, string>>;
  /** How its program is spoken to, where there are several ways. */
  readonly way?: string;
  /** The same program in another way, for a machine where it does not answer to what is said first in this one. */
  readonly otherwise?: Assistant;
  /**
   * A life of its program is one turn: its input ends with what is written first, and whatever comes later is for its next
   * life. It leaves what it is doing by being ended.
   */
  readonly isOnce?: boolean;
  /** It cannot be spoken to in the middle of a turn: there it hears people with the next answer of the door. */
  readonly hearsAtDoor?: boolean;
  /** How the program is begun, in a fresh conversation or in an earlier one. */
  begin(job: AssistantJob): Beginning;
  /** The talk with a program that was begun for this job. */
  talk(job: AssistantJob): Talk;
}

/**
 * What is said to a program and what its lines mean, for one of its lives. It knows only what it was given: whoever comes
 * later makes another one, gives it every line of that life again, and is where the first one was. What it wants written
 * for a line it wants for the same line again; that it is written once is for the keeper to see to.
 */
export interface Talk {
  /** What is written first. */
  open(): string;
  /** What the next line means, and what to write in answer. */
  read(line: string): Reading;
  /**
   * What to write so that it hears a person. While it owes a turn that may be part of the turn, or another one. Null: it
   * cannot hear now; after its turn it can.
   */
  say(text: string, owes: boolean): { readonly write: string; readonly begins: boolean } | null;
  /** What to write so that it leaves what it is doing; nothing where it is doing nothing. */
  interrupt(): string;
  /** What tools of its own ask before they act, and say when they are done. */
  readonly hooks?: Hooks;
}

export interface Hooks {
  /** What it asks for and nobody has answered, as far as its lines tell. */
  open(): readonly Wish[];
  /** What to write in answer. */
  answer(id: string, outcome: WishOutcome): string;
}

/** To write to a path, as the program sees it; to have it looked what a tool has changed; or a person's leave. */
export type Wish =
  | {
      readonly id: string;
      readonly is: "permit";
      readonly text: string;
      readonly leave: Leave;
      readonly whole?: WholeAct;
    }
  | { readonly id: string; readonly is: "write"; readonly path: string }
  | { readonly id: string; readonly is: "look" };

/** Whether it may, or why not; and what it should know. */
export type WishOutcome = { readonly ok: boolean; readonly message: string };

/** What was heard, with all of that which is too long for the log. */
export type HeardInFull = Heard & { readonly whole?: string };

export type Reading = {
  readonly heard: readonly HeardInFull[];
  /** Pieces of what it is saying, which comes as a whole later. */
  readonly pieces?: readonly Piece[];
  readonly write: string;
  /** How much of what was to begin a turn of its own has become part of the one under way. */
  readonly joined?: number;
};

export type Abilities = {
  /** What it says can be read while it says it. */
  readonly streaming: boolean;
  /** Is given what people say to its run, in a turn or after it. */
  readonly messages: boolean;
  readonly resume: boolean;
  readonly interrupt: boolean;
  /** Hears people in the middle of a turn, by its program or with an answer of the door; otherwise after it. */
  readonly steer: boolean;
  readonly cost: boolean;
  /** Has others of its kind work for it within its program, who act by the door too, and are told apart. */
  readonly subagents: boolean;
  readonly models: boolean;
  /** Can work with tools of its own that ask before they write. */
  readonly native: boolean;
};

/** Paths and addresses are as the program sees them, inside the cage. */
export type AssistantJob = {
  /** What it is told first. */
  readonly prompt: string;
  /** The same for somebody who knows nothing: where the conversation to take up is not there any more. */
  readonly anew: string;
  /** The program's own name of the conversation to take up. */
  readonly session: string | null;
  readonly model: string | null;
  /** Whether it has tools of its own beside the door's. */
  readonly tools: ToolChoice;
  /** Whether it may let others of its kind work for it, within its program. */
  readonly subagents: boolean;
  /** A folder for its own files, which it finds again in its next life. */
  readonly home: string;
  readonly door: { readonly url: string; readonly token: string };
  readonly relay: RelayPlace;
  /** Further servers of tools. */
  readonly servers: readonly ToolServer[];
};

/** A server of tools beside the door: asked where the relay is, or begun by the program itself. */
export type ToolServer =
  | { readonly name: string; readonly url: string; readonly token: string }
  | { readonly name: string; readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** Where models are asked, what to present there, and whose there are. The real credentials are elsewhere. */
export type RelayPlace = { readonly url: string; readonly token: string; readonly paid: readonly ModelMaker[] };

export type Beginning = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files to lay out in its home first. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Where it is begun: its home, where it would obey what a project says of programs like it. */
  readonly cwd: "project" | "home";
};
