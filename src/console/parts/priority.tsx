import type { ReactNode } from "react";

/** How urgent somebody said that it is, where they said anything: a number before what it is about, which tells what it means. */
export function Priority({ value }: { readonly value: number }): ReactNode {
  if (value === 0) return null;
  const means = value > 0 ? "it goes before what has less" : "what has more goes before it";
  return (
    <span className="priority" title={`Priority ${value}: where several wait for the same, ${means}`}>
      <span className="sr">priority </span>
      {value > 0 ? `+${value}` : value}
    </span>
  );
}
