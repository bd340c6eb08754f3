import type { ReactNode } from "react";
import type { AgentView, FaceView } from "../../protocol/wire/agent.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel } from "../parts/panel.tsx";

/** Pages and endpoints of its services. Each has an origin of its own, apart from this page's. */
export function FacesPanel({ agent, isGone }: { readonly agent: AgentView; readonly isGone: boolean }): ReactNode {
  if (agent.faces.length === 0) return null;
  return (
    <Panel name="faces" title="Faces" count={agent.faces.length}>
      <ul className="faces">
        {agent.faces.map((face) => (
          <FaceRow key={face.name} agent={agent} face={face} isGone={isGone} />
        ))}
      </ul>
    </Panel>
  );
}

function FaceRow(props: { readonly agent: AgentView; readonly face: FaceView; readonly isGone: boolean }): ReactNode {
  const { agent, face, isGone } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const command = `signalbox face open ${agent.name} ${face.name}`;
  const open = (): void => {
    // A tab that is opened later, when the answer is there, would be taken for one that nobody asked for.
    const tab = window.open("about:blank", "_blank");
    if (tab !== null) tab.opener = null;
    client.call("face.open", { agent: agent.id, face: face.name }).then(
      ({ url }) => tab?.location.replace(url),
      (error: unknown) => {
        tab?.close();
        showRefusal(toasts, `open ${face.name} of ${agent.name}`, error);
      },
    );
  };
  return (
    <li data-face={face.name}>
      <span className="f-name">
        <b>{toVisible(face.title ?? face.name)}</b>{" "}
        <span className="dim">
          {face.kind === "mcp" ? "MCP" : "page"} of {face.service}
        </span>
        <code>{face.url}</code>
      </span>
      {isGone || face.kind === "mcp" ? null : (
        <Button
          size="small"
          disabled={!isLive}
          title={isLive ? "Open in another tab" : "Not while disconnected"}
          onClick={open}
        >
          Open <Icon name="out" />
          <span className="sr"> {face.name} in another tab</span>
        </Button>
      )}
      <CopyButton text={command} label={`Copy the command that opens ${face.name}`} />
    </li>
  );
}
