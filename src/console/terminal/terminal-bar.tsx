// What stands above the screen of a terminal: who is there, what they say to each other, and what to find.

import { type ReactNode, type SubmitEvent, useState } from "react";
import type { TerminalView } from "../model/terminal-view.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";

/** Everybody who looks, with who types and who would like to. */
export function Present({ view, me }: { readonly view: TerminalView; readonly me: string }): ReactNode {
  return (
    <ul className="present" aria-label="Who is here">
      {view.viewers.map((viewer) => (
        <li key={viewer.viewer} className={viewer.viewer === me ? "a-you" : undefined}>
          <Icon name={viewer.keyboard ? "keys" : "person"} />
          <span>{viewer.viewer === me ? "you" : viewer.name}</span>
          {viewer.keyboard ? <span className="sr"> types</span> : null}
          {viewer.asks ? <span className="dim"> asks</span> : null}
          {viewer.readOnly ? <span className="dim"> only looks</span> : null}
        </li>
      ))}
    </ul>
  );
}

/** That every byte is kept. */
export function Recorded(): ReactNode {
  return (
    <span className="recorded" title="From its first byte; see signalbox recording">
      <i aria-hidden="true" /> Recorded
    </span>
  );
}

/** A line to the others. There is nobody to say it to where one is alone. */
export function SayBox({
  view,
  onSay,
}: {
  readonly view: TerminalView;
  readonly onSay: (text: string) => void;
}): ReactNode {
  const [text, setText] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (text.trim() !== "") onSay(text.trim());
    setText("");
  };
  if (view.viewers.length < 2 && view.said === null) return null;
  return (
    <form className="terminal-say" onSubmit={submit}>
      {view.said === null ? null : (
        <p className="terminal-said" role="log" aria-label="What was said last">
          <b>{view.said.name}</b> {view.said.text}
        </p>
      )}
      <label className="log-find">
        <Icon name="message" />
        <span className="sr">Say a line to everybody here</span>
        <input placeholder="Say to all" value={text} maxLength={500} onChange={({ target }) => setText(target.value)} />
      </label>
    </form>
  );
}

export function FindInTerminal(props: {
  readonly onFind: (text: string, direction: "next" | "previous") => boolean;
}): ReactNode {
  const [text, setText] = useState("");
  const [isFound, setFound] = useState(true);
  const find = (what: string, direction: "next" | "previous"): void => setFound(props.onFind(what, direction));
  return (
    <span className="terminal-find" role="search">
      <label className="log-find">
        <Icon name="search" />
        <span className="sr">Find on the screen and above it</span>
        <input
          type="search"
          placeholder="Find"
          value={text}
          maxLength={200}
          spellCheck={false}
          aria-invalid={!isFound}
          onChange={({ target }) => {
            setText(target.value);
            find(target.value, "previous");
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter") find(text, event.shiftKey ? "next" : "previous");
          }}
        />
      </label>
      {isFound ? null : <span className="a-stop">not there</span>}
      <IconButton icon="back" label="The one before" size="small" onClick={() => find(text, "previous")} />
      <IconButton icon="next" label="The one after" size="small" onClick={() => find(text, "next")} />
    </span>
  );
}
