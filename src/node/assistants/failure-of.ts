// Which kind of failure it was that a turn ended with. Programs say it in many ways; the relay saw the answer itself.

import type { FailureClass } from "../../core/run/failure.ts";
import type { TurnEnd } from "../../core/run/heard.ts";
import type { ModelNo } from "../relay/model-relay.ts";

export function failureOf(why: TurnEnd, no: ModelNo | null): FailureClass {
  if (why !== "error" && why !== "ended" && why !== "interrupted" && why !== "forgot") return why;
  if (no === null) return "error";
  if (no.status === null || no.status >= 500) return "outage";
  if (no.status === 429) return "rate-limit";
  return no.status === 401 || no.status === 403 ? "auth" : "error";
}
