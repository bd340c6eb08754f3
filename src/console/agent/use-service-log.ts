import { useEffect, useEffectEvent, useState } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import type { SaidLine } from "../model/service-log.ts";
import { LogReader, pause } from "./log-reader.ts";

const againMs = 2000;

type ServiceLogView = {
  readonly lines: readonly SaidLine[];
  /** Whether every service was asked once: before that, no line does not mean that nothing was said. */
  readonly isRead: boolean;
  readonly trouble: string | null;
};

/** What the agent's services say, as it comes; it goes on where it was when the page is live again. */
export function useServiceLog(agent: AgentView): ServiceLogView {
  const { client } = useBox();
  const isLive = useIsLive();
  const [reader] = useState(() => new LogReader(agent.id));
  const [lines, setLines] = useState<readonly SaidLine[]>([]);
  const [isRead, setRead] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const servicesNow = useEffectEvent(() => agent.services);
  useEffect(() => {
    if (!isLive) return undefined;
    const gone = new AbortController();
    const onNews = (): void => {
      setLines(reader.log.lines);
      setRead(true);
      setTrouble(null);
    };
    const follow = async (): Promise<void> => {
      while (!gone.signal.aborted) {
        try {
          await reader.follow(client, () => servicesNow(), onNews, gone.signal);
        } catch (error) {
          if (gone.signal.aborted) return;
          setTrouble(error instanceof Error ? error.message : String(error));
          await pause(againMs, gone.signal);
        }
      }
    };
    void follow();
    return () => gone.abort();
  }, [client, reader, isLive]);
  return { lines, isRead, trouble };
}
