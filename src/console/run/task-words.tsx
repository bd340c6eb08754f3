import type { ReactNode } from "react";
import { showScope } from "../../protocol/show-scope.ts";
import type { Task } from "../../protocol/wire/task.ts";
import { toBytes } from "../model/format.ts";
import { toWho } from "../model/who.ts";
import { toVisible, toVisibleLines } from "../model/visible-text.ts";
import { Fact } from "../parts/facts.tsx";
import { RunLink } from "../shell/link.tsx";
import "./task-words.css";

/** What a task says: only what it has. */
export function TaskWords(props: {
  readonly task: Task;
  readonly onDetach?: ((name: string) => void) | undefined;
}): ReactNode {
  const { task, onDetach } = props;
  return (
    <div className="sheet-part task-words">
      {task.description === "" ? null : <p className="asked task-said">{toVisibleLines(task.description)}</p>}
      <dl className="fact-list">
        <Fact name="Wanted by">{toWho(task.by)}</Fact>
        {task.acceptance === null ? null : (
          <Fact name="Accepted by">
            <code>{toVisible(task.acceptance.join(" "))}</code>
          </Fact>
        )}
        {task.scope.length === 0 ? null : <Fact name="May change">{toVisible(showScope(task.scope))}</Fact>}
        {task.attachments.map(({ kind, name, text, bytes }) => (
          <Fact key={name} name={toVisible(name)}>
            {kind === "file" ? (
              toBytes(bytes ?? 0)
            ) : kind === "link" ? (
              <Outward url={text ?? ""} />
            ) : (
              <span className="task-note">{toVisibleLines(text ?? "")}</span>
            )}
            {onDetach === undefined ? null : (
              <button
                type="button"
                className="text-button"
                onClick={() => onDetach(name)}
                aria-label={`Take away ${name}`}
              >
                Take away
              </button>
            )}
          </Fact>
        ))}
        {task.runs.length === 0 ? null : (
          <Fact name="Runs">
            {task.runs.map((id) => (
              <RunLink key={id} id={id} />
            ))}
          </Fact>
        )}
      </dl>
    </div>
  );
}

/** The daemon takes links that begin with http: or https: alone. */
function Outward({ url }: { readonly url: string }): ReactNode {
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {toVisible(url)}
    </a>
  );
}
