import { type ReactNode, useState } from "react";
import type { OutputOf } from "../../protocol/operations.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { textIn } from "../live/event-fields.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toMany } from "../model/format.ts";
import { toShell } from "../model/shell-text.ts";
import { toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import "./drift-panel.css";

type Drift = Pick<OutputOf<"agent.reload">, "changes" | "restarts" | "effect"> & { readonly template: string };

const takes = {
  none: "at once",
  service: "restarts services",
  place: "makes its place anew",
  never: "needs another agent",
} as const;

/** What differs between the agent and what its template says on mainline now, and the way to become that. */
export function DriftPanel({ agent }: { readonly agent: AgentView }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const [isBusy, setBusy] = useState(false);
  const newest = useNewest((event) => {
    const { type } = event;
    if (type.startsWith("agent.")) return textIn(event, "agent") === agent.id;
    return (type.startsWith("mainline.") || type === "run.landed") && textIn(event, "project") === agent.project;
  });
  const { value: drift } = useAsked({
    subject: `drift ${agent.id}`,
    stamp: newest,
    ask: async (each, signal): Promise<Drift | null> => {
      const { templates } = await each.call("template.list", {}, { signal });
      const own = templates.find(({ name, project }) => name === agent.template && project === agent.project);
      if (own === undefined) return null;
      const asked = { agent: agent.id, template: own.text, dryRun: true };
      return { ...(await each.call("agent.reload", asked, { signal })), template: own.text };
    },
  });
  // Of a text that is no file of its project nobody knows what it says now.
  if (drift === null) return null;
  const reload = (): void => {
    setBusy(true);
    client
      .call("agent.reload", { agent: agent.id, template: drift.template })
      .then(() =>
        toasts.did({
          tone: "go",
          title: `${agent.name} becomes what its template says`,
          command: `signalbox agent reload ${toShell(agent.name)}`,
        }),
      )
      .catch((error: unknown) => showRefusal(toasts, `reload ${agent.name}`, error))
      .finally(() => setBusy(false));
  };
  const { changes, restarts, effect } = drift;
  return (
    <Panel
      name="drift"
      title="Drift"
      meta={changes.length === 0 ? undefined : `${toMany(changes.length, "difference")}, ${takes[effect]}`}
      end={
        changes.length === 0 || effect === "never" ? undefined : (
          <Button size="small" disabled={!isLive || isBusy} onClick={reload}>
            Reload
          </Button>
        )
      }
    >
      {changes.length === 0 ? (
        <Quiet title="It is what its template says">A change of the template on mainline shows here.</Quiet>
      ) : (
        <ul className="drift">
          {changes.map(({ path, agent: has, template: says, effect: own }) => (
            <li key={path} data-drift={path}>
              <code>{toVisible(path)}</code>
              <span className="dim">{takes[own]}</span>
              <p>
                <del>{toVisible(has ?? "nothing")}</del> <ins>{toVisible(says ?? "nothing")}</ins>
              </p>
            </li>
          ))}
          {restarts.length === 0 ? null : <li className="dim">Would be started again: {restarts.join(", ")}</li>}
        </ul>
      )}
    </Panel>
  );
}
