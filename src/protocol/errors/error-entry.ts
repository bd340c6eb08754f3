// What every error code says of itself.

/** What a refusal carries besides its code: plain data, so that a program can act on it. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** When it makes sense to ask again. */
export type RetryAdvice = "never" | "after-change" | "now" | "later";

export type ErrorEntry = {
  /** HTTP status. */
  readonly status: number;
  readonly exit: ExitCode;
  readonly retry: RetryAdvice;
  /** For the catalogue: what happened, and what to do. */
  readonly means: string;
  readonly todo: string;
  /** For whoever got it: what, where, what to do. */
  readonly sentence: (data: ErrorData) => string;
  /** Ways out, where there are several. */
  readonly ways?: (data: ErrorData) => readonly string[];
};

/** The exit codes of the command line. They are stable: scripts stand on them. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  unreachable: 5,
  timedOut: 6,
  denied: 7,
  broken: 8,
  needsSomebody: 9,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Shows a value of the data inside a sentence. */
export function show(value: unknown): string {
  // The whole project is the folder without a name, and people write it with a dot.
  if (typeof value === "string") return value === "dir:" ? "dir:." : value;
  if (Array.isArray(value)) return value.map(show).join(", ");
  return value === undefined || value === null ? "?" : (JSON.stringify(value) ?? "?");
}
