// Turns every kind of no into an error of the catalogue.

import { Fault } from "../base/fault.ts";
import type { Refusal, RefusalCode } from "../core/inputs.ts";
import type { State } from "../core/state.ts";
import type { EngineRefusal } from "../engine/engine.ts";
import { type ErrorCode, isErrorCode, ProtocolError, toWireError, type WireError } from "../protocol/errors.ts";
import { toEdges } from "./views/claim-view.ts";

/** The compiler's proof that whatever the core or the engine refuses is in the catalogue. */
type Missing = Exclude<RefusalCode | EngineRefusal["code"], ErrorCode>;
const complete: [Missing] extends [never] ? true : Missing = true;

export function toError(state: State, refusal: Refusal | EngineRefusal): WireError {
  void complete;
  const { code, ...data } = refusal;
  if (refusal.code === "deadlock") return toWireError(code, { cycle: toEdges(state, refusal.cycle) });
  return toWireError(code, data);
}

/** Something was thrown: an error that was meant, a fault of the world, or our own mistake. */
export function toThrownError(thrown: unknown, onDefect: (error: unknown) => void): WireError {
  if (thrown instanceof ProtocolError) return thrown.toWire();
  if (thrown instanceof Fault && isErrorCode(thrown.code)) return toWireError(thrown.code, { message: thrown.message });
  onDefect(thrown);
  return toWireError("internal");
}
