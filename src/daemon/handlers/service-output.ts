// What services said: from an offset on, or wherever something stands in it.

import { Fault } from "../../base/fault.ts";
import type { TimeMark } from "../../base/time-marks.ts";
import type { Agent, Service } from "../../core/agent/agent-state.ts";
import { outputNameOf } from "../../node/agents/service-watch.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { limits } from "../../protocol/limits.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { Caller, Context } from "../context.ts";
import { findAgent } from "../views/agent-view.ts";
import { LineSearch } from "./line-search.ts";
import { mustHaveService } from "./must-have-service.ts";

export async function readOutput(
  context: Context,
  input: ParsedInputOf<"service.output">,
  caller: Caller,
): Promise<OutputOf<"service.output">> {
  const agent = findAgent(context.state, input.agent);
  const service = agent.services.get(input.service);
  if (service === undefined)
    throw protocolError("not-found", { kind: "service", id: `${agent.name}/${input.service}` });
  const life = input.life ?? service.life;
  const { limit, offset } = input;
  const name = outputNameOf(agent.id, input.service, life);
  const readKept = async (): Promise<OutputOf<"service.output"> | null> => {
    const kept = await context.parts.outputs.read(name, { offset: offset ?? -limit, limit });
    if (kept === null) return null;
    return {
      ...{ life, ...toText(kept.bytes), offset: kept.offset, size: kept.size, ended: true },
      ...timesFor(input, kept.times),
    };
  };
  const kept = await readKept();
  if (kept !== null) return kept;
  const nothing = {
    ...{ life, text: "", base64: "", offset: 0, size: 0, ended: life !== service.life },
    ...timesFor(input, []),
  };
  if (life === 0 || life > service.life || !agent.isMade) return nothing;
  try {
    return await readRunning(context, { agent, service: input.service, life }, input, caller);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const now = findAgent(context.state, agent.id);
    const isGoing = !now.isMade || now.state === "stopping";
    if (error.code !== "unknown-call" && !isGoing) throw error;
    // Its process has not begun yet, or what it said has been put away just now, or goes with its agent.
    return (await readKept()) ?? (isGoing ? { ...nothing, ended: true } : nothing);
  }
}

/** From its keeper, which has what a life says until that is over. */
async function readRunning(
  context: Context,
  { agent, service, life }: { readonly agent: Agent; readonly service: string; readonly life: number },
  { limit, offset, waitMs, times }: Pick<ParsedInputOf<"service.output">, "limit" | "offset" | "waitMs" | "times">,
  caller: Caller,
): Promise<OutputOf<"service.output">> {
  const { keeper } = await context.parts.agents.placeOf(agent);
  const call = `${agent.id}-${service}-${life}`;
  const read = (from: number, signal?: AbortSignal): Promise<OutputAnswer> =>
    keeper.request(
      { op: "output", call, offset: from, limit, wait: signal !== undefined },
      signal,
    ) as Promise<OutputAnswer>;
  // A huge offset answers nothing but how much there is.
  const { totalBytes } = await read(Number.MAX_SAFE_INTEGER);
  const from = offset ?? Math.max(0, totalBytes - limit);
  const patience = [AbortSignal.timeout(waitMs), ...(caller.signal === undefined ? [] : [caller.signal])];
  const answer =
    from < totalBytes || waitMs === 0
      ? await read(from)
      : await read(from, AbortSignal.any(patience)).catch(() => read(from));
  const bytes = Buffer.from(answer.base64, "base64");
  return {
    ...{ life, ...toText(bytes), offset: answer.offset, size: answer.totalBytes, ended: answer.ended },
    ...timesFor({ times }, answer.times),
  };
}

/** Only for whoever asks: models have no use for them. */
function timesFor(
  { times: isWanted }: Pick<ParsedInputOf<"service.output">, "times">,
  times: readonly TimeMark[] = [],
): { times?: [number, number][] } {
  return isWanted ? { times: times.map(([offset, atMs]) => [offset, atMs]) } : {};
}

/** Service by service, life by life: the newest lines that have it, in the order in which they were said. */
export async function searchOutput(
  context: Context,
  { agent: ref, services, text, lives, limit }: ParsedInputOf<"service.search">,
  caller: Caller,
): Promise<OutputOf<"service.search">> {
  const agent = findAgent(context.state, ref);
  const matches: OutputOf<"service.search">["matches"] = [];
  let more = false;
  for (const service of searched(agent, services)) {
    const search = new LineSearch(text, limit);
    for (const life of livesOf(service, lives))
      await readLife(context, { agent: agent.id, service: service.spec.name, life }, caller, search);
    matches.push(...search.found.map((each) => ({ service: service.spec.name, ...each })));
    more ||= search.more;
  }
  return { agent: agent.id, name: agent.name, matches, more };
}

function searched(agent: Agent, names: readonly string[] | undefined): Service[] {
  if (names === undefined) return [...agent.services.values()];
  return [...new Set(names.flatMap((name) => mustHaveService(agent, name)))];
}

function livesOf({ life }: Service, lives: "all" | "newest"): number[] {
  const first = lives === "newest" ? life : Math.max(1, life - limits.serviceLivesMax + 1);
  return life === 0 ? [] : Array.from({ length: life - first + 1 }, (_, at) => first + at);
}

/** Looks through a life, for as long as somebody waits for what is found. */
async function readLife(
  context: Context,
  of: { readonly agent: string; readonly service: string; readonly life: number },
  caller: Caller,
  search: LineSearch,
): Promise<void> {
  search.begin(of.life);
  let end = Infinity;
  for (let offset = 0; offset < end && caller.signal?.aborted !== true;) {
    const part = await readOutput(
      context,
      { ...of, offset, limit: limits.outputBytesMax, waitMs: 0, times: false },
      caller,
    );
    const bytes = Buffer.from(part.base64, "base64");
    search.push(bytes, part.offset);
    offset = part.offset + bytes.length;
    // Whoever says more than is read meanwhile keeps nobody for ever: what there was at the beginning is enough.
    end = bytes.length < limits.outputBytesMax ? offset : Math.min(end, part.size);
  }
  search.end();
}

function toText(bytes: Uint8Array): { readonly text: string; readonly base64: string } {
  const buffer = Buffer.from(bytes);
  return { text: buffer.toString("utf8"), base64: buffer.toString("base64") };
}
