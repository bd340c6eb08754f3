import type { ReactNode } from "react";
import { spansAgo } from "../model/spans-ago.ts";
import { Icon } from "../parts/icon.tsx";
import { useLookBack } from "./use-look-back.ts";
import "./look-back.css";

/** The world of some minutes ago, in two clicks from anywhere. */
export function LookBack(): ReactNode {
  const lookBack = useLookBack();
  return (
    <label className="look-back" title="The world as it was">
      <Icon name="clock" />
      <span className="look-back-word" aria-hidden="true">
        Look back
      </span>
      <span className="look-back-arrow">
        <Icon name="next" />
      </span>
      <select
        aria-label="Look back: the world as it was"
        value=""
        onChange={({ target }) => {
          void lookBack(Number(target.value));
          // Letters act again.
          target.blur();
        }}
      >
        <option value="" disabled hidden>
          Look back
        </option>
        {spansAgo.map(({ label, ms }) => (
          <option key={label} value={ms}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
