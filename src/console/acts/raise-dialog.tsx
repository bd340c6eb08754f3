import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { parseDollars } from "../../protocol/dollars.ts";
import {
  type HeldBy,
  heldBy,
  limitIn,
  modelWithoutPrice,
  nextLimit,
  type OwnLimit,
  ownLimit,
  showLimit,
} from "../../protocol/held-by.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { useBox } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { toLabel } from "../model/form-fields.ts";
import { toPlainDollars } from "../model/told-commands.ts";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Link } from "../shell/link.tsx";
import { useActs } from "./act-context.tsx";
import { showRefusal } from "./perform.ts";
import { changeLimit } from "./policy-limit.ts";

type Held = { readonly run: Run; readonly held: HeldBy; readonly onClose: () => void };

/** Says which limit keeps a run from its model, what it is and what it would be, and raises it. */
export function RaiseDialog({ run, onClose }: { readonly run: Run; readonly onClose: () => void }): ReactNode {
  const { modelRefused } = run;
  const held = modelRefused === null ? null : heldBy(modelRefused);
  if (held?.of === "policy") return <RaisePolicy run={run} held={held} onClose={onClose} />;
  const own = held === null ? null : ownLimit(held, run);
  if (held !== null && own !== null) return <RaiseRun run={run} held={held} own={own} onClose={onClose} />;
  const model = modelRefused === null ? null : modelWithoutPrice(modelRefused);
  return (
    <Dialog title={model === null ? `Nothing holds ${run.id} any more` : `${model} has no price`} onClose={onClose}>
      <p className="dialog-what">{run.title}</p>
      {model === null ? null : (
        <>
          <p>Where a budget applies, only a model with a price can be asked. No limit has to be raised for it.</p>
          <div>
            <Link to={{ place: "section", id: "runners", item: run.runner }} className="btn plain" onGo={onClose}>
              Set it on the page of {run.runner}
            </Link>
          </div>
          <Command text={`signalbox price set ${model} --input DOLLARS --output DOLLARS`} />
        </>
      )}
      <div className="dialog-acts">
        <Button hotkey="Esc" first onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

/** A run has a limit of its own from its profile, which only rises: there is no way back to offer. */
function RaiseRun({ run, held, own, onClose }: Held & { readonly own: OwnLimit }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const { limit: rule, value: before } = own;
  const raise = (limit: number, command: string): void => {
    const detail = `It was ${showLimit(held, before)}. Profile ${held.name} stays as it is.`;
    const title = `${run.id}: ${toLabel(rule)} is ${showLimit(held, limit)}`;
    client
      .call("run.raise", { run: run.id, limit: rule, to: limit })
      .then(() => toasts.did({ tone: "go", about: run.id, title, detail, command }))
      .catch((error: unknown) => showRefusal(toasts, `raise the limit of ${run.id}`, error));
  };
  return (
    <RaiseForm run={run} held={held} before={before} onRaise={raise} onClose={onClose}>
      <p>
        <b>Profile {held.name}</b> gave it its limit: {toLabel(rule).toLowerCase()} is {showLimit(held, before)}. It is
        raised for {run.id} alone, at once, and cannot be lowered again. The profile stays as it is for runs to come.
      </p>
      <div>
        <Link to={{ place: "section", id: "profiles", item: held.name }} className="btn plain" onGo={onClose}>
          Open profile {held.name}
        </Link>
      </div>
    </RaiseForm>
  );
}

function RaisePolicy({ run, held, onClose }: Held): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const { value: said, trouble } = useAsked({
    subject: `raise policy ${held.name}`,
    stamp: 0,
    ask: async (asked, signal) => (await asked.call("policy.get", { name: held.name }, { signal })).policy,
  });
  const before = said === null ? null : limitIn(held, said);
  const what = `policy ${held.name}`;
  const raise = (limit: number, command: string): void => {
    if (before === null) return;
    // What is shown may be some minutes old.
    changeLimit(client, held, { from: before, to: limit })
      .then(() =>
        toasts.did({
          tone: "go",
          about: `${what} ${held.rule}`,
          title: `${what}: ${toLabel(held.rule)} is ${showLimit(held, limit)}`,
          detail: `It was ${showLimit(held, before)}. ${atOnce}`,
          command,
          undo: () =>
            void changeLimit(client, held, { from: limit, to: before }).catch((error: unknown) =>
              showRefusal(toasts, `undo for ${what}`, error),
            ),
        }),
      )
      .catch((error: unknown) => showRefusal(toasts, `raise the limit of ${what}`, error));
  };
  return (
    <RaiseForm run={run} held={held} before={before} onRaise={raise} onClose={onClose}>
      {trouble === null ? null : (
        <p className="a-stop" role="alert">
          {trouble}
        </p>
      )}
      {said === null ? (
        <p className="dim">{trouble === null ? "Reading what the limit is …" : "Nothing can be raised unseen."}</p>
      ) : before === null ? (
        <p>Policy {held.name} has no such limit any more: its next request is let through.</p>
      ) : (
        <p>
          <b>Policy {held.name}</b> holds it: {toLabel(held.rule).toLowerCase()} is {showLimit(held, before)}. {atOnce}
        </p>
      )}
    </RaiseForm>
  );
}

const atOnce = "A new limit counts at once, for every run that it speaks of.";

/** Asks for the new limit, beside what is said of the one that there is. */
function RaiseForm(
  props: Held & {
    /** Null until it is known, and where there is none. */
    readonly before: number | null;
    readonly onRaise: (limit: number, command: string) => void;
    readonly children: ReactNode;
  },
): ReactNode {
  const { run, held, before, onRaise, onClose, children } = props;
  const [written, setWritten] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const isRead = before !== null;
  useEffect(() => {
    // The dialog may be open before it is known what the limit is.
    if (isRead) form.current?.querySelector<HTMLInputElement>("[data-first]")?.select();
  }, [isRead]);
  const isTurns = held.rule === "maxTurns";
  const text = written ?? (before === null ? "" : toWritten(held, nextLimit(held, before)));
  const limit = isTurns ? (/^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : undefined) : parseDollars(text);
  const isReady = before !== null && limit !== undefined && limit > before;
  const command = `signalbox raise ${run.id}${limit === undefined ? "" : ` --to ${toWritten(held, limit)}`}`;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    onClose();
    onRaise(limit, command);
  };
  return (
    <Dialog title={`Raise what ${run.id} may spend`} onClose={onClose}>
      <p className="dialog-what">{run.title}</p>
      {children}
      <form ref={form} onSubmit={submit}>
        {before === null ? null : (
          <label className="field">
            <span>{isTurns ? "New limit, in turns" : "New limit, in dollars"}</span>
            <input
              data-first
              value={text}
              inputMode="decimal"
              autoComplete="off"
              onChange={({ target }) => setWritten(target.value)}
            />
          </label>
        )}
        <Command text={command} />
        <div className="dialog-acts">
          <Button hotkey="Esc" onClick={onClose}>
            Not now
          </Button>
          <Button submits look="primary" disabled={!isReady} hotkey="↵">
            {isReady ? `Raise ${showLimit(held, before)} to ${showLimit(held, limit)}` : "Raise it"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function toWritten({ rule }: HeldBy, limit: number): string {
  return rule === "maxTurns" ? String(limit) : toPlainDollars(limit);
}
