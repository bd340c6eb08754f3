import "@xterm/xterm/css/xterm.css";
import { type ReactNode, useRef, useState } from "react";
import { useBox, useIsLive, useLive } from "../live/live-context.tsx";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { keyboardOf, tellView } from "../model/terminal-view.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel } from "../parts/panel.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { EndTerminalDialog } from "./end-terminal-dialog.tsx";
import { KeyboardActs } from "./keyboard-acts.tsx";
import { FindInTerminal, Present, Recorded, SayBox } from "./terminal-bar.tsx";
import { TouchKeys } from "./touch-keys.tsx";
import { useTerminal } from "./use-terminal.ts";
import { viewerOfWindow } from "./viewer.ts";
import "./terminal.css";

/** A terminal in the cage of a run: its screen, who is there, and who types. */
export function TerminalPanel({ id, run }: { readonly id: string; readonly run: string }): ReactNode {
  const { look } = useAddress();
  const readOnly = look === "only";
  const box = useRef<HTMLDivElement>(null);
  const leave = useRef<HTMLDivElement>(null);
  const [isEnding, setEnding] = useState(false);
  const me = viewerOfWindow();
  const { view, line, screen } = useTerminal(box, {
    id,
    readOnly,
    onLeaveKey: () => leave.current?.querySelector("button")?.focus(),
  });
  const { isMine } = keyboardOf(view, me);
  const isPaused = useLive((state) => state.runs.get(run)?.state === "paused");
  const isOver = view.ended !== null || view.trouble !== null;
  return (
    <Panel
      name="terminal"
      title={`Terminal ${id}`}
      meta={
        <>
          <Recorded />
          {view.size === null ? null : <span className="num">{` ${view.size.cols}×${view.size.rows}`}</span>}
        </>
      }
      end={
        <div ref={leave} className="terminal-acts">
          {isOver ? null : (
            <KeyboardActs
              view={view}
              me={me}
              readOnly={readOnly}
              onSay={(word) => line.current?.say(word)}
              onLook={(only) => goTo({ look: only ? "only" : null }, "replace")}
            />
          )}
          <OtherTerminals id={id} run={run} />
          <CopyButton
            text={`signalbox attach ${readOnly ? "--read-only " : ""}${id}`}
            label="Copy the command that joins it"
          />
          {isOver ? null : (
            <Button size="small" look="danger" onClick={() => setEnding(true)}>
              End…
            </Button>
          )}
          <Button size="small" title="The terminal goes on" onClick={() => goTo({ terminal: null, look: null })}>
            Leave
          </Button>
        </div>
      }
    >
      <div className="terminal-bar">
        <p
          className={isMine && !isOver ? "a-you" : undefined}
          role="status"
          data-terminal-state={stateOf(view.link, isOver)}
        >
          {isPaused && !isOver
            ? "The run is paused, and its shell with it: what is typed waits until it goes on."
            : tellView(view, me, readOnly)}
        </p>
        <Present view={view} me={me} />
        <SayBox view={view} onSay={(say) => line.current?.say({ say })} />
        <FindInTerminal onFind={(text, direction) => screen.current?.find(text, direction) ?? false} />
      </div>
      <div
        className={isMine && !isOver && !readOnly ? "terminal-frame mine" : "terminal-frame"}
        role="group"
        aria-label={`Screen of ${id}. Shift and Escape leads out of it.`}
      >
        <div ref={box} className="terminal-screen" data-terminal={id} />
      </div>
      {isOver || readOnly ? null : <TouchKeys isMine={isMine} onKey={(key) => screen.current?.press(key)} />}
      {isEnding ? <EndTerminalDialog id={id} onClose={() => setEnding(false)} /> : null}
    </Panel>
  );
}

function stateOf(link: string, isOver: boolean): string {
  return isOver ? "ended" : link;
}

/** The terminals of the run that are open, and the way to one more. */
function OtherTerminals({ id, run }: { readonly id: string; readonly run: string }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const newest = useNewest(({ type }) => type === "terminal.opened" || type === "terminal.ended");
  const { value } = useAsked({
    subject: `terminals ${run}`,
    stamp: newest,
    ask: (each, signal) => each.call("terminal.list", { run }, { signal }),
  });
  const names = new Map((value?.terminals ?? []).map((terminal) => [terminal.id, terminal.window]));
  const ids = [...new Set([id, ...names.keys()])];
  const open = (): void => {
    client
      .call("terminal.open", { run })
      .then(({ terminal }) => goTo({ terminal, look: null }))
      .catch((error: unknown) => showRefusal(toasts, `opening a terminal in ${run}`, error));
  };
  return (
    <>
      {ids.length < 2 ? null : (
        <select
          className="small-pick"
          aria-label="Which terminal"
          value={id}
          onChange={({ target }) => goTo({ terminal: target.value })}
        >
          {ids.map((each) => (
            <option key={each} value={each}>
              {names.get(each) ?? each}
            </option>
          ))}
        </select>
      )}
      <Button size="small" disabled={!isLive} onClick={open}>
        New
      </Button>
    </>
  );
}
