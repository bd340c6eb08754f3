import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import type { Run } from "../../../protocol/wire/run.ts";
import { useActs } from "../../acts/act-context.tsx";
import { showRefusal } from "../../acts/perform.ts";
import { useBox, useIsLive } from "../../live/live-context.tsx";
import { useAsked } from "../../live/use-asked.ts";
import { toShell } from "../../model/shell-text.ts";
import { isOver } from "../../model/signals.ts";
import { Button } from "../../parts/button.tsx";
import { Command } from "../../parts/command.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { goTo } from "../../shell/address.ts";
import { toRunPage } from "../../shell/link.tsx";

/** From a step one can begin again: in another run, or in the same one. */
export function StepActs(props: { readonly run: Run; readonly step: number; readonly fork?: string }): ReactNode {
  const { run, step, fork = "Fork from here…" } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const [asked, setAsked] = useState<"fork" | "rewind" | null>(null);
  const rewind = (): void => {
    setAsked(null);
    client
      .call("run.rewind", { run: run.id, step })
      .then(() =>
        toasts.did({
          tone: "go",
          title: `${run.id} goes back to step ${step}`,
          command: `signalbox rewind ${run.id} --step ${step}`,
        }),
      )
      .catch((error: unknown) => showRefusal(toasts, `rewind ${run.id}`, error));
  };
  return (
    <div className="acts">
      <Button size="small" disabled={!isLive} onClick={() => setAsked("fork")}>
        {fork}
      </Button>
      {isOver(run.state) ? null : (
        <Button size="small" disabled={!isLive} onClick={() => setAsked("rewind")}>
          Rewind to here…
        </Button>
      )}
      {asked === "fork" ? <ForkDialog run={run} step={step} onClose={() => setAsked(null)} /> : null}
      {asked === "rewind" ? (
        <ConfirmDialog
          title={`Take ${run.id} back to step ${step}?`}
          what={run.title}
          command={`signalbox rewind ${run.id} --step ${step}`}
          keep="Leave it"
          go={`Back to step ${step}`}
          onClose={() => setAsked(null)}
          onGo={rewind}
        >
          <p>Its workspace becomes what it was after that step. What it wrote since is in the trash.</p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

/** A new run of the same task, in a workspace that begins as the step left it. */
function ForkDialog(props: { readonly run: Run; readonly step: number; readonly onClose: () => void }): ReactNode {
  const { run, step, onClose } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  const [message, setMessage] = useState("");
  const [runner, setRunner] = useState("");
  const { value: runners } = useAsked({
    subject: "runners to choose from",
    stamp: 0,
    ask: async (asked, signal) => (await asked.call("runner.list", {}, { signal })).runners,
  });
  const id = useId();
  const more = {
    ...(runner.trim() === "" ? {} : { runner: runner.trim() }),
    ...(message.trim() === "" ? {} : { message: message.trim() }),
  };
  const command = [
    `signalbox fork ${run.id} --step ${step}`,
    ...(more.runner === undefined ? [] : [`--runner ${toShell(more.runner)}`]),
    ...(more.message === undefined ? [] : [`-m ${toShell(more.message)}`]),
  ].join(" ");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onClose();
    client
      .call("run.fork", { run: run.id, step, ...more })
      .then(({ run: made }) => {
        toasts.did({ tone: "go", title: `${run.id} is forked, as ${made}`, detail: run.title, command });
        goTo(toRunPage(made));
      })
      .catch((error: unknown) => showRefusal(toasts, `fork ${run.id}`, error));
  };
  return (
    <Dialog title={`Fork ${run.id} from step ${step}`} onClose={onClose}>
      <p className="dialog-what">{run.title}</p>
      <p>A new run of the same task begins with the files as that step left them. This one goes on by itself.</p>
      <form className="form fork-form" onSubmit={submit}>
        <label className="field">
          <span>What it should do otherwise</span>
          <textarea
            data-first
            rows={3}
            value={message}
            maxLength={4000}
            onChange={({ target }) => setMessage(target.value)}
          />
        </label>
        <label className="field">
          <span>Another runner; left empty: {run.runner}</span>
          <input
            list={id}
            value={runner}
            maxLength={100}
            spellCheck={false}
            onChange={({ target }) => setRunner(target.value)}
          />
          <datalist id={id}>
            {runners?.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
        <Command text={command} />
        <div className="dialog-acts">
          <Button hotkey="Esc" onClick={onClose}>
            Not now
          </Button>
          <Button submits look="primary">
            Fork it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
