import type { ReactNode } from "react";
import { useBox } from "../live/live-context.tsx";
import { toShell } from "../model/shell-text.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { useActs } from "./act-context.tsx";
import { showRefusal } from "./perform.ts";

/** A unit whose holder is gone while its processes may live. Only proof, or a person's word, opens it. */
export function ClearDialog(props: {
  readonly unit: string;
  /** Its name or its id. */
  readonly project: string;
  /** Why it is closed. */
  readonly why: string;
  readonly onClose: () => void;
}): ReactNode {
  const { unit, project, why, onClose } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  const command = `signalbox clear ${toShell(unit)} --project ${toShell(project)}`;
  const clear = async (): Promise<void> => {
    onClose();
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
    <ConfirmDialog
      isGrave
      title={`Clear ${unit}?`}
      command={command}
      keep="Keep it closed"
      go="They are dead: clear it"
      onClose={onClose}
      onGo={() => void clear()}
    >
      <p>{why} If one still lives, two will act on this unit at once. Look first, then give your word.</p>
    </ConfirmDialog>
  );
}
