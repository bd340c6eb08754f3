// What the scripted model wants done. The same work with the door's tools and with Claude's own: each in the way in which
// models use these, with as few calls as they allow.

import path from "node:path";
import { stringify } from "yaml";

/** With whose tools: the door's, its own in a run, its own without us. */
export const allHands = ["door", "native", "alone"] as const;
export type Hands = (typeof allHands)[number];
export const kinds = ["read", "write", "command"] as const;
export type Kind = (typeof kinds)[number];
type Turn = {
  readonly call?: { readonly tool: string; readonly with: object };
  readonly say?: string;
  readonly hold?: string;
};

/** How many calls of one kind follow each other. */
export const callsInRow = 10;
export const taskNames = ["oldName", "newName"] as const;
const taskFiles = ["one.txt", "two.txt", "three.txt"];
const kilobyte = "kilobyte.txt";

/** What the model knows a piece of work by. */
export function taskMarker(hands: Hands, from: string): string {
  return `(a task with ${hands}, from ${from})`;
}

export function callsMarker(hands: Hands, kind: Kind): string {
  return `(${kind} again and again with ${hands})`;
}

/** How many questions follow each other. */
export const questionsInRow = 5;
export const questionsMarker = "(questions, one after the other)";

/** A tree that is at work until somebody stops it: a program, somebody who works within it, and a second program. */
export type TreeHands = Exclude<Hands, "native">;
export function treeMarker(hands: TreeHands, part: "within" | "second" | number): string {
  return `(${typeof part === "number" ? `tree ${part}` : `the ${part} of a tree`} with ${hands})`;
}
/** More than anybody stops. How far each came before it was stopped is nobody's business, so each is another one. */
const treesMax = 100;
/** What both of them run, known by its argument. Claude's own tool would not let it sleep. */
export const waitingOf: Readonly<Record<TreeHands, readonly string[]>> = {
  door: ["tail", "-s", "86397", "-f", "/dev/null"],
  alone: ["tail", "-s", "86398", "-f", "/dev/null"],
};

/** What is there before the first task, and, by the name that it ends with, after each. */
export function filesOf(hands: Hands, name: string = taskNames[0]): Record<string, string> {
  const texts = taskFiles.map((file) => [`${hands}/${file}`, `before\nexport ${name}\nafter\n`]);
  return { ...(Object.fromEntries(texts) as Record<string, string>), [kilobyte]: `${"x".repeat(1023)}\n` };
}

/** Everything that it says, to programs that find their files there. */
export function makeScenario(rootOf: (hands: Hands) => string): string {
  const conversation = (name: string, turns: readonly Turn[]): object => ({
    name,
    match: { marker: name },
    repeat: true,
    turns,
  });
  const ofTree = (hands: TreeHands): object[] => [
    ...Array.from({ length: treesMax }, (_, at) => conversation(treeMarker(hands, at), treeTurns(hands))),
    ...(["within", "second"] as const).map((part) => conversation(treeMarker(hands, part), [waitingTurn(hands)])),
  ];
  return stringify({
    conversations: [
      conversation(questionsMarker, questionTurns()),
      ...trees.flatMap(ofTree),
      ...allHands.flatMap((hands) => [
        ...[taskNames, taskNames.toReversed()].map(([from = "", to = ""]) =>
          conversation(taskMarker(hands, from), taskTurns(rootOf(hands), hands, from, to)),
        ),
        ...kinds.map((kind) => conversation(callsMarker(hands, kind), callTurns(rootOf(hands), hands, kind))),
      ]),
    ],
  });
}

const call = (tool: string, given: object): Turn => ({ call: { tool, with: given } });
const done: Turn = { say: "Done." };

function questionTurns(): Turn[] {
  return [...Array.from({ length: questionsInRow }, (_, at) => call("ask_user", { question: `Which? ${at}` })), done];
}

const trees: readonly TreeHands[] = ["door", "alone"];

function treeTurns(hands: TreeHands): Turn[] {
  const prompt = treeMarker(hands, "within");
  const second = { title: "second", task: treeMarker(hands, "second"), runner: "claude" };
  return [
    // First: a door does one call at a time, and the subagent's does not end.
    ...(hands === "door" ? [call("start_subrun", second)] : []),
    call("Agent", { description: "a part", prompt, subagent_type: "general-purpose" }),
    { say: "I wait.", hold: "for ever" },
  ];
}

function waitingTurn(hands: TreeHands): Turn {
  return call(hands === "door" ? "run_command" : "Bash", { command: waitingOf[hands].join(" ") });
}

/** Finds a name, looks at each place, changes it everywhere, and tries. */
function taskTurns(root: string, hands: Hands, from: string, to: string): Turn[] {
  const files = taskFiles.map((file) => `${hands}/${file}`);
  const command = `! grep -r ${from} ${hands}`;
  if (hands === "door") {
    const hunks = files.map((file) => `*** Update File: ${file}\n@@\n-export ${from}\n+export ${to}`);
    return [
      call("search_files", { text: from, under: hands }),
      ...files.map((file) => call("read_file", { path: file })),
      call("apply_patch", { patch: `*** Begin Patch\n${hunks.join("\n")}\n*** End Patch\n` }),
      call("run_command", { command }),
      done,
    ];
  }
  const inside = files.map((file) => path.join(root, file));
  return [
    call("Grep", { pattern: from, path: path.join(root, hands) }),
    ...inside.map((file) => call("Read", { file_path: file })),
    ...inside.map((file) => call("Edit", { file_path: file, old_string: from, new_string: to })),
    call("Bash", { command }),
    done,
  ];
}

function callTurns(root: string, hands: Hands, kind: Kind): Turn[] {
  const content = "x".repeat(1024);
  const byDoor: Record<Kind, (at: number) => Turn> = {
    read: () => call("read_file", { path: kilobyte }),
    write: (at) => call("write_file", { path: `written-${at}.txt`, content }),
    command: () => call("run_command", { command: "true" }),
  };
  const byItself: Record<Kind, (at: number) => Turn> = {
    read: () => call("Read", { file_path: path.join(root, kilobyte) }),
    write: (at) => call("Write", { file_path: path.join(root, `written-${at}.txt`), content }),
    command: () => call("Bash", { command: "true" }),
  };
  const one = (hands === "door" ? byDoor : byItself)[kind];
  return [...Array.from({ length: callsInRow }, (_, at) => one(at)), done];
}
