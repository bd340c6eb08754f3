import { type ReactNode, type SubmitEvent, useState } from "react";
import { ProtocolError } from "../../protocol/errors.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { useBox } from "../live/live-context.tsx";
import { toAgentCommand } from "../model/agent-acts.ts";
import { toMany } from "../model/format.ts";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Dialog } from "../parts/dialog.tsx";
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
  const discard = trouble?.code === "unsaved";
  const command = `${toAgentCommand("remove", name)}${discard ? " --discard" : ""}`;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setAsking(true);
    client
      .call("agent.remove", { agent: agent.id, discard })
      .then(() => {
        toasts.show({ tone: "rest", title: `${name} is being removed`, command });
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
    <Dialog title={`Remove ${name}?`} onClose={onClose}>
      <p className="dialog-what">{agent.id}</p>
      <p>
        {toMany(agent.services.length, "service")} and {toMany(ports, "port")} go with its workspace and what the
        services said. Nothing brings it back; the log keeps what happened.
      </p>
      {trouble === null ? null : (
        <p className="a-stop" role="alert">
          {trouble.message}
        </p>
      )}
      <form onSubmit={submit}>
        <Command text={command} />
        <div className="dialog-acts">
          <Button hotkey="Esc" onClick={onClose}>
            Keep it
          </Button>
          <Button submits first look="danger-fill" disabled={isAsking} hotkey="↵">
            {discard ? `Remove ${name} with its changes` : `Remove ${name}`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
