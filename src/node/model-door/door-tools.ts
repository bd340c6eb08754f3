// The tools that a model has in its run, in the words that it reads. The whole list has to stay small: it is in front of
// the model with every request.

import { z } from "zod";
import { ok, type Result } from "../../base/result.ts";
import type { Door, DoorAnswer } from "../../ports/runner.ts";
import { parseInput } from "../../protocol/parse-input.ts";
import { parsePatch } from "./parse-patch.ts";

/** What reaches beyond the run's own door. */
export type DoorControl = {
  /** Who holds what and who waits, as text. */
  locks(run: string): Promise<string>;
  /** Starts another run; with the same key it is the same one. */
  start(run: string, wish: StartWish): Promise<DoorAnswer>;
  /** How the run stands, in words, while its door is closed. */
  stateOf(run: string): string;
};

export type StartWish = {
  readonly sub: boolean;
  readonly title: string;
  readonly task?: string | undefined;
  readonly runner?: string | undefined;
  readonly script?: string | undefined;
  readonly plan: readonly string[];
  readonly key: string;
};

export type Hands = {
  readonly run: string;
  readonly door: Door;
  readonly control: DoorControl;
  /** How many words of people its model had been given when it asked; left out where nobody counts. */
  readonly heard?: number | undefined;
};

export type DoorTool = {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly readsOnly: boolean;
  /** Needs no turn: it is no call of the run, or ends one that waits. */
  readonly isAside: (args: unknown) => boolean;
  /** What the call does, or why its arguments are no good. */
  readonly prepare: (args: unknown) => Result<(hands: Hands) => Promise<DoorAnswer>, string>;
};

type Definition<Schema extends z.ZodObject> = {
  readonly description: string;
  readonly input: Schema;
  readonly readsOnly?: true;
  readonly isAside?: (args: z.output<Schema>) => boolean;
  readonly act: (hands: Hands, args: z.output<Schema>) => Promise<DoorAnswer>;
};

function tool<Schema extends z.ZodObject>(name: string, definition: Definition<Schema>): DoorTool {
  const { description, input, readsOnly, isAside, act } = definition;
  return {
    ...{ name, description, input, readsOnly: readsOnly ?? false },
    isAside: (given) => {
      const parsed = parseInput(input, given);
      return parsed.ok && isAside?.(parsed.value) === true;
    },
    prepare: (given) => {
      const parsed = parseInput(input, given);
      if (parsed.ok) return ok((hands) => act(hands, parsed.value));
      return { ok: false, refusal: `${parsed.refusal.where}: ${parsed.refusal.why}` };
    },
  };
}

const path = z.string().min(1).max(4096);
const seen = z.string().max(64).optional().describe("hash you saw, or none; refused if it differs");
const units = z.array(z.string().max(4200)).min(1).max(256);
const command = z.union([z.string().min(1), z.array(z.string()).min(1)]);
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
const count = z.number().int().min(0).max(1e9);

const linesDefault = 2000;
const maxTimeoutS = 86_400;

function toArgv(given: z.output<typeof command>): readonly string[] {
  return typeof given === "string" ? ["/bin/sh", "-c", given] : given;
}

const files: readonly DoorTool[] = [
  tool("read_file", {
    description: "Reads a text file, with its hash. Up to 2000 lines unless you ask for others.",
    input: z.strictObject({
      path,
      from: count.min(1).default(1).describe("first line"),
      lines: count.min(1).default(linesDefault),
      side: z.enum(["base", "theirs"]).optional().describe("of a file in conflict"),
    }),
    readsOnly: true,
    act: ({ door }, { path: file, from, lines, side }) =>
      side === undefined ? door.read(file, { from, count: lines }) : door.readSide(file, side, { from, count: lines }),
  }),
  tool("list_files", {
    description: "Lists a folder, down to a depth, without what git ignores.",
    input: z.strictObject({ path: z.string().max(4096).default("."), depth: count.min(1).max(16).default(1) }),
    readsOnly: true,
    act: ({ door }, args) => door.list(args.path, args.depth),
  }),
  tool("search_files", {
    description: "Finds a text or regex in all files that git does not ignore. Answers path:line: text.",
    input: z.strictObject({
      text: z.string().min(1).max(1000),
      regex: z.boolean().default(false),
      under: z.string().max(4096).default("."),
    }),
    readsOnly: true,
    act: ({ door }, args) => door.search(args),
  }),
  tool("write_file", {
    description:
      "Creates a file, or replaces one that you have read as it is now. Its unit is claimed for you; answers the new hash.",
    input: z.strictObject({ path, content: z.string(), seen }),
    act: ({ door }, args) => door.change({ do: "write", ...args, careful: "seen" }),
  }),
  tool("edit_file", {
    description: "Replaces a text that occurs exactly once in a file. Copy it from read_file with enough around it.",
    input: z.strictObject({ path, find: z.string().min(1), replace: z.string(), seen }),
    act: ({ door }, args) => door.change({ do: "edit", ...args }),
  }),
  tool("apply_patch", {
    description:
      "Changes several files, all or none. Lines: *** Begin Patch, then *** Add File: P (each line +), *** Delete File: P, or *** Update File: P (optionally *** Move to: Q) with hunks of @@ and lines that begin with space, - or +, then *** End Patch.",
    input: z.strictObject({ patch: z.string().min(1) }),
    act: async ({ door }, args) => {
      const changes = parsePatch(args.patch);
      return changes.ok ? door.patch(changes.value) : { ok: false, code: "bad-input", message: changes.refusal };
    },
  }),
  tool("move", {
    description: "Moves a file or folder to a free name.",
    input: z.strictObject({ path, to: path, seen }),
    act: ({ door }, args) => door.change({ do: "move", ...args, careful: "not-other" }),
  }),
  tool("resolve", {
    description:
      "When somebody else has changed a file in the same place: read_file with side theirs, change yours to have both, then say so with this.",
    input: z.strictObject({ path }),
    act: ({ door }, args) => door.resolve(args.path),
  }),
  tool("delete", {
    description: "Deletes a file that you have read as it is now, or a folder.",
    input: z.strictObject({ path, seen }),
    act: ({ door }, args) => door.change({ do: "delete", ...args, careful: "seen" }),
  }),
];

const commands: readonly DoorTool[] = [
  tool("run_command", {
    description:
      "Runs a command in the project: a shell line, or argv. Long output is shortened; read_artifact has the rest. With background (a name) it goes on: read_output, write_input, stop_command. Files it changes are claimed, or set aside if others hold them.",
    input: z.strictObject({
      command,
      cwd: z.string().max(4096).optional(),
      timeout_s: z.number().positive().max(maxTimeoutS).optional(),
      background: name.optional(),
    }),
    act: ({ door }, { command: given, cwd, timeout_s: timeoutS, background }) => {
      const wanted = { argv: toArgv(given), cwd, timeoutMs: timeoutS === undefined ? undefined : timeoutS * 1000 };
      return background === undefined ? door.run(wanted) : door.start(background, wanted);
    },
  }),
  tool("read_output", {
    description: "What a background command has said, from a byte on, and whether it has ended.",
    input: z.strictObject({ name, from: count.default(0) }),
    readsOnly: true,
    act: ({ door }, args) => door.output(args.name, args.from),
  }),
  tool("write_input", {
    description: "Writes to a background command's input; end closes it.",
    input: z.strictObject({ name, text: z.string(), end: z.boolean().default(false) }),
    act: ({ door }, args) => door.input(args.name, args.text, args.end),
  }),
  tool("stop_command", {
    description: "Ends a background command.",
    input: z.strictObject({ name }),
    act: ({ door }, args) => door.stop(args.name),
  }),
  tool("run_process", {
    description: "Runs a named process of the project (such as test or build), one at a time for everybody.",
    input: z.strictObject({ name }),
    act: ({ door }, args) => door.process(args.name),
  }),
];

const leases: readonly DoorTool[] = [
  tool("claim", {
    description:
      "Claims units for you alone, all together: file:src/a.ts, dir:src/auth, process:test. Waits up to 20 s, then says your place in the queue; call again with the same units to go on waiting.",
    input: z.strictObject({ units }),
    act: ({ door }, args) => door.claim(args.units),
  }),
  tool("release", {
    description:
      "Gives units back (all if none are named). set_aside: also your changes on them. waiting: give up your place in a queue instead.",
    input: z.strictObject({
      units: units.optional(),
      set_aside: z.boolean().default(false),
      waiting: z.boolean().default(false),
    }),
    isAside: (args) => args.waiting,
    act: ({ door }, args) => (args.waiting ? door.giveUp() : door.release(args.units ?? null, args.set_aside)),
  }),
  tool("locks", {
    description: "Who holds which units, and who waits.",
    input: z.strictObject({}),
    readsOnly: true,
    isAside: () => true,
    act: async ({ run, control }) => ({ ok: true, text: await control.locks(run), exit: null }),
  }),
  tool("submit_plan", {
    description:
      "Says what you are going to do, one step on a line, and claims all units for it. Best done first. Say it again as you go, with [x] before what is done and [>] before what you are at.",
    input: z.strictObject({ units, steps: z.string().max(65_536) }),
    act: async ({ door }, args) => {
      const answer = await door.claim(args.units);
      if (answer.ok) await door.say(`plan: ${args.steps}`);
      return answer;
    },
  }),
];

const starting = {
  title: z.string().min(1).max(200),
  task: z.string().max(65_536).optional(),
  runner: z.string().max(64).optional(),
  script: z.string().optional(),
};

const question = z.string().min(1).max(65_536);

export const askTool = tool("ask_user", {
  description:
    "Asks a person and answers what they say. It may take long: call again with the same question to go on waiting.",
  input: z.strictObject({ question }),
  act: ({ door }, args) => door.ask(args.question),
});

const others: readonly DoorTool[] = [
  tool("publish_artifact", {
    description: "Keeps a file for people and other runs to read.",
    input: z.strictObject({ name, path }),
    act: ({ door }, args) => door.publish(args.name, args.path),
  }),
  tool("read_artifact", {
    description: "Reads an artifact from a byte on, such as output-12; lists all without a name.",
    input: z.strictObject({ name: name.optional(), from: count.default(0) }),
    readsOnly: true,
    isAside: () => true,
    act: ({ door }, args) => door.artifact(args.name ?? null, args.from),
  }),
  askTool,
  tool("report_progress", {
    description: "Tells people how far you are.",
    input: z.strictObject({ text: z.string().min(1).max(65_536) }),
    act: ({ door }, args) => door.say(args.text),
  }),
  tool("start_subrun", {
    description:
      "Starts a run in your workspace, under your leases: another assistant (runner: claude, codex, …; task says what it is to do), a YAML script (task, steps), or with neither whoever connects to the address that it answers.",
    input: z.strictObject(starting),
    act: (hands, args) => startRun(hands, { ...args, sub: true, plan: [] }),
  }),
  tool("start_run", {
    description:
      "Starts a separate run with its own workspace and leases; plan: units it starts with. As start_subrun otherwise.",
    input: z.strictObject({ ...starting, plan: units.optional() }),
    act: (hands, args) => startRun(hands, { ...args, sub: false, plan: args.plan ?? [] }),
  }),
  tool("wait_run", {
    description: "Waits until another run is over.",
    input: z.strictObject({ run: z.string().max(24) }),
    act: ({ door }, args) => door.waitRun(args.run),
  }),
  tool("finish", {
    description: "Ends your work: it is then tested, reviewed and landed. ok false: you give up, say why.",
    input: z.strictObject({ message: z.string().max(65_536), ok: z.boolean().default(true) }),
    act: ({ door, heard }, args) => door.finish(args.ok, args.message, { unlessSaid: heard }),
  }),
];

/** Says that it started one, so that the next one has another key. */
async function startRun({ run, door, control }: Hands, wish: Omit<StartWish, "key">): Promise<DoorAnswer> {
  const answer = await control.start(run, { ...wish, key: `door-${run}-${door.nextCall}` });
  if (answer.ok) await door.say(`started ${wish.title}`);
  return answer;
}

export const doorTools: readonly DoorTool[] = [...files, ...commands, ...leases, ...others];

/** What an assistant's own tools need of the door. No model is shown them, and no profile takes them away. */
export const claimTool = tool("hook_claim", {
  description: "Claims what a tool of the assistant's own is about to write.",
  input: z.strictObject({ units }),
  act: ({ door }, args) => door.claim(args.units),
});
/** A model that may ask nobody still needs leave for what its assistant would do with hands of its own. */
export const permitTool = tool("hook_permit", {
  description: "Asks a person's leave for what a tool of the assistant's own is about to do.",
  input: z.strictObject({
    question,
    leave: z.strictObject({ tool: z.string().max(64), what: z.string().max(1000) }),
    whole: z.strictObject({ name: z.string().regex(/^asked-[0-9a-f]{40}$/), text: z.string() }).optional(),
  }),
  act: ({ door }, args) => door.ask(args.question, args.leave, args.whole),
});
export const lookTool = tool("hook_look", {
  description: "Looks what a tool of the assistant's own has changed.",
  input: z.strictObject({}),
  act: ({ door }) => door.look(),
});

/** Whether it is asked for by the assistant's program and not by its model. */
export function isHook(name: string): boolean {
  return [claimTool, permitTool, lookTool].some((hook) => hook.name === name);
}

/** Whether a call of it waits for a person's word, and goes on doing so under the next daemon. */
export function asksPerson(name: string): boolean {
  return name === askTool.name || name === permitTool.name;
}
