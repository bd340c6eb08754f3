// One way for every view to act on a run: at once, or through a dialog when the act needs words or cannot be undone.

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useBox } from "../live/live-context.tsx";
import type { RunAct } from "../model/run-acts.ts";
import { ActDialog } from "./act-dialog.tsx";
import { perform } from "./perform.ts";
import { Toasts } from "./toasts.ts";

export type Acts = {
  readonly toasts: Toasts;
  /** Does it, or asks first what has to be asked. */
  readonly request: (act: RunAct, run: Run) => void;
  /** Does it with words that were written in place. Answers whether it worked. */
  readonly say: (act: RunAct, run: Run, text: string) => Promise<boolean>;
};

const ActContext = createContext<Acts | null>(null);

export function ActProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { client } = useBox();
  const [asked, setAsked] = useState<{ readonly act: RunAct; readonly run: Run } | null>(null);
  const acts = useMemo((): Acts => {
    const toasts = new Toasts();
    return {
      toasts,
      request: (act, run) => {
        if (act.asks === "nothing") void perform({ client, toasts }, { act, run });
        else setAsked({ act, run });
      },
      say: (act, run, text) => perform({ client, toasts }, { act, run, text }),
    };
  }, [client]);
  return (
    <ActContext value={acts}>
      {children}
      {asked === null ? null : (
        <ActDialog
          act={asked.act}
          run={asked.run}
          onClose={() => setAsked(null)}
          onGo={(text) => {
            setAsked(null);
            void acts.say(asked.act, asked.run, text);
          }}
        />
      )}
    </ActContext>
  );
}

export function useActs(): Acts {
  const acts = useContext(ActContext);
  if (acts === null) throw new Error("a view outside of the ActProvider");
  return acts;
}
