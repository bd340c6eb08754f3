import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import type { Client } from "../../client/client.ts";
import { parseDollars } from "../../protocol/dollars.ts";
import {
  type HeldBy,
  heldBy,
  limitIn,
  modelWithoutPrice,
  nextLimit,
  showLimit,
  withLimit,
} from "../../protocol/held-by.ts";
import type { Policy } from "../../protocol/wire/policy.ts";
import type { Profile } from "../../protocol/wire/profile.ts";
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

/** Says which limit keeps a run from its model, what it is and what it would be, and raises it. */
export function RaiseDialog({ run, onClose }: { readonly run: Run; readonly onClose: () => void }): ReactNode {
  const { modelRefused } = run;
  const held = modelRefused === null ? null : heldBy(modelRefused);
  if (held !== null) return <RaiseLimit run={run} held={held} onClose={onClose} />;
  const model = modelRefused === null ? null : modelWithoutPrice(modelRefused);
  return (
    <Dialog title={model === null ? `Nothing holds ${run.id} any more` : `${model} has no price`} onClose={onClose}>
      <p className="dialog-what">{run.title}</p>
      {model === null ? null : (
        <>
          <p>Where a budget applies, only a model with a price can be asked. No limit has to be raised for it.</p>
          <Link to={{ place: "section", id: "runners", item: run.runner }}>Set it on the page of {run.runner}</Link>
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

function RaiseLimit(props: { readonly run: Run; readonly held: HeldBy; readonly onClose: () => void }): ReactNode {
  const { run, held, onClose } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  const { value: said, trouble } = useAsked({
    subject: `raise ${held.of} ${held.name}`,
    stamp: 0,
    ask: (asked, signal) => readSaid(asked, held, signal),
  });
  const [written, setWritten] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const before = said === null ? null : limitIn(held, said);
  const isRead = before !== null;
  useEffect(() => {
    // The dialog was open before it was known what the limit is.
    if (isRead) form.current?.querySelector<HTMLInputElement>("[data-first]")?.select();
  }, [isRead]);
  const isTurns = held.rule === "maxTurns";
  const text = written ?? (before === null ? "" : toWritten(held, nextLimit(held, before)));
  const limit = isTurns ? (/^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : undefined) : parseDollars(text);
  const isReady = said !== null && before !== null && limit !== undefined && limit > before;
  const command = `signalbox raise ${run.id}${limit === undefined ? "" : ` --to ${toWritten(held, limit)}`}`;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    onClose();
    const what = `${held.of} ${held.name}`;
    setSaid(client, withLimit(held, said, limit))
      .then(() =>
        toasts.did({
          tone: "go",
          about: `${what} ${held.rule}`,
          title: `${what}: ${toLabel(held.rule)} is ${showLimit(held, limit)}`,
          detail: `It was ${showLimit(held, before)}. ${afterwards(held, run)}`,
          command,
          undo: () =>
            void setSaid(client, said).catch((error: unknown) => showRefusal(toasts, `undo for ${what}`, error)),
        }),
      )
      .catch((error: unknown) => showRefusal(toasts, `raise the limit of ${what}`, error));
  };
  return (
    <Dialog title={`Raise what ${run.id} may spend`} onClose={onClose}>
      <p className="dialog-what">{run.title}</p>
      {trouble === null ? null : (
        <p className="a-stop" role="alert">
          {trouble}
        </p>
      )}
      {said === null ? (
        <p className="dim">{trouble === null ? "Reading what the limit is …" : "Nothing can be raised unseen."}</p>
      ) : before === null ? (
        <p>
          {held.of === "policy" ? "Policy" : "Profile"} {held.name} has no such limit any more: its next request is let
          through.
        </p>
      ) : (
        <p>
          <b>
            {held.of === "policy" ? "Policy" : "Profile"} {held.name}
          </b>{" "}
          holds it: {toLabel(held.rule).toLowerCase()} is {showLimit(held, before)}. {afterwards(held, run)}
        </p>
      )}
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

/** Whom it helps: a run keeps what its profile said when it was submitted. */
function afterwards({ of }: HeldBy, { id }: Run): string {
  return of === "policy"
    ? "A new limit counts at once, for every run that it speaks of."
    : `A new limit counts for runs to come. ${id} keeps what it was submitted with: stop it and try it again to have the new one.`;
}

function toWritten({ rule }: HeldBy, limit: number): string {
  return rule === "maxTurns" ? String(limit) : toPlainDollars(limit);
}

async function readSaid(client: Client, { of, name }: HeldBy, signal: AbortSignal): Promise<Policy | Profile> {
  if (of === "policy") return (await client.call("policy.get", { name }, { signal })).policy;
  return (await client.call("profile.get", { name }, { signal })).profile;
}

function setSaid(client: Client, said: Policy | Profile): Promise<unknown> {
  return "rules" in said ? client.call("policy.set", said) : client.call("profile.set", said);
}
