import type { ReactNode } from "react";
import type { Lease } from "../../../protocol/wire/claim.ts";
import { useActs } from "../../acts/act-context.tsx";
import { ClearDialog } from "../../acts/clear-dialog.tsx";
import { useIsLive } from "../../live/live-context.tsx";
import { Button } from "../../parts/button.tsx";

/** Opens a unit that is kept closed, after asking. */
export function ClearButton({ lease }: { readonly lease: Lease }): ReactNode {
  const { open } = useActs();
  const isLive = useIsLive();
  const { unit, project, holder } = lease;
  const why = `Its holder ${holder} is gone, and its processes are not proven dead.`;
  return (
    <Button
      size="small"
      look="danger"
      disabled={!isLive}
      title="Closed: its holder is gone"
      onClick={() => open((onClose) => <ClearDialog unit={unit} project={project} why={why} onClose={onClose} />)}
    >
      Closed…
    </Button>
  );
}
