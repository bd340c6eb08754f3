import { type ReactNode, useState } from "react";
import { ProtocolError } from "../../protocol/errors.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { useBox } from "../live/live-context.tsx";
import { toAgentCommand } from "../model/agent-acts.ts";
import { toMany } from "../model/format.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { useActs } from "./act-context.tsx";

/** Names what goes. Where its workspace has changes of the project's files, that is said, and has to be meant. */
export function RemoveAgentDialog({
  agent,
  onClose,
}: {
  readonly agent: AgentView;
  readonly onClose: () => void;
}): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const { name } = agent;
  const [trouble, setTrouble] = useState<{ readonly code: string; readonly message: string } | null>(null);
  const [isAsking, setAsking] = useState(false);
  // Nobody loses something by a second click: it can be purged from the trash.
  const setAside = trouble?.code === "unsaved";
  const command = `${toAgentCommand("remove", name)}${setAside ? " --set-aside" : ""}`;
  const remove = (): void => {
    setAsking(true);
    client
      .call("agent.remove", { agent: agent.id, setAside })
      .then(() => {
        toasts.did({ tone: "rest", title: `${name} is being removed`, command });
        onClose();
      })
      .catch((error: unknown) => {
        const code = error instanceof ProtocolError ? error.code : "unknown";
        setTrouble({ code, message: error instanceof Error ? error.message : String(error) });
        setAsking(false);
      });
  };
  const ports = agent.services.flatMap((service) => service.ports).length;
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      what={agent.id}
      trouble={trouble?.message ?? null}
      command={command}
      keep="Keep it"
      go={setAside ? `Remove ${name}, changes to the trash` : `Remove ${name}`}
      isBusy={isAsking}
      onClose={onClose}
      onGo={remove}
    >
      <p>
        {toMany(agent.services.length, "service")} and {toMany(ports, "port")} go with its workspace and what the
        services said. Nothing brings it back; the log keeps what happened.
      </p>
    </ConfirmDialog>
  );
}
