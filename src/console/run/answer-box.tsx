import { type KeyboardEvent, type ReactNode, type SubmitEvent, useId, useState } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useActs } from "../acts/act-context.tsx";
import { useIsLive } from "../live/live-context.tsx";
import { findAct } from "../model/run-acts.ts";
import { Button } from "../parts/button.tsx";
import { Key } from "../parts/key.tsx";
import "./answer-box.css";

/**
 * Answers a question in place. Enter sends; Shift and Enter make a new line. Words are for the question that was there when they were
 * begun: where another one has come meanwhile, the daemon refuses them, and whoever sends them once more means that one.
 */
export function AnswerBox({ run, primary }: { readonly run: Run; readonly primary: boolean }): ReactNode {
  const { say } = useActs();
  const isLive = useIsLive();
  const id = useId();
  const [text, setText] = useState("");
  const [meant, setMeant] = useState(run);
  const [busy, setBusy] = useState(false);
  const act = findAct(run, "answer");
  const ready = isLive && !busy && text.trim() !== "" && act !== undefined;
  const send = async (): Promise<void> => {
    if (!ready) return;
    setBusy(true);
    const worked = await say(act, meant, text.trim());
    setBusy(false);
    if (worked) setText("");
    else setMeant(run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void send();
  };
  return (
    <form className="answer" onSubmit={onSubmit}>
      <label className="sr" htmlFor={id}>
        Answer to {run.id}
      </label>
      <Key>R</Key>
      <textarea
        id={id}
        rows={1}
        value={text}
        maxLength={4000}
        placeholder="Your answer"
        data-answer={run.id}
        aria-keyshortcuts="R"
        onChange={(event) => {
          if (text === "") setMeant(run);
          setText(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <Button submits size="small" look={primary ? "primary" : "plain"} hotkey="↵" disabled={!ready}>
        Answer
      </Button>
    </form>
  );
}
