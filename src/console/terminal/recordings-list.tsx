import type { ReactNode } from "react";
import type { Terminal } from "../../protocol/wire/terminal.ts";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toBytes, toSpan } from "../model/format.ts";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Since } from "../parts/times.tsx";
import { Link } from "../shell/link.tsx";
import "./recordings-list.css";

const rowsMax = 20;

/** The terminals of a run, or of those in an agent: each was recorded from its first byte. */
export function RecordingsList(props: {
  readonly run?: string;
  readonly isMeant?: (terminal: Terminal) => boolean;
}): ReactNode {
  const { run, isMeant = () => true } = props;
  const newest = useNewest(({ type }) => type === "terminal.opened" || type === "terminal.ended");
  const { value, trouble } = useAsked({
    subject: `recordings ${run ?? ""}`,
    stamp: newest,
    ask: (client, signal) =>
      client.call("terminal.list", { all: true, limit: 200, ...(run === undefined ? {} : { run }) }, { signal }),
  });
  const terminals = (value?.terminals ?? []).filter(isMeant);
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
              <span className="recording-what" title={terminal.argv.join(" ")}>
                {terminal.argv.length === 0 ? "a shell" : terminal.argv.join(" ")}, by {terminal.by}
              </span>
              <span className="dim">
                {terminal.ended === null ? (
                  "open now"
                ) : (
                  <>
                    {toSpan(terminal.ended.atMs - terminal.openedAtMs)}, {toBytes(terminal.ended.bytes)},{" "}
                    <Since atMs={terminal.ended.atMs} /> ago
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
