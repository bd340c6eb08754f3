// One way for every view to act on a run: at once, or through a dialog when the act needs words or cannot be undone.

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useBox } from "../live/live-context.tsx";
import type { RunAct } from "../model/run-acts.ts";
import { ApproveDialog } from "./approve-dialog.tsx";
import { ActDialog } from "./act-dialog.tsx";
import { perform } from "./perform.ts";
import { Toasts } from "./toasts.ts";
import { UnderWay } from "./under-way.ts";

export type Acts = {
  readonly toasts: Toasts;
  /** Does it, or asks first what has to be asked. */
  readonly request: (act: RunAct, run: Run, onDone?: () => void, draft?: string) => void;
  /** What has no answer yet, whoever asked. */
  readonly underWay: UnderWay;
  /** Does it with words that were written in place. Answers whether it worked. */
  readonly say: (act: RunAct, run: Run, text: string) => Promise<boolean>;
  /** Opens a dialog over whatever is shown, until it is closed. */
  readonly open: (dialog: OpenDialog) => void;
};

type OpenDialog = (onClose: () => void) => ReactNode;

type Asked = {
  readonly act: RunAct;
  readonly run: Run;
  readonly onDone: (() => void) | undefined;
  readonly draft: string | undefined;
};

const ActContext = createContext<Acts | null>(null);

export function ActProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { client } = useBox();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  // Another client is that of a moment of the past: who has looked back takes back what they did before.
  const [toasts] = useState(() => new Toasts());
  const acts = useMemo((): Acts => {
    const underWay = new UnderWay();
    const say = (act: RunAct, run: Run, text?: string): Promise<boolean> =>
      underWay.once(`${act.name} ${run.id} ${text ?? ""}`, () => perform({ client, toasts }, { act, run, text }));
    return {
      toasts,
      underWay,
      request: (act, run, onDone, draft) => {
        if (act.asks === "nothing") void say(act, run);
        else setAsked({ act, run, onDone, draft });
      },
      say,
      open: (dialog) => setOpened(() => dialog),
    };
  }, [client, toasts]);
  return (
    <ActContext value={acts}>
      {children}
      {asked === null ? null : <AskedDialog asked={asked} acts={acts} onClose={() => setAsked(null)} />}
      {opened?.(() => setOpened(null))}
    </ActContext>
  );
}

function AskedDialog(props: { readonly asked: Asked; readonly acts: Acts; readonly onClose: () => void }): ReactNode {
  const { asked, acts, onClose } = props;
  const { act, run, onDone, draft } = asked;
  const go = (text: string): void => {
    onClose();
    void acts.say(act, run, text).then((worked) => {
      if (worked) onDone?.();
    });
  };
  if (act.asks === "look") return <ApproveDialog run={run} onClose={onClose} onGo={go} />;
  return <ActDialog act={act} run={run} draft={draft} onClose={onClose} onGo={go} />;
}

export function useActs(): Acts {
  const acts = useContext(ActContext);
  if (acts === null) throw new Error("a view outside of the ActProvider");
  return acts;
}
