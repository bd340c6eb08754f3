import { type ReactNode, useMemo, useState } from "react";
import type { FileChange } from "../../protocol/wire/change.ts";
import { useAsked } from "../live/use-asked.ts";
import { countLines, toBlocks } from "../model/diff-blocks.ts";
import { toMany } from "../model/format.ts";
import { toShell } from "../model/shell-text.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel } from "../parts/panel.tsx";
import { WallAgo } from "../parts/wall-ago.tsx";
import { DiffTable } from "../review/changes/diff-table.tsx";
import { Link, toRunPage } from "../shell/link.tsx";
import "../review/changes/diff.css";
import "./file-past.css";

const stepChanges = 20;
const changesMax = 100;

/** Which runs, and whose own commits, changed a file: when, and what was replaced by what. */
export function FilePast(props: {
  readonly project: string;
  readonly path: string;
  /** Says that mainline has moved. */
  readonly stamp: string | number;
}): ReactNode {
  const { project, path, stamp } = props;
  const [limit, setLimit] = useState(stepChanges);
  const { value, trouble, again } = useAsked({
    subject: `past of ${project} ${path}`,
    stamp: `${stamp} ${limit}`,
    ask: (client, signal) => client.call("project.history", { project, path, limit }, { signal }),
  });
  const command = `signalbox history ${toShell(path)} --project ${toShell(project)} --patch`;
  return (
    <Panel
      name="past"
      title="Who changed it"
      meta={value === null ? undefined : `${value.more ? "the last " : ""}${toMany(value.changes.length, "change")}`}
      end={<CopyButton text={command} label={`Copy: ${command}`} />}
    >
      {value === null ? (
        <Awaited what="Reading what became of it" trouble={trouble} again={again} />
      ) : (
        <div className="file-past" tabIndex={0} role="group" aria-label="Changes, the newest first">
          <ol>
            {value.changes.map((change) => (
              <PastChange key={change.commit} change={change} />
            ))}
          </ol>
          {value.more && limit < changesMax ? (
            <div className="more-row">
              <Button size="small" onClick={() => setLimit(Math.min(changesMax, limit + stepChanges))}>
                Show older ones
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

function PastChange({ change }: { readonly change: FileChange }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { commit, wallMs, author, title, run } = change;
  const blocks = useMemo(() => toBlocks(change), [change]);
  const { added, removed } = countLines(blocks);
  return (
    <li data-commit={commit} data-by={run ?? ""}>
      <div className="file-past-row" title={commit}>
        <button
          type="button"
          className="btn ghost icon small"
          aria-expanded={isOpen}
          aria-label={`What ${run ?? author} changed`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="next" />
        </button>
        {run === null ? (
          <b>{toVisible(author)}</b>
        ) : (
          <Link to={toRunPage(run)} className="rid">
            {run}
          </Link>
        )}
        <span className="file-past-title">{toVisible(title)}</span>
        <span className="num">
          <span className="a-go">+{added}</span> <span className="a-stop">−{removed}</span>
        </span>
        <span className="dim">
          <WallAgo wallMs={wallMs} />
        </span>
      </div>
      {isOpen ? (
        <div className="file-past-diff" tabIndex={0} role="group" aria-label={`Lines that ${run ?? author} changed`}>
          {blocks.length === 0 ? <p className="instead">{whyNoLines(change)}</p> : null}
          {blocks.map(({ rows, place }) => (
            <DiffTable key={place} rows={rows} mode="unified" />
          ))}
        </div>
      ) : null}
    </li>
  );
}

function whyNoLines({ binary, tooLarge, status }: FileChange): string {
  if (binary) return "It is not text.";
  if (tooLarge) return "Too large to be shown here.";
  return status === "changed" ? "Only its mode has changed." : `An empty file was ${status}.`;
}
