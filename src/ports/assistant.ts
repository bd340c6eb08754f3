import type { Heard } from "../core/run/heard.ts";

/**
 * One kind of assistant's program: how it is started, what is written to it, and what its lines mean. It touches nothing
 * itself: the program runs under the agent's keeper, which keeps what it writes while nobody reads.
 */
export interface Assistant {
  readonly name: string;
  /** The command that people know it by. */
  readonly program: string;
  /** How to get it, for whoever does not have it. */
  readonly install: string;
  /** Versions that were tried, from the first that works to the last that was seen. */
  readonly tried: { readonly from: string; readonly to: string };
  readonly can: Abilities;
  /** Whether what it is told in the middle of a turn gives it another turn; otherwise it belongs to the one it is in. */
  readonly turnForEach: boolean;
  /** How the program is begun, in a fresh conversation or in an earlier one. */
  begin(job: AssistantJob): Beginning;
  /** What one line of its output means, in order. */
  read(line: string): readonly Heard[];
  /** What to write so that it hears a person, also in the middle of its work. */
  say(text: string): string;
  /** What to write so that it leaves what it is doing. */
  interrupt(name: string): string;
}

export type Abilities = {
  readonly streaming: boolean;
  readonly resume: boolean;
  readonly interrupt: boolean;
  readonly steer: boolean;
  readonly cost: boolean;
  readonly subagents: boolean;
  readonly models: boolean;
};

/** Paths and addresses are as the program sees them, inside the cage. */
export type AssistantJob = {
  readonly prompt: string;
  /** The program's own name of the conversation to take up. */
  readonly session: string | null;
  readonly model: string | null;
  readonly turnsMax: number | null;
  /** A folder for its own files, which it finds again in its next life. */
  readonly home: string;
  readonly door: { readonly url: string; readonly token: string };
  /** Where models are asked, and what to present there. The real credential is elsewhere. */
  readonly relay: { readonly url: string; readonly token: string };
};

export type Beginning = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files to lay out in its home first. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** What is written to its input first. */
  readonly input: string;
};
