// The list of runs, page by page as one scrolls, with what the page hears of each.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { InputOf } from "../../protocol/operations.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { useBox, useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useHeard } from "../live/use-heard.ts";
import { useNewest } from "../live/use-newest.ts";
import { textIn } from "../live/event-fields.ts";
import { cameBack } from "../shell/address.ts";
import { type FetchedRuns, type RunFilter, toRunRows, withFirstPage } from "../model/run-rows.ts";

const pageRows = 500;
const nobody: ReadonlySet<string> = new Set();
const nothing: FetchedRuns = { runs: [], next: null, total: 0 };

export type RunList = {
  readonly rows: readonly Run[];
  readonly total: number;
  readonly isLoaded: boolean;
  readonly trouble: string | null;
  readonly again: () => void;
  /** Reads the next page, if there is one and it is not under way. */
  readonly readOn: () => void;
};

/** What was read of one filter, and the first page as it was read last. */
type Fetched = { readonly subject: string; readonly page: FetchedRuns; readonly list: FetchedRuns };

/** What was read last: whoever goes back finds as much of it as there was. */
let kept: Fetched | null = null;

export function useRunList(filter: RunFilter): RunList {
  const { client } = useBox();
  const live = useLive((state) => state.runs);
  const subject = JSON.stringify(filter);
  const ask = toRunInput(filter);
  const [fetched, setFetched] = useState<Fetched | null>(() => (kept?.subject === subject && cameBack() ? kept : null));
  useEffect(() => {
    kept = fetched;
  }, [fetched]);
  const reading = useRef<{ readonly subject: string; readonly gone: AbortController } | null>(null);
  const newest = useNewest(({ type }) => type === "run.submitted" || type === "run.moved" || type === "run.removed");
  const first = useAsked({
    subject,
    stamp: newest,
    ask: (each, signal) => each.call("run.list", { ...ask, limit: pageRows }, { signal }),
  });
  const page = first.value;
  if (page !== null && fetched?.page !== page) {
    const list = fetched?.subject === subject ? withFirstPage(fetched.list, page) : page;
    setFetched({ subject, page, list });
  }
  useEffect(() => () => reading.current?.gone.abort(), []);
  const isPast = useLive((state) => state.link.is === "past");
  // Of the past there is what was read with it, and no further page.
  const list = isPast ? nothing : fetched?.subject === subject ? fetched.list : null;
  const gone = useHeard(nobody, (before, events) => {
    const removed = events.filter(({ type }) => type === "run.removed").map((event) => textIn(event, "run") ?? "");
    return removed.length === 0 ? before : new Set([...before, ...removed]);
  });
  const rows = useMemo(
    () => (list === null ? [] : toRunRows(list, live, JSON.parse(subject) as RunFilter, gone)),
    [list, live, subject, gone],
  );
  const next = list?.next ?? null;
  const readOn = useCallback(() => {
    const isUnderWay = reading.current?.subject === subject && !reading.current.gone.signal.aborted;
    if (next === null || isUnderWay) return;
    reading.current?.gone.abort();
    const gone = new AbortController();
    reading.current = { subject, gone };
    const input = { ...toRunInput(JSON.parse(subject) as RunFilter), limit: pageRows, after: next };
    client
      .call("run.list", input, { signal: gone.signal })
      .then((more) => setFetched((old) => withMore(old, { subject, after: next }, more)))
      // The next scroll asks again; a connection that is gone says so by itself.
      .catch(() => undefined)
      .finally(() => gone.abort());
  }, [client, next, subject]);
  return {
    rows,
    total: Math.max(list?.total ?? 0, rows.length),
    isLoaded: list !== null,
    trouble: first.trouble,
    again: first.again,
    readOn,
  };
}

/** Puts a further page after what it was asked to follow, unless the list has become another one meanwhile. */
function withMore(
  old: Fetched | null,
  asked: { readonly subject: string; readonly after: string },
  { runs, next, total }: FetchedRuns,
): Fetched | null {
  if (old?.subject !== asked.subject || old.list.next !== asked.after) return old;
  return { ...old, list: { runs: [...old.list.runs, ...runs], next, total } };
}

export function toRunInput({ project, states, runner, tag, find }: RunFilter): InputOf<"run.list"> {
  return {
    ...(project === null ? {} : { project }),
    ...(states.length === 0 ? {} : { state: [...states] }),
    ...(runner === null ? {} : { runner }),
    ...(tag === null ? {} : { tag }),
    ...(find.trim() === "" ? {} : { find: find.trim() }),
  };
}
