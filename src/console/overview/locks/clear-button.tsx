import { type ReactNode, useState } from "react";
import type { Lease } from "../../../protocol/wire/claim.ts";
import { useActs } from "../../acts/act-context.tsx";
import { showRefusal } from "../../acts/perform.ts";
import { useBox, useIsLive } from "../../live/live-context.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";

/** A unit whose holder is gone while its processes may live. Only proof, or a person's word, opens it. */
export function ClearButton({ lease }: { readonly lease: Lease }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const [asked, setAsked] = useState(false);
  const { unit, project } = lease;
  const clear = async (): Promise<void> => {
    setAsked(false);
    try {
      await client.call("unit.clear", { project, unit });
      toasts.show({ tone: "rest", title: `${unit} is free`, detail: "by your word that its processes are dead" });
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
        <Dialog title={`Clear ${unit}?`} onClose={() => setAsked(false)}>
          <p>
            Its holder {lease.holder} is gone, and its processes are not proven dead. If one still lives, two will act
            on this unit at once. Look first, then give your word.
          </p>
          <div className="dialog-acts">
            <Button hotkey="Esc" onClick={() => setAsked(false)}>
              Keep it closed
            </Button>
            <Button look="danger-fill" onClick={() => void clear()}>
              They are dead: clear it
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
