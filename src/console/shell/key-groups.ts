// What every key does, in words, by where it does it. What listens for a key anywhere has to be here: the sheet shows what is not, and
// a test goes through the pages and looks that nothing is.

import { keysOfAgentActs } from "../model/agent-acts.ts";
import { keysOfActs } from "../model/run-acts.ts";
import type { Place } from "./address.ts";

/** Keys as they are drawn, with a space between two; `1 – 5` are all from the one to the other. */
export type KeyRow = { readonly key: string; readonly label: string };
export type KeyGroup = {
  readonly title: string;
  readonly places: readonly Place[] | "all";
  readonly rows: readonly KeyRow[];
};

const moving: readonly KeyRow[] = [
  { key: "J K", label: "Next and previous, in every list" },
  { key: "Shift+K Shift+J", label: "The first and the last" },
  { key: "Home End", label: "The same" },
  { key: "↓ ↑", label: "In tables and cards: by row" },
  { key: "PgDn PgUp", label: "In tables: by page" },
  { key: "↵ O", label: "Open it; ↵ may open it beside" },
  { key: "Esc", label: "Close it, or clear what is typed" },
];
const anywhere: readonly KeyRow[] = [
  { key: "Ctrl+K", label: "Find anything, or say what to do" },
  { key: "/", label: "Find a run, tag, unit or agent" },
  { key: "U", label: "Undo the last act" },
  { key: "Z", label: "Look back, and back to now" },
  { key: ", .", label: "In the past: back and on" },
  { key: "Ctrl+↵", label: "Send what is written" },
  { key: "R", label: "Try again what was not read" },
  { key: "D", label: "Dark or light" },
  { key: "?", label: "This sheet" },
];
const board: readonly KeyRow[] = [
  { key: "N", label: "Next that needs you" },
  { key: "1 – 5", label: "Only one signal" },
  { key: "0", label: "All signals" },
  { key: "G", label: "Copy the command that shows it" },
  { key: "T", label: "Start the demo" },
];
const review: readonly KeyRow[] = [
  { key: "] [", label: "Next and previous file" },
  { key: "A", label: "Choose the hunk, or take it back" },
  { key: "F", label: "Choose the whole file" },
  { key: "C", label: "Say what is wrong with it" },
  { key: "L", label: "Approve what is chosen, or all" },
  { key: "B", label: "Send it back with a message" },
  { key: "X", label: "Reject it" },
  { key: ", .", label: "Previous and next step" },
  { key: "V", label: "Unified or side by side" },
  { key: "R", label: "Look again; write the answer" },
  { key: "W", label: "A terminal in its cage" },
];
const agents: readonly KeyRow[] = [
  ...keysOfAgentActs(),
  { key: "M", label: "In the list: make a new one" },
  { key: "N", label: "In the list: the first in error" },
  { key: "← →", label: "Among cards: the one beside" },
  { key: "L", label: "On its page: find in its logs" },
  { key: "W", label: "On its page: a terminal" },
  { key: "| -", label: "One more beside, one below" },
];

export const keyGroups: readonly KeyGroup[] = [
  { title: "Move", places: "all", rows: moving },
  { title: "Everywhere", places: "all", rows: anywhere },
  { title: "On the overview", places: ["overview"], rows: board },
  {
    title: "Act on the selected run",
    places: ["overview", "runs", "run", "inbox", "locks"],
    rows: keysOfActs(),
  },
  {
    title: "Among runs",
    places: ["runs"],
    rows: [
      { key: "Q", label: "Look at it beside the list" },
      { key: "N", label: "A new one" },
      { key: "T", label: "Where nothing has run yet: start the demo" },
    ],
  },
  { title: "On a run's page", places: ["run"], rows: review },
  {
    title: "On what needs you",
    places: ["overview", "inbox"],
    rows: [
      { key: "R", label: "Write the answer" },
      { key: "A", label: "Raise the limit of a budget" },
      { key: "C", label: "Clear a closed unit…" },
      { key: "Y", label: "I have seen it: off the list" },
    ],
  },
  { title: "Act on an agent", places: ["overview", "inbox", "agents", "agent"], rows: agents },
  {
    title: "On a unit, among the locks",
    places: ["locks", "overview"],
    rows: [
      { key: "← →", label: "Fold up, unfold" },
      { key: "H", label: "Hold it for me, wait for it, or renew" },
      { key: "Y", label: "Ask the run that holds it" },
      { key: "X", label: "Take it from a holder outside…" },
    ],
  },
  {
    title: "Among landings",
    places: ["landing"],
    rows: [
      { key: "1 2 3", label: "Of a conflict: keep theirs, keep ours, make one of both…" },
      { key: "R", label: "Of the trash: restore…" },
      { key: "E", label: "Of the trash: purge…" },
    ],
  },
  {
    title: "In the log",
    places: ["events"],
    rows: [
      { key: "F", label: "Follow: new ones are shown as they come" },
      { key: "W", label: "The world as it was after the event" },
    ],
  },
  {
    title: "In a terminal",
    places: ["run", "agent"],
    rows: [
      { key: "Shift+Esc", label: "Out of it: it takes every other key" },
      { key: "F2", label: "On its tab: another name" },
    ],
  },
  {
    title: "In a recording",
    places: ["run", "agent"],
    rows: [
      { key: "Space", label: "Play, stop" },
      { key: "← →", label: "Five seconds back and on" },
      { key: "Home End", label: "To its beginning, to its end" },
      { key: "< >", label: "Slower, faster" },
    ],
  },
  { title: "In the settings", places: ["settings", "section"], rows: [{ key: "N", label: "A new one" }] },
];

const drawn: Readonly<Record<string, string>> = {
  Enter: "↵",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  PageUp: "PgUp",
  PageDown: "PgDn",
  " ": "Space",
};

/** The single keys of a row. */
export function keysOf({ key }: KeyRow): readonly string[] {
  const [first = "", dash, last = ""] = key.split(" ");
  if (dash !== "–") return key.split(" ");
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => String(Number(first) + at));
}

export function groupsAt(place: Place): readonly KeyGroup[] {
  return keyGroups.filter(({ places }) => places === "all" || places.includes(place));
}

/** Of keys that do something at a place those that no group there speaks of. */
export function unnamedKeys(place: Place, keys: Iterable<string>): readonly string[] {
  const named = new Set(groupsAt(place).flatMap(({ rows }) => rows.flatMap(keysOf)));
  return [...keys].map((key) => drawn[key] ?? key).filter((key) => !named.has(key));
}
