import { type ReactNode, useState } from "react";
import type { Lease } from "../../../protocol/wire/claim.ts";
import { useActs } from "../../acts/act-context.tsx";
import { showRefusal } from "../../acts/perform.ts";
import { useBox, useIsLive } from "../../live/live-context.tsx";
import { toShell } from "../../model/shell-text.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

/** A unit whose holder is gone while its processes may live. Only proof, or a person's word, opens it. */
export function ClearButton({ lease }: { readonly lease: Lease }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const [asked, setAsked] = useState(false);
  const { unit, project } = lease;
  const command = `signalbox clear ${toShell(unit)} --project ${toShell(project)}`;
  const clear = async (): Promise<void> => {
    setAsked(false);
    try {
      await client.call("unit.clear", { project, unit });
      toasts.did({
        ...{ tone: "rest", title: `${unit} is free`, detail: "by your word that its processes are dead", command },
      });
    } catch (error) {
      showRefusal(toasts, `clear ${unit}`, error);
    }
  };
  return (
    <>
      <Button
        size="small"
        look="danger"
        disabled={!isLive}
        title="Closed: its holder is gone"
        onClick={() => setAsked(true)}
      >
        Closed…
      </Button>
      {asked ? (
        <ConfirmDialog
          isGrave
          title={`Clear ${unit}?`}
          command={command}
          keep="Keep it closed"
          go="They are dead: clear it"
          onClose={() => setAsked(false)}
          onGo={() => void clear()}
        >
          <p>
            Its holder {lease.holder} is gone, and its processes are not proven dead. If one still lives, two will act
            on this unit at once. Look first, then give your word.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
