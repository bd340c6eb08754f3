import { type ReactNode, useMemo } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { specIn } from "../model/agent-story.ts";
import { toSpecText } from "../model/spec-text.ts";
import { toVisible } from "../model/visible-text.ts";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";

/** What it was made from, with every default filled in. */
export function TemplatePanel(props: {
  readonly agent: AgentView;
  readonly events: readonly LogEvent[] | null;
}): ReactNode {
  const { agent, events } = props;
  const text = useMemo(() => {
    const spec = specIn(events ?? []);
    return spec === null ? null : toSpecText(spec);
  }, [events]);
  return (
    <Panel
      name="template"
      title="Template"
      meta={agent.template}
      end={text === null ? undefined : <CopyButton text={text} label="Copy the template as it was read" />}
    >
      {text === null ? (
        <Quiet title={events === null ? "Reading the log …" : "The log does not reach back to it"} />
      ) : (
        <pre className="spec" tabIndex={0} role="group" aria-label="Template">
          {text.split("\n").map(toVisible).join("\n")}
        </pre>
      )}
    </Panel>
  );
}
