import type { ReactNode } from "react";
import { type ScreenKey, screenKeys } from "./screen.ts";

const keys = Object.keys(screenKeys) as ScreenKey[];
const words: Readonly<Partial<Record<ScreenKey, string>>> = { "↑": "Up", "↓": "Down", "←": "Left", "→": "Right" };

/** The keys that the keyboard of a phone lacks, below the screen. Where there is a real one, they are not shown. */
export function TouchKeys(props: { readonly isMine: boolean; readonly onKey: (key: ScreenKey) => void }): ReactNode {
  const { isMine, onKey } = props;
  return (
    <div className="touch-keys" role="group" aria-label="Keys that a phone lacks">
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          className="btn"
          aria-label={words[key] ?? key}
          disabled={!isMine}
          // The phone's own keyboard stays open: the screen keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onKey(key)}
        >
          {key}
        </button>
      ))}
    </div>
  );
}
