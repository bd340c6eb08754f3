import { type ReactNode, useState } from "react";
import type { Terminal } from "../../protocol/wire/terminal.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toBytes, toSpan } from "../model/format.ts";
import { toWho } from "../model/who.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { Link, toAgentPage, toRunPage } from "../shell/link.tsx";
import { RemoveRecordingDialog } from "./remove-recording-dialog.tsx";
import "./recordings-list.css";

const rowsMax = 20;

const news: ReadonlySet<string> = new Set([
  "terminal.opened",
  "terminal.ended",
  "terminal.forgotten",
  "agent.removed",
  "run.removed",
]);

type Which = {
  readonly run?: string;
  readonly agent?: string;
  readonly removed?: boolean;
  /** Whether nobody knows that there ever was such a one: then no answer is none to speak of. */
  readonly isGuess?: boolean;
};

/** The terminals of a run, of an agent and the runs in it, or of all that were removed: each was recorded from its first byte. */
export function RecordingsList(which: Which): ReactNode {
  const isPast = useLive((state) => state.link.is === "past");
  // Which of them there were then, nobody is told.
  return isPast ? null : <Recordings {...which} />;
}

function Recordings({ run, agent, removed = false, isGuess = false }: Which): ReactNode {
  const of = { removed, ...(run === undefined ? {} : { run }), ...(agent === undefined ? {} : { agent }) };
  const [leaving, setLeaving] = useState<string | null>(null);
  const newest = useNewest(({ type }) => news.has(type));
  const { value, trouble, again } = useAsked({
    subject: `recordings ${run ?? agent ?? "removed"}`,
    stamp: newest,
    ask: (client, signal) => client.call("terminal.list", { all: true, limit: 200, ...of }, { signal }),
  });
  const terminals = value?.terminals ?? [];
  if (value === null ? isGuess : terminals.length === 0) return null;
  return (
    <Panel
      name="recordings"
      title={removed ? "Recordings of what was removed" : "Recordings"}
      meta={value === null ? undefined : String(terminals.length)}
    >
      {value === null ? (
        <Awaited what="Reading" trouble={trouble} again={again} />
      ) : (
        <ul className="recordings">
          {terminals.slice(0, rowsMax).map((terminal) => (
            <li key={terminal.id} data-recorded={terminal.id}>
              <span className="rid">{terminal.id}</span>
              {terminal.removedAtMs === null ? null : (
                <span className="dim">{terminal.run ?? terminal.agentName} (removed)</span>
              )}
              <b>{terminal.window}</b>
              <span className="recording-what" title={terminal.argv.join(" ")}>
                {terminal.argv.length === 0 ? "a shell" : terminal.argv.join(" ")}, by {toWho(terminal.by)}
              </span>
              <span className="dim">
                {terminal.ended === null ? (
                  "open now"
                ) : (
                  <>
                    {toSpan(terminal.ended.atMs - terminal.openedAtMs)}, {toBytes(terminal.ended.bytes)},{" "}
                    <Ago atMs={terminal.ended.atMs} />
                  </>
                )}
              </span>
              <Link
                to={{ ...(removed ? pageOf(terminal) : {}), recording: terminal.id, terminal: null }}
                className="btn small"
                label={`Play ${terminal.id}`}
              >
                Play
              </Link>
              {terminal.ended === null ? null : (
                <Button
                  size="small"
                  onClick={() => setLeaving(terminal.id)}
                  title={`Remove the recording of ${terminal.id}`}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {leaving === null ? null : <RemoveRecordingDialog id={leaving} onClose={() => setLeaving(null)} />}
    </Panel>
  );
}

/** Where it is played when its run or agent is no more. */
function pageOf({ run, agent }: Terminal): ReturnType<typeof toRunPage> {
  return run === null ? toAgentPage(agent ?? "") : toRunPage(run);
}
