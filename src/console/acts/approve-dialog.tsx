import { type ReactNode, type SubmitEvent, useEffect, useRef } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useAsked } from "../live/use-asked.ts";
import { toMany } from "../model/format.ts";
import { nothingChosen, unresolvedOf } from "../model/review-choice.ts";
import { toCommand } from "../model/run-acts.ts";
import { Button } from "../parts/button.tsx";
import { ChangeLine } from "../parts/change-line.tsx";
import { Command } from "../parts/command.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { goTo } from "../shell/address.ts";
import { toRunPage } from "../shell/link.tsx";
import "./approve-dialog.css";

const linesMax = 12;

/** Shows what would be approved before it is: an approval is for exactly what was shown. */
export function ApproveDialog(props: {
  readonly run: Run;
  readonly onClose: () => void;
  readonly onGo: (seen: string) => void;
}): ReactNode {
  const { run, onClose, onGo } = props;
  const { value: diff, trouble } = useAsked({
    subject: `approve ${run.id}`,
    // What is shown here stays as it is, even if the run moves on.
    stamp: 0,
    ask: (client, signal) => client.call("run.diff", { run: run.id }, { signal }),
  });
  const form = useRef<HTMLFormElement>(null);
  const isRead = diff !== null;
  useEffect(() => {
    // The dialog was open before there was anything to approve.
    if (isRead) form.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  }, [isRead]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (diff !== null && unresolved.length === 0) onGo(diff.seen);
  };
  const unresolved = unresolvedOf(nothingChosen, diff?.changes ?? []);
  const more = (diff?.changes.length ?? 0) - linesMax;
  return (
    <Dialog title={`Approve ${run.id}?`} onClose={onClose}>
      <p className="dialog-what">{run.title}</p>
      {trouble === null ? null : <p className="a-stop">{trouble}</p>}
      {diff === null ? (
        <p className="dim">{trouble === null ? "Reading what it has changed …" : "Nothing can be approved unseen."}</p>
      ) : (
        <>
          {unresolved.length === 0 ? null : (
            <p className="a-stop" role="alert">
              It cannot land yet: somebody else has changed the same place in {unresolved.slice(0, 4).join(", ")}
              {unresolved.length > 4 ? ` and ${unresolved.length - 4} more` : ""}. Send it back, or choose other files.
            </p>
          )}
          <p>
            {diff.changes.length === 0
              ? "It has changed nothing, and is done then."
              : `${toMany(diff.changes.length, "file")} land, if nothing has changed by then:`}
          </p>
          <ul className="approve-files">
            {diff.changes.slice(0, linesMax).map((change) => (
              <li key={change.path}>
                <ChangeLine change={change} />
              </li>
            ))}
            {more > 0 ? <li className="dim">and {more} more</li> : null}
          </ul>
        </>
      )}
      <form ref={form} onSubmit={submit}>
        {diff === null ? null : <Command text={toCommand("approve", run.id, diff.seen)} />}
        <div className="dialog-acts">
          <Button hotkey="Esc" onClick={onClose}>
            Not now
          </Button>
          <Button
            onClick={() => {
              onClose();
              goTo(toRunPage(run.id));
            }}
          >
            Look at it
          </Button>
          <Button submits first look="primary" disabled={diff === null || unresolved.length > 0} hotkey="↵">
            {`Approve ${run.id}`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
