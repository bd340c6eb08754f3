import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { holdEndOf } from "../model/hold-end.ts";
import { Until } from "./times.tsx";

/** How long it is until what somebody keeps goes to those who wait for it; nothing where it does not. */
export function HoldEnd({ of }: { readonly of: string }): ReactNode {
  const atMs = useLive(({ locks }) => holdEndOf(locks, of));
  if (atMs === null) return null;
  return (
    <span title="What it keeps for you goes to whoever waits for it then; it claims it again once it goes on">
      , and gets it in <Until atMs={atMs} />
    </span>
  );
}
