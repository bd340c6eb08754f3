import { type ReactNode, useSyncExternalStore } from "react";
import { keysOfAgentActs } from "../model/agent-acts.ts";
import { keysOfActs } from "../model/run-acts.ts";
import { signals } from "../model/signals.ts";
import { Icon } from "../parts/icon.tsx";
import { reviewKeys } from "../review/changes/use-review-keys.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useKeys, useLetters } from "./keys.ts";
import { toggleTheme } from "./theme.ts";
import "./key-sheet.css";

let isOpen = false;
const listeners = new Set<() => void>();

export function openKeySheet(): void {
  setOpen(true);
}

const moving = [
  { key: "J K", label: "Next and previous run or agent" },
  { key: "↵", label: "Open the selected run" },
  { key: "O", label: "Open its page" },
  { key: "N", label: "On the list of runs: a new one" },
  { key: "Q", label: "Look at it beside the list of runs" },
  { key: "Esc", label: "Close it, or clear what is typed" },
  { key: "N", label: "Next that needs you" },
  { key: "1 – 5", label: "Only one signal; 0 shows all" },
  { key: "/", label: "Find a run, tag, unit or agent" },
];
const agentKeys = [
  ...keysOfAgentActs(),
  { key: "M", label: "Make a new one" },
  { key: "L", label: "On its page: look for something in its logs" },
  { key: "W", label: "On its page: your terminal in it, and one more" },
  { key: "| -", label: "Among its terminals: one beside, one below" },
];
const runPageKeys = [...reviewKeys, { key: "W", label: "A terminal in its cage" }];
const inboxKeys = [
  { key: "J K", label: "Next and previous" },
  { key: "O", label: "Open what it is about" },
  { key: "Y", label: "I have seen it: off the list" },
  { key: "A", label: "Raise the limit that a budget has" },
  { key: "C", label: "Clear a closed unit…" },
];
const eventKeys = [
  { key: "J K", label: "Next and previous event, with what it says" },
  { key: "F", label: "Follow: new ones are shown as they come" },
  { key: "W", label: "The world as it was after the event" },
];
const playerKeys = [
  { key: "Space", label: "Play, stop" },
  { key: "← →", label: "Five seconds back and on" },
  { key: "< >", label: "Slower, faster" },
];
const unitKeys = [
  { key: "← →", label: "Fold up, unfold" },
  { key: "H", label: "Hold it for me, wait for it, or renew" },
  { key: "Y", label: "Ask the run that holds it" },
  { key: "X", label: "Take it from a holder outside…" },
];
const conflictKeys = [
  { key: "J K", label: "Next and previous, with all of its sides" },
  { key: "1 2 3", label: "Keep theirs, keep ours, make one of both…" },
];
const page = [
  { key: "G", label: "Copy the command that shows the selected run" },
  { key: "Ctrl+K", label: "Find anything, or say what to do" },
  { key: "U", label: "Undo the last act" },
  { key: "Z", label: "Look back, and back to now" },
  { key: ", .", label: "In the past: the event before, and after" },
  { key: "D", label: "Dark or light" },
  { key: "?", label: "This sheet" },
];

/** Every key, and the switch that turns the letters off. */
export function KeySheet(): ReactNode {
  const open = useSyncExternalStore(subscribe, () => isOpen);
  useKeys({ "?": openKeySheet, D: toggleTheme });
  if (!open) return null;
  return (
    <Dialog title="Keys and signals" wide onClose={() => setOpen(false)}>
      <div className="key-sheet">
        <KeyList title="Move" keys={moving} />
        <KeyList title="Act on the selected run" keys={keysOfActs()} />
        <KeyList title="On a run's page" keys={runPageKeys} />
        <KeyList title="In the inbox" keys={inboxKeys} />
        <KeyList title="Act on an agent" keys={agentKeys} />
        <KeyList title="In the log" keys={eventKeys} />
        <KeyList title="In a recording" keys={playerKeys} />
        <KeyList title="On a unit, among the locks" keys={unitKeys} />
        <KeyList title="On a conflict, among the landings" keys={conflictKeys} />
        <KeyList title="Page" keys={page} />
      </div>
      <section className="signal-list">
        <h3>What the signals mean</h3>
        <dl>
          {Object.values(signals).map(({ word, means, icon, tone }) => (
            <div key={word}>
              <dt className={`a-${tone}`}>
                <Icon name={icon} /> {word}
              </dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
      </section>
      <LetterSwitch />
    </Dialog>
  );
}

function KeyList(props: {
  readonly title: string;
  readonly keys: readonly { readonly key: string; readonly label: string }[];
}): ReactNode {
  return (
    <section>
      <h3>{props.title}</h3>
      <dl>
        {props.keys.map(({ key, label }) => (
          <div key={key}>
            <dt>{key.split(" ").map((each) => (each === "–" ? " – " : <kbd key={each}>{each}</kbd>))}</dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function LetterSwitch(): ReactNode {
  const [on, setOn] = useLetters();
  return (
    <label className="key-switch">
      <input type="checkbox" checked={on} onChange={(event) => setOn(event.target.checked)} />
      <span>
        Single letters act. Switch this off if you speak to your computer, or if keys are pressed by accident.
      </span>
    </label>
  );
}

function setOpen(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
