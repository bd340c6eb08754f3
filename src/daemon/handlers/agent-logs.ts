// What the services of an agent said, together: the newest lines of each, put in the order of time.

import { type TimeMark, TimeReader } from "../../base/time-marks.ts";
import type { Agent, Service } from "../../core/agent/agent-state.ts";
import { limits } from "../../protocol/limits.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { Caller, Context } from "../context.ts";
import { findAgent } from "../views/agent-view.ts";
import { LineSearch } from "./line-search.ts";
import { mustHaveService } from "./must-have-service.ts";
import { readOutput } from "./service-output.ts";

type Wish = ParsedInputOf<"agent.logs">;
type Line = OutputOf<"agent.logs">["lines"][number];
type Life = { readonly service: string; readonly life: number };
type Read = {
  readonly lines: readonly Line[];
  readonly size: number;
  readonly more: boolean;
  readonly isTimed: boolean;
};

/** All lines of an answer together, and one line alone. */
const answerCharsMax = 8 * 1024 * 1024;
const lineCharsMax = 65_536;

export async function readLogs(context: Context, wish: Wish, caller: Caller): Promise<OutputOf<"agent.logs">> {
  const agent = findAgent(context.state, wish.agent);
  const lives = wanted(agent, wish.services).flatMap((service) => livesOf(service, wish));
  const charsMax = Math.max(lineCharsMax, Math.floor(answerCharsMax / Math.max(1, lives.length)));
  const read: (Read & Life)[] = [];
  for (const life of lives) {
    if (caller.signal?.aborted === true) break;
    read.push({ ...life, ...(await readLife(context, agent, life, { wish, caller, charsMax })) });
  }
  return {
    ...{ agent: agent.id, name: agent.name, lines: inOrder(read), more: read.some(({ more }) => more) },
    ends: read.map(({ service, life, size }) => ({ service, life, offset: size })),
    untimed: [...new Set(read.flatMap(({ service, isTimed }) => (isTimed ? [] : [service])))],
  };
}

/** Services that have said nothing yet have no life to be read. */
function livesOf({ spec: { name: service }, life: newest }: Service, { lives, life }: Wish): Life[] {
  if (newest === 0) return [];
  if (life !== undefined) return [{ service, life }];
  if (lives === "previous") return newest > 1 ? [{ service, life: newest - 1 }] : [];
  const first = lives === "newest" ? newest : Math.max(1, newest - limits.serviceLivesMax + 1);
  return Array.from({ length: newest - first + 1 }, (_, at) => ({ service, life: first + at }));
}

function wanted(agent: Agent, names: readonly string[] | undefined): Service[] {
  if (names === undefined) return [...agent.services.values()];
  return [...new Set(names.flatMap((name) => mustHaveService(agent, name)))];
}

type How = { readonly wish: Wish; readonly caller: Caller; readonly charsMax: number };

/** The end of a life, or all of it where something is looked for. */
async function readLife(
  context: Context,
  agent: Agent,
  { service, life }: Life,
  { wish, caller, charsMax }: How,
): Promise<Read> {
  const { text = "", sinceMs = -Infinity, untilMs = Infinity, limit } = wish;
  const isBounded = sinceMs > -Infinity || untilMs < Infinity;
  const isWhole = isBounded || text !== "";
  const marks: TimeMark[] = [];
  const times = new TimeReader(marks);
  const accepts = (offset: number): boolean => {
    const atMs = times.at(offset);
    return atMs !== null && atMs >= sinceMs && atMs <= untilMs;
  };
  const search = new LineSearch(text, limit, { lineCharsMax, charsMax, ...(isBounded ? { accepts } : {}) });
  search.begin(life);
  const ask = { agent: agent.id, service, life, limit: limits.outputBytesMax, waitMs: 0, times: true };
  let [offset, end, isCut] = [isWhole ? 0 : undefined, Infinity, false];
  while ((offset ?? 0) < end && caller.signal?.aborted !== true) {
    const part = await readOutput(context, offset === undefined ? ask : { ...ask, offset }, caller);
    let bytes = Buffer.from(part.base64, "base64");
    let from = part.offset;
    // The end begins somewhere in a line.
    if (offset === undefined && from > 0) {
      const skipped = bytes.indexOf(0x0a) + 1;
      [bytes, from, isCut] = [bytes.subarray(skipped), from + skipped, true];
    }
    for (const mark of part.times ?? []) if (mark[0] > (marks.at(-1)?.[0] ?? -1)) marks.push(mark);
    search.push(bytes, from);
    offset = from + bytes.length;
    // Whoever says more than is read meanwhile keeps nobody for ever.
    end = !isWhole || bytes.length < limits.outputBytesMax ? offset : Math.min(end, part.size);
  }
  search.end();
  const shown = new TimeReader(marks);
  const lines = search.found.map((found) => ({ service, life, atMs: shown.at(found.offset), text: found.line }));
  return { lines, size: offset ?? 0, more: search.more || isCut, isTimed: marks.length > 0 || offset === 0 };
}

/** Nothing is put before what its own service said earlier, whatever the clock did; what nobody knows comes as early as it can. */
function inOrder(read: readonly (Read & Life)[]): Line[] {
  const byService = [...Map.groupBy(read, ({ service }) => service).values()];
  const placed = byService.flatMap((lives) => {
    let atMs = -Infinity;
    return lives
      .flatMap(({ lines }) => lines)
      .map((line) => {
        atMs = Math.max(atMs, line.atMs ?? -Infinity);
        return { line, atMs };
      });
  });
  return placed.toSorted((a, b) => (a.atMs === b.atMs ? 0 : a.atMs < b.atMs ? -1 : 1)).map(({ line }) => line);
}
