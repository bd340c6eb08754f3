// What a person can do to a unit: hold it themselves, give back what somebody outside holds, ask a run for it, and what makes a run
// give it back.

import { type ReactNode, useState } from "react";
import type { Lease } from "../../protocol/wire/claim.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { toMany } from "../model/format.ts";
import { actsThatFree } from "../model/free-unit.ts";
import { type ActName, findAct } from "../model/run-acts.ts";
import { toShell } from "../model/shell-text.ts";
import type { UnitRow } from "../model/unit-tree.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { ownName } from "../shell/own-name.ts";

export type UnitAct = {
  readonly name: "hold" | "renew" | "release" | "ask" | ActName;
  readonly label: string;
  readonly key: string;
  readonly look?: "danger" | undefined;
  readonly go: () => void;
};

const holdMs = 3_600_000;

export function useUnitActs(nameOf: (project: string) => string): {
  readonly actsOf: (row: UnitRow) => UnitAct[];
  readonly dialog: ReactNode;
} {
  const { client, store } = useBox();
  const { toasts, request } = useActs();
  const isLive = useIsLive();
  const [releasing, setReleasing] = useState<UnitRow | null>(null);

  const hold = async ({ project, unit }: UnitRow): Promise<void> => {
    const as = ownName();
    const command = `signalbox claim -p ${toShell(nameOf(project))} --unit ${toShell(unit)} --as ${toShell(as)} --ttl 1h`;
    try {
      const { claim, state, behind } = await client.call("claim.make", { project, units: [unit], as, ttlMs: holdMs });
      const isHeld = state === "granted";
      toasts.did({
        tone: isHeld ? "go" : "rest",
        title: isHeld ? `You hold ${unit} for an hour` : `You wait for ${unit}`,
        detail: isHeld ? `as ${as}` : `as ${as}, behind ${[...new Set(behind.map(({ holder }) => holder))].join(", ")}`,
        command,
        undo: () =>
          void client
            .call(isHeld ? "claim.release" : "claim.cancel", { claim })
            .catch((error: unknown) => showRefusal(toasts, `give ${unit} back`, error)),
      });
    } catch (error) {
      showRefusal(toasts, `hold ${unit}`, error);
    }
  };
  const renew = async ({ claim, unit }: Lease): Promise<void> => {
    try {
      await client.call("claim.renew", { claim, ttlMs: holdMs });
      toasts.did({
        tone: "go",
        title: `${unit} is held for another hour`,
        command: `signalbox renew ${claim} --ttl 1h`,
      });
    } catch (error) {
      showRefusal(toasts, `renew ${unit}`, error);
    }
  };
  const ask = (row: UnitRow, lease: Lease): void => {
    const run = store.read().runs.get(lease.holder);
    const act = run === undefined ? undefined : findAct(run, "steer");
    if (run === undefined || act === undefined) return;
    const path = row.unit.slice(row.unit.indexOf(":") + 1);
    request(
      act,
      run,
      undefined,
      `Others wait for ${path}. Land what is done there, or give it back, as soon as you can.`,
    );
  };

  const actsOf = (row: UnitRow): UnitAct[] => {
    const { lease } = row;
    if (!isLive || row.unit === "") return [];
    const acts: UnitAct[] = [];
    const isOwn = lease?.kind === "outside" && lease.holder === ownName();
    const isFree = row.isRead && lease === null && row.by === null && row.heldBelow === 0;
    if (isOwn) acts.push({ name: "renew", label: "Renew", key: "H", go: () => void renew(lease) });
    else if (row.isRead || lease !== null || row.by !== null)
      acts.push({
        name: "hold",
        label: isFree ? "Hold for me" : "Wait for it",
        key: "H",
        go: () => void hold(row),
      });
    if (lease?.kind === "outside" && lease.state !== "quarantined")
      acts.push({ name: "release", label: "Release…", key: "X", look: "danger", go: () => setReleasing(row) });
    const holder = lease ?? row.by;
    const run = holder === null ? undefined : store.read().runs.get(holder.holder);
    if (holder === null || run === undefined) return acts;
    if (findAct(run, "steer") !== undefined)
      acts.push({ name: "ask", label: "Ask for it…", key: "Y", go: () => ask(row, holder) });
    for (const act of actsThatFree(run)) {
      const look = act.look === "danger" ? "danger" : undefined;
      acts.push({ name: act.name, label: act.label, key: act.key, look, go: () => request(act, run) });
    }
    return acts;
  };

  const lease = releasing?.lease ?? null;
  const release = async (held: Lease): Promise<void> => {
    setReleasing(null);
    const command = `signalbox release ${held.claim} --unit ${toShell(held.unit)}`;
    try {
      await client.call("claim.release", { claim: held.claim, units: [held.unit] });
      toasts.did({ tone: "rest", title: `${held.unit} is given back`, detail: `${held.holder} held it`, command });
    } catch (error) {
      showRefusal(toasts, `release ${held.unit}`, error);
    }
  };
  const dialog =
    releasing === null || lease === null ? null : (
      <ConfirmDialog
        title={`Release ${lease.unit}?`}
        what={`${lease.holder} holds it`}
        command={`signalbox release ${lease.claim} --unit ${toShell(lease.unit)}`}
        keep="Leave it held"
        go={`Take it from ${lease.holder}`}
        onClose={() => setReleasing(null)}
        onGo={() => void release(lease)}
      >
        <p>
          Whoever works under this name is not asked.{" "}
          {releasing.queue.length === 0
            ? "Nobody waits for it."
            : `${toMany(releasing.queue.length, "claim")} for it go on at once.`}
        </p>
      </ConfirmDialog>
    );
  return { actsOf, dialog };
}
