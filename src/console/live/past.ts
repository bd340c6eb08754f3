// The world as it was after an event: read once, through the same views as the live one, and never changed. Nothing can be done
// there, so its client asks only for what is dated, and for nothing that came later.

import { Client } from "../../client/client.ts";
import type { InputOf, OperationName } from "../../protocol/operations.ts";
import type { EventPage } from "../../protocol/wire/log-event.ts";
import type { Status } from "../../protocol/wire/status.ts";
import { EngineClock } from "./engine-clock.ts";
import { evolveLoaded, type Fetched } from "./evolve-live.ts";
import { fetchActive, fetchEnded, fetchEvents, fetchMoves } from "./fetch.ts";
import type { Store } from "./live-context.tsx";
import { emptyState, type LiveState } from "./live-state.ts";

/** Reads that can look at the past. */
const dated: ReadonlySet<string> = new Set<OperationName>([
  "run.list",
  "run.get",
  "run.plan",
  "run.story",
  "agent.list",
  "agent.get",
  "project.list",
  "locks",
  "state",
  "inbox",
  "landing.list",
  "trash.list",
]);
/** What a single step did and said is the same for ever. */
const ofSteps: ReadonlySet<string> = new Set<OperationName>(["run.diff", "run.output"]);
const pagesOfEvents: ReadonlySet<string> = new Set<OperationName>(["events.read", "run.log"]);
const locksMax = 1000;

/** A client that sees nothing after an event, and changes nothing. */
export function toPastClient(client: Pick<Client, "call">, seq: number): Client {
  const call = async (name: OperationName, input: unknown, signal?: AbortSignal): Promise<unknown> => {
    if (dated.has(name)) {
      return client.call(name, { ...(input as object), at: seq }, { signal });
    }
    if (ofSteps.has(name) && (input as { step?: number }).step !== undefined)
      return client.call(name, input as InputOf<typeof name>, { signal });
    if (!pagesOfEvents.has(name))
      throw new Error("This is the past, and nothing can be done there. Go back to now first.");
    const page = (await client.call(name, input as InputOf<typeof name>, { signal })) as EventPage;
    const events = page.events.filter((event) => event.seq <= seq);
    return { ...page, events, more: page.more && page.next < seq };
  };
  return new Client({ call, close: () => undefined });
}

/** Everything that the live store would have had. */
export async function readPast(client: Client, seq: number, status: Status): Promise<LiveState> {
  const past = toPastClient(client, seq);
  const [{ projects }, active, ended, locks, { agents }, events, moves] = await Promise.all([
    past.call("project.list", {}),
    fetchActive(past),
    fetchEnded(past, null),
    past.call("locks", { limit: locksMax }),
    past.call("agent.list", {}),
    fetchEvents(past, seq),
    fetchMoves(past, seq),
  ]);
  const parts: readonly Fetched[] = [
    { of: "projects", projects },
    { of: "active", list: active },
    { of: "ended", ...ended },
    { of: "locks", locks },
    { of: "agents", agents },
  ];
  const { nowMs } = locks;
  const then = evolveLoaded(emptyState, { status: { ...status, seq, nowMs }, events, moves }, parts);
  return { ...then, link: { is: "past", seq, atMs: nowMs } };
}

/** A store that stands still, with its clock at that moment. */
export function toPastStore(state: LiveState): Store {
  const clock = new EngineClock();
  clock.sync(state.status?.nowMs ?? 0, state.status?.openings ?? []);
  clock.stop();
  const nothing = (): void => undefined;
  return {
    clock,
    read: () => state,
    subscribe: () => nothing,
    hear: () => nothing,
    start: nothing,
    showProject: nothing,
    watchRun: nothing,
  };
}
