// What is remembered of tasks: what somebody wants, what comes along with it, and within which paths it is to be done.

/** A file is its bytes' name in the blob store; the log has no bytes. */
export type Attachment =
  | { readonly kind: "note"; readonly name: string; readonly text: string }
  | { readonly kind: "link"; readonly name: string; readonly url: string }
  | { readonly kind: "file"; readonly name: string; readonly blob: string; readonly bytes: number };

/** What a task says, and whoever may change it can say otherwise. */
export type TaskWords = {
  readonly title: string;
  readonly description: string;
  /** A command that has to succeed before the result counts, as argv. */
  readonly acceptance: readonly string[] | null;
  /** Files and folders that its runs may change; null is the whole project. */
  readonly scope: readonly string[] | null;
};

export type Task = TaskWords & {
  readonly id: string;
  readonly project: string;
  readonly attachments: readonly Attachment[];
  /** Who wants it. */
  readonly by: string;
  /** Whether a person made it, or has said since what it is to be: no model says otherwise any more. */
  readonly isPersons: boolean;
  /** Made as a thing of its own: it stays without a run. One that a run brought along goes with the last of its runs. */
  readonly kept: boolean;
  /** What it was made with, where a key came along: the same key with something else is refused (TK2). */
  readonly asked: (TaskWords & { readonly key: string; readonly attachments: readonly Attachment[] }) | null;
  /** Whether its words are not those that it was made with any more. */
  readonly changed: boolean;
  readonly cancelled: boolean;
  readonly runs: string[];
  readonly atMs: number;
};
