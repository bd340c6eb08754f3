import type { DoorAnswer } from "../../ports/runner.ts";

/** What a model is told to do next, for each no that has a way out. The tool that asks people has not the same name everywhere. */
const ways: Readonly<Record<string, string>> = {
  "no-file": "Look for the name with list_files or search_files.",
  "not-read": "Call read_file for it first (in a conflict with side theirs); then decide again.",
  "read-only": "Leave it as it is, and say in finish what should be changed there.",
  "is-link":
    "Call it again with the name that it leads to. For a file in the place of the link, call delete for the link first.",
  "no-match": "Call read_file and copy the text exactly, with enough lines around it that it occurs once.",
  changed: "Call read_file for the text and hash that are there now, then decide again.",
  "in-the-way": "Delete what is there first, or choose another name.",
  "no-conflict": "Go on, or call finish.",
  "too-large": "Do it with run_command.",
  "policy-denied": "Do it another way, or ask a person.",
  "outside-scope": "Leave it as it is. If the work needs it, ask a person, or say so in finish.",
  "outside-lease": "Call claim for that unit first.",
  deadlock: "Call release for a unit that you can do without, or finish what is done.",
  "stale-fence": "Somebody else has it now. Call claim for it again; it is brought in step then.",
  "not-held": "Call locks to see who holds what.",
  unheard:
    "Nothing was finished. Do what they ask for, if they ask for anything, and call finish again; what you were not told yet comes with the next answer.",
  dirty: "Call release with set_aside true if those changes may go to the trash.",
  "timed-out": "Give it more time with timeout_s, or run it in the background.",
  "exit-unknown": "Look at what it left before you do it again.",
  "workspace-unavailable":
    "Look at what is there before you do it again; where the disk is full, take away what you do not need.",
  "store-unavailable":
    "Look at what is there before you do it again; where the disk is full, take away what you do not need.",
  "no-process": "Use run_process with one of those names, or run_command.",
  "no-command": "Start it with run_command and a name in background.",
  "not-running": "Call read_output to see how it ended.",
  "already-there": "Call stop_command first, or use another name.",
  cancelled: "Nothing was done. Call it again if you still want it.",
  "bad-unit": "Units are file:PATH, dir:PATH and process:NAME; paths are relative to the project.",
};

/** More than this is no answer but a flood. */
const answerCharsMax = 100_000;

/** An answer of the door as a model reads it. */
export function toText(answer: DoorAnswer): string {
  const text = toWhole(answer);
  if (text.length <= answerCharsMax) return text;
  return `${text.slice(0, answerCharsMax)}\n\n[… ${text.length - answerCharsMax} characters left out; ask for less …]`;
}

function toWhole(answer: DoorAnswer): string {
  if (answer.ok) {
    const exit = answer.exit === null ? "" : `exit ${answer.exit}`;
    const head = [exit, answer.note ?? ""].filter((each) => each !== "").join("; ");
    return [head, answer.text].filter((each) => each !== "").join("\n\n") || "done";
  }
  const { code, message, text } = answer;
  const said = text === undefined || text === "" ? [] : [text];
  return [`${code}: ${message}`, ...said, ...(ways[code] === undefined ? [] : [ways[code]])].join("\n\n");
}
