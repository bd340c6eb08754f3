import "@xterm/xterm/css/xterm.css";
import { type ReactNode, useRef, useState } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { leaveAt, type Panes, renew, showAt, splitAt, toPanesText, windowOfView } from "../model/panes.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import { goTo } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { toShell } from "../model/shell-text.ts";
import { EndTerminalDialog } from "./end-terminal-dialog.tsx";
import { PaneGrid } from "./pane-grid.tsx";
import { TerminalPane } from "./terminal-pane.tsx";
import { useWindows } from "./use-windows.ts";
import { ViewPane } from "./view-pane.tsx";
import { WindowTabs } from "./window-tabs.tsx";
import "./terminal.css";
import "./workbench.css";

/** The windows of an agent: tabs of all of them, and as many side by side or stacked as one likes; on a phone one at a time. */
export function Workbench({ agent, panes }: { readonly agent: AgentView; readonly panes: Panes }): ReactNode {
  const [focused, setFocused] = useState(0);
  const [ending, setEnding] = useState<string | null>(null);
  const head = useRef<HTMLDivElement>(null);
  const windows = useWindows(agent);
  // Whoever looked at a terminal looks at the one that stands in for it, in the same pane and over the same connection.
  const [firsts, setFirsts] = useState<ReadonlyMap<string, string>>(new Map());
  const slotOf = (key: string): string => firsts.get(key) ?? key;
  const at = Math.min(focused, panes.keys.length - 1);
  const current = panes.keys[at];
  const isNarrow = useIsNarrow();
  // The others stay in the address: whoever opens it on a desk sees them all.
  const shown: Panes = isNarrow && current !== undefined ? { ...panes, keys: [current] } : panes;
  const go = (next: Panes | null): void => goTo({ panes: toPanesText(next) }, "replace");
  const pick = (key: string): void => {
    const next = showAt(panes, at, key);
    setFocused(next.keys.indexOf(key));
    go(next);
  };
  const split = async (way: Panes["way"]): Promise<void> => {
    const terminal = await windows.open();
    if (terminal === null) return;
    const next = splitAt(panes, at, terminal, way);
    setFocused(next.keys.indexOf(terminal));
    go(next);
  };
  const add = async (): Promise<void> => {
    const terminal = await windows.open();
    if (terminal !== null) pick(terminal);
  };
  const close = async (key: string): Promise<void> => {
    if (await windows.isBusy(key)) return setEnding(key);
    return windows.close(key);
  };
  useKeys({
    W: () => void add(),
    ...(isNarrow ? {} : { "|": () => void split("side"), "-": () => void split("stack") }),
  });
  const isTerminal = current !== undefined && windowOfView(current) === null;
  const command = `signalbox attach ${toShell(agent.name)}${current === undefined ? "" : ` --window ${toShell(windows.nameOf(current))}`}`;
  return (
    <Panel
      name="terminal"
      title="Terminals"
      end={
        <div ref={head} className="terminal-acts">
          <Button size="small" icon="process" hotkey="W" disabled={!windows.canOpen} onClick={() => void add()}>
            New
          </Button>
          {isNarrow ? null : (
            <>
              <Button size="small" hotkey="|" disabled={!windows.canOpen} onClick={() => void split("side")}>
                Split
              </Button>
              <Button size="small" hotkey="-" disabled={!windows.canOpen} onClick={() => void split("stack")}>
                Stack
              </Button>
              {panes.keys.length < 2 ? null : (
                <Button
                  size="small"
                  look="ghost"
                  onClick={() => go({ ...panes, way: panes.way === "side" ? "stack" : "side" })}
                >
                  {panes.way === "side" ? "One above the other" : "Side by side"}
                </Button>
              )}
            </>
          )}
          <CopyButton text={command} label={`Copy: ${command}`} />
          {isTerminal && windows.isOpen(current) ? (
            <Button size="small" look="danger" onClick={() => void close(current)}>
              End
            </Button>
          ) : null}
          <Button size="small" title="All of them go on" onClick={() => goTo({ panes: null })}>
            Leave
          </Button>
        </div>
      }
    >
      <WindowTabs
        tabs={windows.tabs}
        shown={shown.keys}
        current={current}
        onPick={pick}
        onRename={(key, name) => void windows.rename(key, name)}
      />
      <PaneGrid
        panes={shown}
        focused={isNarrow ? 0 : at}
        onFocus={(index) => setFocused(isNarrow ? at : index)}
        slotOf={slotOf}
      >
        {(key, index) => {
          const name = windows.nameOf(key);
          const view = windows.viewOf(key);
          return (
            <>
              {shown.keys.length < 2 ? null : (
                <header className="pane-head">
                  <b>{name}</b>
                  <IconButton
                    icon="close"
                    size="small"
                    label={`Do not show ${name} here; it goes on`}
                    onClick={() => go(leaveAt(panes, index))}
                  />
                </header>
              )}
              {windowOfView(key) === null ? (
                <TerminalPane
                  key={slotOf(key)}
                  id={key}
                  takesFocus={isNarrow || index === at}
                  onLeaveKey={() => head.current?.parentElement?.querySelector("button")?.focus()}
                  onMoved={(terminal) => {
                    setFirsts((before) => new Map(before).set(terminal, before.get(key) ?? key));
                    go(renew(panes, key, terminal));
                  }}
                />
              ) : view === undefined ? (
                <Quiet title={`There is no window ${name} now`} />
              ) : (
                <ViewPane key={key} view={view} agent={agent} />
              )}
            </>
          );
        }}
      </PaneGrid>
      {ending === null ? null : <EndTerminalDialog id={ending} onClose={() => setEnding(null)} />}
    </Panel>
  );
}
