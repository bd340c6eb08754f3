import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox } from "../live/live-context.tsx";

/** Takes a run that failed or is stuck off the inbox: somebody has seen it. */
export function useSeen(): (run: string) => void {
  const { client } = useBox();
  const { toasts } = useActs();
  return (run) => {
    client
      .call("run.see", { run })
      .then(() =>
        toasts.show({ tone: "rest", title: `${run} is off the inbox`, command: `signalbox inbox --seen ${run}` }),
      )
      .catch((error: unknown) => showRefusal(toasts, `taking ${run} off the inbox`, error));
  };
}
