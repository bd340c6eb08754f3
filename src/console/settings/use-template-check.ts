import { useDeferredValue } from "react";
import type { OutputOf } from "../../protocol/operations.ts";
import { useAsked } from "../live/use-asked.ts";

export type CheckedTemplate = {
  /** What the daemon said of it last; it may be of what stood there a moment ago. */
  readonly found: OutputOf<"template.check"> | null;
  /** Whether that is of what stands there now. */
  readonly isFresh: boolean;
  readonly trouble: string | null;
};

/** Has the daemon look at a template while somebody writes it. */
export function useTemplateCheck(text: string): CheckedTemplate {
  const settled = useDeferredValue(text);
  const { value, isFresh, trouble } = useAsked({
    subject: "template",
    stamp: settled,
    ask: (client, signal) => client.call("template.check", { template: settled }, { signal }),
  });
  return { found: value, isFresh: isFresh && settled === text, trouble };
}
