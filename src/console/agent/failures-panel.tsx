import { type ReactNode, useMemo } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { type Failure, toFailures } from "../model/agent-failures.ts";
import { toPlainText } from "../model/plain-output.ts";
import { Panel } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";

/** What failed, the newest first, with how everything was then. An agent in which nothing has failed has no such panel. */
export function FailuresPanel({ events }: { readonly events: readonly LogEvent[] | null }): ReactNode {
  const failures = useMemo(() => toFailures(events ?? []), [events]);
  if (failures.length === 0) return null;
  return (
    <Panel name="failures" title="Failures" count={failures.length} meta="newest first">
      <ol className="failures">
        {failures.map((failure, at) => (
          <FailureItem key={failure.seq} failure={failure} isOpen={at === 0} />
        ))}
      </ol>
    </Panel>
  );
}

function FailureItem({ failure, isOpen }: { readonly failure: Failure; readonly isOpen: boolean }): ReactNode {
  const { seq, service, atMs, what, facts, said, times } = failure;
  return (
    <li data-failure={seq}>
      <details open={isOpen}>
        <summary>
          <b>{service}</b> <span className="a-stop">{failure.class}</span>{" "}
          <span className="dim">
            {times > 1 ? `${times} times, ` : ""}
            <Ago atMs={atMs} />
          </span>
          <span className="failure-what">{what}</span>
        </summary>
        <dl>
          {facts.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        {said === "" ? null : (
          <pre className="s-said" tabIndex={0} aria-label={`The last that ${service} said`}>
            {toPlainText(said)}
          </pre>
        )}
      </details>
    </li>
  );
}
