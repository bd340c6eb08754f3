import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { toMany } from "../model/format.ts";
import { Icon } from "../parts/icon.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import type { CheckedTemplate } from "./use-template-check.ts";

/** A template as text. What is wrong stands at its line, while it is written. */
export function TemplateEditor(props: {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly checked: CheckedTemplate;
}): ReactNode {
  const { text, onChange, checked } = props;
  const isNarrow = useIsNarrow();
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = text.split("\n");
  const problems = checked.found?.problems ?? [];
  const warnings = checked.found?.warnings ?? [];
  const marks = new Map([
    ...warnings.map(({ line }) => [line, "warned"] as const),
    ...problems.map(({ line }) => [line, "wrong"] as const),
  ]);
  const goToLine = (line: number): void => {
    const element = area.current;
    if (element === null) return;
    const from = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    element.focus();
    element.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  };
  const indent = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Tab leads on, as everywhere; with a plain Enter the next line begins where this one does.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const line = text.slice(text.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
    const space = `\n${/^ */.exec(line)?.[0] ?? ""}${/:\s*$/.test(line) ? "  " : ""}`;
    event.preventDefault();
    event.currentTarget.setRangeText(space, selectionStart, selectionEnd, "end");
    onChange(event.currentTarget.value);
  };
  return (
    <>
      <div className="code-edit">
        <div className="code-lines" aria-hidden="true">
          {lines.map((line, at) => (
            <span key={at} className={marks.get(at + 1)} data-no={at + 1}>
              {/* Folded like the line that is written, it keeps its number beside it. */}
              {isNarrow ? `${line} ` : null}
            </span>
          ))}
        </div>
        <textarea
          ref={area}
          aria-label="The template, as YAML"
          aria-invalid={problems.length > 0}
          value={text}
          rows={isNarrow ? 1 : lines.length}
          wrap={isNarrow ? "soft" : "off"}
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={indent}
        />
      </div>
      <div className="code-found" role="status">
        {checked.trouble !== null ? (
          <p className="a-stop">{checked.trouble}</p>
        ) : checked.found === null ? (
          <p className="dim">Looking at it …</p>
        ) : checked.found.ok ? (
          <p className="a-go">
            <Icon name="done" /> {`It is right: ${toMany(checked.found.services.length, "service")}`}
          </p>
        ) : (
          <p className="a-stop">
            <Icon name="failed" /> {toMany(problems.length, "problem")}
          </p>
        )}
        <ul>
          {[...problems, ...warnings].map(({ line, column, path, message }, at) => (
            <li key={`${line} ${column} ${message}`} data-problem={line}>
              <button type="button" className="text-button" onClick={() => goToLine(line)}>
                line {line}
              </button>
              <span>
                {path === "" ? "" : <code>{path}</code>} {message}
                {at < problems.length ? "" : " (warning)"}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
