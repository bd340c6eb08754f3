import type { ReactNode } from "react";

/** A choice of a few, all of them in sight. */
export function Segmented<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}): ReactNode {
  return (
    <span className="segmented" role="group" aria-label={props.label}>
      {props.options.map(([value, word]) => (
        <button key={value} type="button" aria-pressed={props.value === value} onClick={() => props.onChange(value)}>
          {word}
        </button>
      ))}
    </span>
  );
}
