import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Icon } from "../parts/icon.tsx";

export type WindowTab = {
  readonly key: string;
  readonly name: string;
  readonly isTerminal: boolean;
  /** Whether somebody types there now. */
  readonly isTyped: boolean;
};

/** All windows of an agent by their names: terminals first, then views. Those that are shown are marked. */
export function WindowTabs(props: {
  readonly tabs: readonly WindowTab[];
  readonly shown: readonly string[];
  readonly current: string | undefined;
  readonly onPick: (key: string) => void;
  readonly onRename: (key: string, name: string) => void;
}): ReactNode {
  const { tabs, shown, current, onPick, onRename } = props;
  const list = useRef<HTMLDivElement>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const at = tabs.findIndex(({ key }) => key === current);
  const move = (event: KeyboardEvent): void => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (tab === undefined) return;
    event.preventDefault();
    onPick(tab.key);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(tab.key)}"]`)?.focus();
  };
  return (
    <div ref={list} className="window-tabs" role="tablist" aria-label="Windows" onKeyDown={move}>
      {tabs.map(({ key, name, isTerminal, isTyped }) =>
        renamed === key ? (
          <RenameBox
            key={key}
            name={name}
            onEnd={(next) => {
              setRenamed(null);
              if (next !== null && next !== name) onRename(key, next);
            }}
          />
        ) : (
          <button
            key={key}
            type="button"
            role="tab"
            data-tab={key}
            data-kind={isTerminal ? "terminal" : "view"}
            data-shown={shown.includes(key)}
            aria-selected={key === current}
            tabIndex={key === current || (at < 0 && key === tabs[0]?.key) ? 0 : -1}
            title={
              isTerminal ? `${name} (${key}); F2 or a double click names it` : `${name}, a view: nothing is typed in it`
            }
            onClick={() => onPick(key)}
            onDoubleClick={() => isTerminal && setRenamed(key)}
            onKeyDown={(event) => {
              if (event.key === "F2" && isTerminal) setRenamed(key);
            }}
          >
            <Icon name={isTerminal ? (isTyped ? "keys" : "process") : "events"} />
            <span>{name}</span>
          </button>
        ),
      )}
    </div>
  );
}

function RenameBox({
  name,
  onEnd,
}: {
  readonly name: string;
  readonly onEnd: (name: string | null) => void;
}): ReactNode {
  const [text, setText] = useState(name);
  return (
    <input
      className="window-rename"
      aria-label={`Another name for ${name}`}
      value={text}
      maxLength={40}
      spellCheck={false}
      ref={(element) => element?.focus()}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => onEnd(text.trim() === "" ? null : text.trim())}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") onEnd(null);
      }}
    />
  );
}
