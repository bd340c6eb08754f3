import type { ReactNode } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox } from "../live/live-context.tsx";
import { toPanesText, viewKey } from "../model/panes.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel } from "../parts/panel.tsx";
import { goTo } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { Link } from "../shell/link.tsx";
import { joinTerminal } from "../terminal/join-terminal.ts";
import { useWindows } from "../terminal/use-windows.ts";

/** The windows of an agent by their names, and the way to a person's own. */
export function TerminalsPanel({ agent }: { readonly agent: AgentView }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const { tabs, canOpen } = useWindows(agent);
  const terminals = tabs.filter(({ isTerminal }) => isTerminal);
  const join = async (): Promise<void> => {
    try {
      goTo(await joinTerminal(client, { agent: agent.id }));
    } catch (error) {
      showRefusal(toasts, `a terminal in ${agent.name}`, error);
    }
  };
  useKeys(canOpen ? { W: () => void join() } : {});
  return (
    <Panel
      name="windows"
      title="Terminals"
      meta={terminals.length === 0 ? undefined : `${terminals.length} open`}
      end={
        <Button size="small" icon="process" hotkey="W" disabled={!canOpen} onClick={() => void join()}>
          Terminal
        </Button>
      }
    >
      <ul className="window-list">
        {tabs.map(({ key, name, isTerminal, isTyped }) => (
          <li key={key}>
            <Link to={{ panes: toPanesText({ way: "side", keys: [key] }) }} className="window-link">
              <Icon name={isTerminal ? (isTyped ? "keys" : "process") : "events"} />
              <span>{name}</span>
              {isTerminal ? <span className="dim">{isTyped ? "somebody types" : "open"}</span> : null}
              {key === viewKey("monitor") ? <span className="dim">processes</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
