import { type ReactNode, type SubmitEvent, useState } from "react";
import { useLive } from "../live/live-context.tsx";
import { toMany } from "../model/format.ts";
import type { LandingRow } from "../model/landing-history.ts";
import { toVisible } from "../model/visible-text.ts";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import type { IconName } from "../parts/icon-shapes.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { useShown } from "../parts/use-shown.ts";
import { Since } from "../parts/times.tsx";
import { goTo } from "../shell/address.ts";
import { TestOutput } from "../review/test-output.tsx";
import { Link, toRunPage } from "../shell/link.tsx";
import type { LandingHistory } from "./use-landing-history.ts";

const stepRows = 50;
const pathsMax = 4;
const looks: Readonly<Record<LandingRow["how"], readonly [IconName, string, string]>> = {
  landed: ["done", "a-go", "Landed"],
  conflict: ["failed", "a-stop", "Went back with a conflict"],
  back: ["review", "a-you", "Back to review"],
  "by-hand": ["person", "a-rest", "Committed by hand"],
};

/** What became of landings, the newest first. A file's name leads to where its lines come from. */
export function RecentPanel({ history }: { readonly history: LandingHistory }): ReactNode {
  const { rows, trouble, again } = history;
  const [rowsMax, showMore] = useShown("recent", stepRows);
  const isPast = useLive((state) => state.link.is === "past");
  return (
    <Panel name="recent" title="Recent landings" meta="newest first" end={isPast ? undefined : <AskFile />}>
      {rows === null ? (
        <Awaited what="Reading the log" trouble={trouble} again={again} />
      ) : rows.length === 0 ? (
        <Quiet title="Nothing has landed yet">
          What is approved, or needs no approval, is tested and becomes part of mainline; it is listed here.
        </Quiet>
      ) : (
        <div className="panel-scroll" tabIndex={0} role="group" aria-label="Recent landings">
          <ol>
            {rows.slice(0, rowsMax).map((row) => (
              <Row key={row.seq} row={row} />
            ))}
          </ol>
          {rows.length > rowsMax ? (
            <div className="more-row">
              <Button size="small" onClick={showMore}>
                Show {Math.min(stepRows, rows.length - rowsMax)} more of {rows.length}
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

function Row({ row }: { readonly row: LandingRow }): ReactNode {
  const only = useProjectId();
  const run = useLive((state) => state.runs.get(row.run ?? ""));
  const name = useLive((state) => state.projects.find(({ id }) => id === (row.project ?? run?.project))?.name);
  const [icon, tone, word] = looks[row.how];
  return (
    <li className="landing-row" data-landed={row.run ?? undefined} data-how={row.how} tabIndex={-1} data-step>
      <span className={tone}>
        <Icon name={icon} />
        <span className="sr">{word}</span>
      </span>
      <span className="landing-what">
        {row.run === null ? (
          <span className="landing-title">{word}</span>
        ) : (
          <Link to={toRunPage(row.run)} className="landing-title">
            {run?.title ?? row.run}
          </Link>
        )}
        <span className="dim">
          {[...(only === null && name !== undefined ? [name] : []), toDetail(row)].join(" · ")}
        </span>
        {row.how === "back" && row.run !== null ? <TestOutput id={row.run} because={row.because ?? ""} /> : null}
        <Paths row={row} project={name} />
      </span>
      {row.commit === null ? null : <code title={row.commit}>{row.commit.slice(0, 10)}</code>}
      <Since atMs={row.atMs} />
    </li>
  );
}

function Paths({ row, project }: { readonly row: LandingRow; readonly project: string | undefined }): ReactNode {
  // Lines are traced back from what the file says now.
  const isPast = useLive((state) => state.link.is === "past");
  if (row.how !== "landed" || project === undefined) return null;
  return (
    <span className="landing-paths">
      {row.paths.slice(0, pathsMax).map((path) =>
        isPast ? (
          <span key={path} className="rid">
            {toVisible(path)}
          </span>
        ) : (
          <Link key={path} to={{ project, file: path }} className="rid">
            {toVisible(path)}
          </Link>
        ),
      )}
      {row.paths.length > pathsMax ? <span className="dim">+{row.paths.length - pathsMax}</span> : null}
    </span>
  );
}

function toDetail(row: LandingRow): string {
  if (row.how === "back") return `not landed: ${row.because ?? "its test did not pass"}`;
  if (row.how === "conflict") return `somebody else has changed ${row.paths.join(", ")}`;
  if (row.how === "by-hand") return "taken in before the next landing";
  const merged = row.merged.length === 0 ? "" : `, ${toMany(row.merged.length, "file")} merged with newer work`;
  const tested = row.tested === "passed" ? "its test passed" : (row.tested ?? "untested");
  return `${toMany(row.paths.length, "file")}, ${tested}${merged}`;
}

/** Which file's lines to trace back. */
function AskFile(): ReactNode {
  const [path, setPath] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (path.trim() !== "") goTo({ file: path.trim() });
  };
  return (
    <form className="ask-file" onSubmit={submit}>
      <label>
        <span className="sr">Path of a file whose lines to trace back</span>
        <input
          value={path}
          maxLength={4096}
          placeholder="Who wrote src/…?"
          spellCheck={false}
          onChange={(event) => setPath(event.target.value)}
        />
      </label>
      <Button submits size="small" disabled={path.trim() === ""}>
        Trace
      </Button>
    </form>
  );
}
