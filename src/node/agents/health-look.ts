// One look at a service, in the way that its template says.

import { unreachable } from "../../base/assert.ts";
import { lastWords } from "../../base/last-words.ts";
import type { HealthCheck } from "../../core/agent/agent-spec.ts";
import type { CommandEnd, OutputAnswer, ProbeAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import type { ServiceOrder } from "./service-order.ts";
import type { Checked } from "./health-watch.ts";

export type Looking = {
  readonly keeper: KeeperLine;
  /** The call that the service runs as. */
  readonly call: string;
  readonly portOf: (name: string) => number | undefined;
  readonly orderOf: (argv: readonly string[]) => ServiceOrder;
  readonly signal: AbortSignal;
};

const outputPartBytes = 256 * 1024;

/** Answers how to look: a check of the output goes on where it has read up to. */
export function lookerOf(check: HealthCheck, looking: Looking): () => Promise<Checked> {
  switch (check.kind) {
    case "tcp":
    case "http":
      return () => probe(check, looking);
    case "command":
      return commandLooker(check, looking);
    case "log":
      return logLooker(check.text, looking);
    default:
      return unreachable(check);
  }
}

async function probe(
  check: Extract<HealthCheck, { kind: "tcp" | "http" }>,
  { keeper, portOf, signal }: Looking,
): Promise<Checked> {
  const port = portOf(check.port);
  if (port === undefined) return { ok: false, what: `it has no port ${check.port}` };
  const http = check.kind === "http" ? { http: { path: check.path } } : {};
  const answer = await keeper.request({ op: "probe", port, timeoutMs: check.timeoutMs, ...http }, signal);
  const { ok, what } = answer as ProbeAnswer;
  return { ok, what };
}

/** Of all services: one that is looked at in another way meanwhile has no two checks of one name. */
let checks = 0;

function commandLooker(
  { argv, timeoutMs }: Extract<HealthCheck, { kind: "command" }>,
  { keeper, call, orderOf, signal }: Looking,
): () => Promise<Checked> {
  return async () => {
    const check = `${call}-check-${process.pid}-${++checks}`;
    await keeper.request({ op: "start", call: check, ...orderOf(argv), timeoutMs }, signal);
    const end = (await keeper.request({ op: "wait", call: check }, signal)) as CommandEnd;
    await keeper.request({ op: "stop", call: check, graceMs: 0 }, signal);
    await keeper.request({ op: "forget", call: check }, signal);
    const last = lastWords(end.tail);
    const how = end.why === "timed-out" ? `took longer than ${timeoutMs} ms` : `ended with ${end.exit}`;
    return { ok: end.exit === 0, what: `its check ${how}${last === "" ? "" : `: ${last}`}` };
  };
}

function logLooker(text: string, { keeper, call, signal }: Looking): () => Promise<Checked> {
  let offset = 0;
  let rest = "";
  let isFound = false;
  return async () => {
    while (!isFound) {
      const answer = await keeper.request({ op: "output", call, offset, limit: outputPartBytes }, signal);
      const { base64, offset: from, totalBytes } = answer as OutputAnswer;
      const bytes = Buffer.from(base64, "base64");
      rest += bytes.toString("utf8");
      isFound = rest.includes(text);
      rest = rest.slice(-text.length);
      offset = from + bytes.length;
      if (offset >= totalBytes) break;
    }
    return isFound ? { ok: true, what: "it said so" } : { ok: false, what: `it has not said "${text}" yet` };
  };
}
