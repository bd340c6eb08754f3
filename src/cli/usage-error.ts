/** Somebody typed something that cannot be meant. The message says what, where, and what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
