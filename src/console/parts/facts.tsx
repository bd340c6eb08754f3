import type { ReactNode } from "react";
import "./facts.css";

/** What is known of a thing: names left, what is so right. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="fact-list">
      {facts.map(([name, fact]) => (
        <Fact key={name} name={name}>
          {fact}
        </Fact>
      ))}
    </dl>
  );
}

/** One of them, within a list of definitions. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
