/** The world failed: a disk is full, a process would not start. An adapter throws it, and it says whether to try again. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: string;
  readonly retry: "now" | "later" | "never";

  constructor(code: string, options: { message: string; retry: "now" | "later" | "never"; cause?: unknown }) {
    super(options.message, { cause: options.cause });
    this.code = code;
    this.retry = options.retry;
  }
}
