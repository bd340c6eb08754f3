import type { ReactNode } from "react";
import "./leave-words.css";

/** What leave is asked for: the act in a line, and below it all that its program says of it. Nobody allows what they cannot read. */
export function LeaveWords({ text }: { readonly text: string }): ReactNode {
  const [act = "", ...more] = text.split("\n\n");
  return (
    <div className="leave">
      <p className="leave-act">{act}</p>
      {more.length === 0 ? null : (
        <pre className="leave-more" tabIndex={0} role="group" aria-label="All that it says of the act">
          {more.join("\n\n")}
        </pre>
      )}
    </div>
  );
}
