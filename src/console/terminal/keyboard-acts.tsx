import type { ReactNode } from "react";
import type { TerminalWord } from "../../protocol/terminal-stream.ts";
import { keyboardOf, type TerminalView } from "../model/terminal-view.ts";
import { Button } from "../parts/button.tsx";

/** What one can do about the keyboard: ask, take, hand over, let go, or only look. */
export function KeyboardActs(props: {
  readonly view: TerminalView;
  readonly me: string;
  readonly readOnly: boolean;
  readonly onSay: (word: TerminalWord) => void;
  readonly onLook: (readOnly: boolean) => void;
}): ReactNode {
  const { view, me, readOnly, onSay, onLook } = props;
  const { holder, isMine, iAsk, asking } = keyboardOf(view, me);
  if (readOnly) {
    return (
      <Button size="small" icon="keys" onClick={() => onLook(false)}>
        Join
      </Button>
    );
  }
  const isOff = view.link !== "live";
  if (isMine) {
    return (
      <>
        {asking.map(({ viewer, name }) => (
          <Button key={viewer} size="small" look="primary" disabled={isOff} onClick={() => onSay({ give: { viewer } })}>
            {`Give ${name} the keyboard`}
          </Button>
        ))}
        {view.viewers.length > 1 ? (
          <Button size="small" disabled={isOff} onClick={() => onSay({ keyboard: "free" })}>
            Let go
          </Button>
        ) : null}
      </>
    );
  }
  return (
    <>
      {iAsk ? null : (
        <Button size="small" icon="keys" disabled={isOff} onClick={() => onSay({ keyboard: "ask" })}>
          {holder === undefined ? "Type here" : "Ask for the keyboard"}
        </Button>
      )}
      {holder === undefined ? null : (
        <Button size="small" disabled={isOff} onClick={() => onSay({ keyboard: "take" })}>
          Take it
        </Button>
      )}
      <Button size="small" look="ghost" onClick={() => onLook(true)}>
        Only look
      </Button>
    </>
  );
}
