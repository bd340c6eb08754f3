// How an agent did over time: what was noted of its use and its checks, and what the log says of its health.

import { quantile } from "../../base/quantile.ts";
import { availabilityOf, type Startup, startupsOf } from "../../core/agent/health-story.ts";
import type { Service } from "../../core/agent/agent-state.ts";
import type { Logged } from "../../core/events.ts";
import type { Check } from "../../node/usage/use-history.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { AgentHistory } from "../../protocol/wire/health-history.ts";
import type { Context } from "../context.ts";
import { capacityOf, memoryMaxOf, warningsOf } from "../health-outlook.ts";
import { findAgent } from "../views/agent-view.ts";
import { readBack } from "./agent-failures.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startsMax = 8;
const steps = { hour: 15_000, day: 300_000 } as const;

export async function readHistory(
  context: Context,
  { agent: ref, span }: ParsedInputOf<"agent.history">,
): Promise<OutputOf<"agent.history">> {
  const { parts, state } = context;
  const agent = findAgent(state, ref);
  const { spec } = agent;
  const nowMs = parts.engine.nowMs();
  const tier = span === "hour" ? "fine" : "coarse";
  const events = await readBack(context, agent.id, (found) => (found.at(-1)?.atMs ?? nowMs) > nowMs - dayMs);
  const told = events.toReversed() as unknown as readonly Logged[];
  const [machine, space] = await Promise.all([parts.machine(), parts.storage.space()]);
  const toPart = ({ spec: { name } }: Service): AgentHistory["services"][number] => {
    const { checks, ...series } = parts.seen.read(agent.id, name);
    const within = (ms: number): number | null => availabilityOf(told, name, { fromMs: nowMs - ms, toMs: nowMs });
    return {
      ...{ name, points: [...series[tier]], checks: toChecks(checks) },
      availability: { hour: within(hourMs), day: within(dayMs) },
    };
  };
  const starts = startsOf(startupsOf(told), parts.seen.starts(agent.id));
  return {
    ...{ agent: agent.id, name: agent.name, nowMs, stepMs: steps[span], points: [...parts.seen.read(agent.id)[tier]] },
    services: [...agent.services.values()].map(toPart),
    ...{ startup: starts.at(-1) ?? null, starts },
    memoryBytesMax: memoryMaxOf(state, agent, parts.seen),
    warnings: warningsOf(state, parts.seen, nowMs).filter((each) =>
      each.template === undefined ? each.agent === null || each.agent === agent.id : each.template === spec.template,
    ),
    capacity: {
      template: spec.template,
      ...capacityOf(state, agent, parts.seen, { ...machine, diskFreeBytes: space.freeBytes }),
    },
  };
}

/** What the log says comes before what was kept of the same start. The oldest first. */
function startsOf(logged: readonly Startup[], kept: readonly Startup[]): AgentHistory["starts"] {
  const byTime = new Map([...kept, ...logged].map((start) => [start.atMs, start]));
  const newest = [...byTime.values()].toSorted((a, b) => a.atMs - b.atMs).slice(-startsMax);
  return newest.map((start) => ({ ...start, phases: [...start.phases] }));
}

function toChecks(checks: readonly Check[]): AgentHistory["services"][number]["checks"] {
  const times = checks.filter(({ ok }) => ok).map(({ ms }) => ms);
  return {
    ...{ count: checks.length, failed: checks.filter(({ ok }) => !ok).length },
    ...{ p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), times: checks.map((check) => ({ ...check })) },
  };
}
