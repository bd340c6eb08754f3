// Asks the daemon for what only one page shows, and asks again when the page says that it may be old. While a new answer is
// on its way the last one stays; nothing is asked while the page is not live. What fails for a reason that passes is asked again by itself.

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Client } from "../../client/client.ts";
import { useBox, useLive } from "./live-context.tsx";
import { type Failure, toFailure } from "./failure.ts";
import { Pacer } from "./pacer.ts";
import { useRetry } from "./use-retry.ts";

export type Asked<T> = {
  /** The last answer, null before the first one. */
  readonly value: T | null;
  /** Whether it was asked for after everything that the page has heard of: not one that is still on its way to be replaced. */
  readonly isFresh: boolean;
  /** Why the last question was not answered. */
  readonly trouble: string | null;
  /** The code of that. */
  readonly code: string | null;
  readonly again: () => void;
};

type Question<T> = {
  /** What is asked about: an answer about something else is never shown for it. */
  readonly subject: string;
  /** Changes when an answer may be old. */
  readonly stamp: string | number;
  readonly ask: (client: Client, signal: AbortSignal) => Promise<T>;
};

type Answer<T> = {
  readonly subject: string;
  readonly mark: string | null;
  readonly value: T | null;
  readonly failure: Failure | null;
};

const gapMs = 200;

export function useAsked<T>({ subject: about, stamp, ask }: Question<T>): Asked<T> {
  const { client } = useBox();
  // Of the past only what is dated is answered; the rest says that it is not.
  const canAsk = useLive(({ link }) => link.is === "live" || link.is === "past");
  // What was so at one moment says nothing of another.
  const moment = useLive(({ link }) => (link.is === "past" ? link.seq : 0));
  const subject = moment === 0 ? about : `${about} after ${moment}`;
  const [answer, setAnswer] = useState<Answer<T> | null>(null);
  const pacer = useRef<Pacer | null>(null);
  const askedFor = useRef<string | null>(null);
  const askNow = useEffectEvent(async (now: string, signal: AbortSignal): Promise<void> => {
    const asked = askedFor.current;
    try {
      const value = await ask(client, signal);
      if (!signal.aborted) setAnswer({ subject: now, mark: asked, value, failure: null });
    } catch (error) {
      if (signal.aborted) return;
      const failure = toFailure(error);
      setAnswer((old) => ({ subject: now, mark: null, value: old?.subject === now ? old.value : null, failure }));
    }
  });
  useEffect(() => {
    const gone = new AbortController();
    const own = new Pacer(() => askNow(subject, gone.signal), gapMs);
    pacer.current = own;
    return () => {
      gone.abort();
      own.stop();
    };
  }, [subject]);
  const mark = `${subject} ${stamp}`;
  useEffect(() => {
    // Whatever happened while nobody listened, the answer may be old.
    if (!canAsk) askedFor.current = null;
    else if (askedFor.current !== mark) {
      askedFor.current = mark;
      pacer.current?.poke();
    }
  }, [mark, canAsk]);
  const isOwn = answer?.subject === subject;
  const failure = isOwn ? answer.failure : null;
  const again = (): void => pacer.current?.poke();
  useRetry(failure, again);
  return {
    value: isOwn ? answer.value : null,
    isFresh: isOwn && answer.mark === mark,
    trouble: failure?.message ?? null,
    code: failure?.code ?? null,
    again,
  };
}
