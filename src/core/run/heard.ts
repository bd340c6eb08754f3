// What an assistant's program says of itself, in words that all programs share. It is its own account: what really happened
// to files and processes is what the door recorded.

import type { Usage } from "../budget/prices.ts";

export type Heard =
  /** The name of its conversation, by which it can be taken up again. */
  | { readonly is: "session"; readonly session: string; readonly model: string | null }
  | { readonly is: "message" | "thinking"; readonly text: string; readonly parent: string | null }
  /**
   * It wants a tool used. `call` is its own name for that. What it asks of the door, the door's record has; of anything else `input`
   * is what it asks for, shortened, and a result follows.
   */
  | {
      readonly is: "tool";
      readonly call: string;
      readonly tool: string;
      readonly parent: string | null;
      readonly input?: string;
    }
  /** What came of a call that the door knows nothing of: of a long text its beginning and its end, and the artifact that has all of it. */
  | {
      readonly is: "result";
      readonly call: string;
      readonly tool: string;
      readonly parent: string | null;
      readonly ok: boolean;
      readonly exit: number | null;
      readonly text: string;
      readonly output: string | null;
    }
  /** It has done what it was told. What it was told meanwhile is another turn. */
  | {
      readonly is: "turn";
      readonly ok: boolean;
      readonly text: string;
      readonly why: TurnEnd;
      readonly usage: OwnUsage;
    }
  /** Something that we have no word for is kept as it came, shortened. */
  | { readonly is: "other"; readonly kind: string; readonly text: string };

export type TurnEnd =
  | "ended"
  | "interrupted"
  | "max-turns"
  | "rate-limit"
  | "outage"
  | "auth"
  | "context"
  | "refused"
  /** The conversation that it was to take up is not there: it has done nothing. */
  | "forgot"
  | "error";

/**
 * What was taken by the program's own reckoning until a turn ended: its cost from the beginning of the conversation, also when that is
 * taken up again. Some count tokens from the beginning of their life only.
 */
type OwnUsage = Usage & { readonly costMicros: number | null };
