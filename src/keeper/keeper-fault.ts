import { Fault } from "../base/fault.ts";

/** A fault that says more than its sentence. */
export class KeeperFault extends Fault {
  readonly data: unknown;

  constructor(code: string, options: { message: string; data: unknown }) {
    super(code, { message: options.message, retry: "never" });
    this.data = options.data;
  }
}
