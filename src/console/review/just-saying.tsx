import type { ReactNode } from "react";
import { useIsLive, useLive } from "../live/live-context.tsx";
import { toVisibleLines } from "../model/visible-text.ts";
import "./just-saying.css";

/** What its assistant has begun to say, as it says it; the log has it when it has said it to its end. */
export function JustSaying({ run }: { readonly run: string }): ReactNode {
  const words = useLive(({ saying }) => saying.get(run));
  const isLive = useIsLive();
  if (words === undefined || !isLive) return null;
  return words.map(({ of, parent, from, text }) => (
    <div key={`${of} ${parent}`} className="just-saying" data-saying={of}>
      <span className="dim">
        {parent === null ? "" : "subagent "}
        {of === "thinking" ? "thinks" : "says"}
      </span>
      {/* Who follows it has the newest before their eyes: the end of it is what is seen. */}
      <p className="just-said">
        <span>
          {from > 0 ? "… " : ""}
          {toVisibleLines(text)}
        </span>
      </p>
    </div>
  ));
}
