import type { ReactNode } from "react";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toBytes, toSpan } from "../model/format.ts";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { Link } from "../shell/link.tsx";
import "./recordings-list.css";

const rowsMax = 20;

/** The terminals of a run, or of an agent and the runs in it: each was recorded from its first byte. */
export function RecordingsList(props: { readonly run?: string; readonly agent?: string }): ReactNode {
  const { run, agent } = props;
  const of = { ...(run === undefined ? {} : { run }), ...(agent === undefined ? {} : { agent }) };
  const newest = useNewest(
    ({ type }) => type === "terminal.opened" || type === "terminal.ended" || type === "terminal.forgotten",
  );
  const { value, trouble } = useAsked({
    subject: `recordings ${run ?? agent ?? ""}`,
    stamp: newest,
    ask: (client, signal) => client.call("terminal.list", { all: true, limit: 200, ...of }, { signal }),
  });
  const terminals = value?.terminals ?? [];
  if (value !== null && terminals.length === 0) return null;
  return (
    <Panel name="recordings" title="Recordings" meta={value === null ? undefined : String(terminals.length)}>
      {value === null ? (
        <Quiet title={trouble ?? "Reading …"} />
      ) : (
        <ul className="recordings">
          {terminals.slice(0, rowsMax).map((terminal) => (
            <li key={terminal.id} data-recorded={terminal.id}>
              <span className="rid">{terminal.id}</span>
              <b>{terminal.window}</b>
              <span className="recording-what" title={terminal.argv.join(" ")}>
                {terminal.argv.length === 0 ? "a shell" : terminal.argv.join(" ")}, by {terminal.by}
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
              <Link to={{ recording: terminal.id, terminal: null }} className="btn small" label={`Play ${terminal.id}`}>
                Play
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
