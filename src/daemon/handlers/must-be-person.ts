import { protocolError } from "../../protocol/errors.ts";
import type { Caller } from "../context.ts";

/** Throws `forbidden` for a model. */
export function mustBePerson(caller: Caller, what: string): void {
  if (caller.face !== "person") throw protocolError("forbidden", { what });
}
