import { type ReactNode, useRef, useState } from "react";
import { keyboardOf, tellView } from "../model/terminal-view.ts";
import { KeyboardActs } from "./keyboard-acts.tsx";
import { FindInTerminal, Present, Recorded, SayBox } from "./terminal-bar.tsx";
import { TouchKeys } from "./touch-keys.tsx";
import { useTerminal } from "./use-terminal.ts";
import { viewerOfWindow } from "./viewer.ts";

/** One terminal among several: its screen, who is there and who types. */
export function TerminalPane(props: {
  readonly id: string;
  readonly takesFocus: boolean;
  readonly onLeaveKey: () => void;
  readonly onMoved: (terminal: string) => void;
}): ReactNode {
  const { id, takesFocus, onLeaveKey, onMoved } = props;
  const [readOnly, setReadOnly] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const me = viewerOfWindow();
  const { view, line, screen } = useTerminal(box, { id, readOnly, takesFocus, onLeaveKey, onMoved });
  const { isMine } = keyboardOf(view, me);
  const isOver = view.ended !== null || view.trouble !== null;
  return (
    <>
      <div className="terminal-bar">
        <p
          className={isMine && !isOver ? "a-you" : undefined}
          role="status"
          data-terminal-state={isOver ? "ended" : view.link}
        >
          {tellView(view, me, readOnly)}
        </p>
        <Present view={view} me={me} />
        {isOver ? null : (
          <span className="terminal-acts">
            <KeyboardActs
              view={view}
              me={me}
              readOnly={readOnly}
              onSay={(word) => line.current?.say(word)}
              onLook={setReadOnly}
            />
          </span>
        )}
        <SayBox view={view} onSay={(say) => line.current?.say({ say })} />
        <span className="pane-end">
          <Recorded />
          {view.size === null ? null : <span className="num dim">{`${view.size.cols}×${view.size.rows}`}</span>}
          <FindInTerminal onFind={(text, direction) => screen.current?.find(text, direction) ?? false} />
        </span>
      </div>
      <div
        className={isMine && !isOver && !readOnly ? "terminal-frame mine" : "terminal-frame"}
        role="group"
        aria-label={`Screen of ${id}. Shift and Escape leads out of it.`}
      >
        <div ref={box} className="terminal-screen" data-terminal={id} />
      </div>
      {isOver || readOnly ? null : <TouchKeys isMine={isMine} onKey={(key) => screen.current?.press(key)} />}
    </>
  );
}
