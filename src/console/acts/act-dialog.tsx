import { type ReactNode, type SubmitEvent, useState } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { toMany } from "../model/format.ts";
import { type ActName, type RunAct, toCommand } from "../model/run-acts.ts";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { sendKey } from "../parts/key.tsx";

/** Names the thing and says what will be so; its button says what it does. */
export function ActDialog(props: {
  readonly act: RunAct;
  readonly run: Run;
  /** What is written in it already. */
  readonly draft?: string | undefined;
  readonly onClose: () => void;
  readonly onGo: (text: string) => void;
}): ReactNode {
  const { act, run, draft = "", onClose, onGo } = props;
  const [text, setText] = useState(draft);
  const words = wordsOf(act.name, run);
  const wantsText = act.asks === "text";
  const ready = !wantsText || text.trim() !== "";
  const submit = (event?: SubmitEvent): void => {
    event?.preventDefault();
    if (ready) onGo(text.trim());
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p className="dialog-what">{run.title}</p>
      <p>{words.result}</p>
      <form onSubmit={submit}>
        {wantsText ? (
          <label className="field">
            <span>{words.label}</span>
            <textarea
              data-first
              rows={3}
              value={text}
              maxLength={4000}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit();
              }}
            />
          </label>
        ) : null}
        <Command text={toCommand(act.name, run.id, text.trim())} />
        <div className="dialog-acts">
          <Button onClick={onClose} hotkey="Esc">
            {words.keep}
          </Button>
          <GoButton act={act} ready={ready} label={words.go} wantsText={wantsText} />
        </div>
      </form>
    </Dialog>
  );
}

function GoButton(props: {
  readonly act: RunAct;
  readonly ready: boolean;
  readonly label: string;
  readonly wantsText: boolean;
}): ReactNode {
  const look = props.act.look === "danger" ? "danger-fill" : "primary";
  return (
    <Button
      submits
      first={!props.wantsText}
      look={look}
      disabled={!props.ready}
      hotkey={props.wantsText ? sendKey : "↵"}
    >
      {props.label}
    </Button>
  );
}

type Words = {
  readonly title: string;
  readonly result: string;
  readonly label: string;
  readonly keep: string;
  readonly go: string;
};

function wordsOf(name: ActName, run: Run): Words {
  const { id } = run;
  const held = run.holds.length === 0 ? "It holds nothing." : `It gives back ${toMany(run.holds.length, "unit")}.`;
  switch (name) {
    case "stop":
      return {
        title: `Stop ${id}?`,
        result: `It ends as terminated and cannot go on. ${held} What it wrote is kept.`,
        label: "",
        keep: "Keep it running",
        go: `Stop ${id}`,
      };
    case "remove":
      return {
        title: `Remove ${id}?`,
        result: "It goes off the lists for good. The log keeps what happened.",
        label: "",
        keep: "Keep it",
        go: `Remove ${id}`,
      };
    case "reject":
      return {
        title: `Reject ${id}?`,
        result: `Its result is refused and it ends. ${held} What it wrote is kept.`,
        label: "Why, for the record",
        keep: "Not now",
        go: `Reject ${id}`,
      };
    case "return":
      return {
        title: `Send ${id} back`,
        result: "It goes back to work with your message and keeps what it holds.",
        label: "What is missing",
        keep: "Not now",
        go: `Send ${id} back`,
      };
    case "continue":
      return {
        title: `Continue ${id}`,
        result: "It is taken up again with your message.",
        label: "What else is wanted",
        keep: "Not now",
        go: `Continue ${id}`,
      };
    case "steer":
      return {
        title: `Steer ${id}`,
        result: "It hears your message at its next step and goes on with its work.",
        label: "What it should know",
        keep: "Not now",
        go: `Tell ${id}`,
      };
    case "interrupt":
      return {
        title: `Interrupt ${id}`,
        result: "It leaves what it is doing and hears your message at once. What it wrote stays.",
        label: "What it should do instead",
        keep: "Not now",
        go: `Interrupt ${id}`,
      };
    default:
      return {
        title: `Answer ${id}`,
        result: run.question?.text ?? "",
        label: "Your answer",
        keep: "Not now",
        go: `Answer ${id}`,
      };
  }
}
