import type { InputOf } from "../../protocol/operations.ts";
import { showScope } from "../../protocol/show-scope.ts";
import type { Cli } from "../cli.ts";
import { completeTasks } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, keyFlag, onlyProjectFlag, projectFlag, several, textFlag } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { askNow } from "../now.ts";
import { parseNonEmpty, parseTaskId } from "../parse-args.ts";
import { attachFlags, type AttachFlags, readAttachments } from "../read-attachments.ts";
import { resolveOnlyProject, resolveProject } from "../resolve-project.ts";
import { toSafeLine, toSafeLines } from "../text/safe-text.ts";
import { splitWords } from "../text/split-words.ts";
import { UsageError } from "../usage-error.ts";
import { toFieldLines } from "../view/fields-view.ts";
import { toTaskFields } from "../view/task-view.ts";

type WordFlags = {
  readonly description?: string;
  readonly accept?: string[];
  readonly scope: readonly string[];
};

const wordFlags = {
  description: textFlag("TEXT", "What is wanted, at length."),
  accept: {
    kind: "parsed",
    parse: splitWords,
    optional: true,
    placeholder: "COMMAND",
    brief: "A command that has to succeed before a result counts. No shell reads it.",
  },
  scope: {
    ...several(parseNonEmpty),
    placeholder: "PATH",
    brief: "A file or folder that its runs, and all whom these start, may change; nothing else. Left out: everything.",
  },
} as const;

const named = {
  parse: parseTaskId,
  placeholder: "TASK",
  brief: "Id of a task.",
  proposeCompletions: completeTasks,
} as const;

export const taskAdd = defineCommand<
  CommonFlags & WordFlags & AttachFlags & { readonly project?: string; readonly key?: string },
  [string]
>({
  usage: "TITLE [--project PROJECT] [--scope PATH]… [--accept COMMAND] [flags]",
  about: `A task is run with: signalbox run --task TASK --runner NAME, once or often. Notes and links are told to its runs; files
lie with each run's artifacts, as attached-NAME, up to 512 KiB each.`,
  examples: [
    [
      "task add 'add a rate limit' --scope src/api --accept 'npm test'",
      "With what it may change, and how it is accepted.",
    ],
    ["task add 'follow the design' --file design.md --link issue=https://example.org/7", "With something to read."],
  ],
  parameters: {
    flags: { project: projectFlag, ...wordFlags, ...attachFlags, key: keyFlag, json: jsonFlag },
    aliases: { p: "project" },
    positional: {
      kind: "tuple",
      parameters: [{ parse: parseNonEmpty, placeholder: "TITLE", brief: "What is wanted, in a line." }],
    },
  },
  async run(cli, flags, title) {
    const attachments = await readAttachments(cli, flags);
    const project = await resolveProject(cli, flags.project);
    const { key } = flags;
    // Files go one by one: a request has room for one of the largest.
    const small = attachments.filter(({ kind }) => kind !== "file");
    const request = { project, ...wordsOf(flags), title, attachments: small, ...(key === undefined ? {} : { key }) };
    const { task } = await cli.link.call("task.add", request);
    try {
      await attachAll(
        cli,
        task,
        attachments.filter(({ kind }) => kind === "file"),
      );
    } catch (error) {
      // Whoever only saw the refusal would make a second one.
      cli.out.note(`${task} is made, but not every file is with it: signalbox task attach ${task} --file PATH`);
      throw error;
    }
    if (flags.json) cli.out.json({ task });
    else cli.out.print(task);
  },
});

export const taskList = defineCommand<CommonFlags & { readonly project?: string; readonly all: boolean }>({
  usage: "[--project PROJECT] [-a]",
  examples: [["task list", "See what is wanted."]],
  parameters: {
    flags: {
      project: onlyProjectFlag,
      all: flag("Also those that a run brought along, and that go with it."),
      json: jsonFlag,
    },
    aliases: { p: "project", a: "all" },
  },
  async run(cli, { project, all, json }) {
    const only = await resolveOnlyProject(cli, project);
    const answer = await cli.link.call("task.list", { ...only, ...(all ? {} : { kept: true }), limit: 1000 });
    if (json) return cli.out.json(answer);
    if (answer.tasks.length === 0) return cli.out.note("There is no task. Make one with: signalbox task add TITLE");
    cli.out.table(
      [
        { title: "TASK" },
        { title: "PROJECT", cut: "end" },
        { title: "TITLE", cut: "end" },
        { title: "SCOPE", cut: "end" },
        { title: "RUNS", align: "right" },
      ],
      answer.tasks.map((task) => [
        task.id,
        toSafeLine(task.projectName),
        toSafeLine(task.cancelled ? `${task.title} (cancelled)` : task.title),
        toSafeLine(showScope(task.scope)),
        String(task.runs.length),
      ]),
    );
  },
});

export const taskShow = defineCommand<CommonFlags, [string, string | undefined]>({
  usage: "TASK [NAME]",
  about: "With a NAME the bytes of that attachment go to standard output, as they are.",
  examples: [
    ["task show t_1a", "See what it says, what comes along with it, and its runs."],
    ["task show t_1a design.md > design.md", "Read an attachment."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [
        named,
        { parse: parseNonEmpty, optional: true, placeholder: "NAME", brief: "The attachment to read." },
      ],
    },
  },
  async run(cli, { json }, task, name) {
    if (name !== undefined) return await copyOut(cli, task, name);
    const answer = await cli.link.call("task.get", { task });
    if (json) return cli.out.json(answer);
    cli.out.print(...toFieldLines(cli.out, toTaskFields(answer.task, await askNow(cli))));
  },
});

type ChangeFlags = CommonFlags &
  WordFlags & { readonly title?: string; readonly noAccept: boolean; readonly everywhere: boolean };

export const taskChange = defineCommand<ChangeFlags, [string]>({
  usage: "TASK [--title TEXT] [--scope PATH]… [--accept COMMAND] [flags]",
  about: "What is not named stays. Runs that are at work are held to what it says from now on.",
  examples: [
    ["task change t_1a --scope src/api --scope docs", "Its runs may change these, and nothing else."],
    ["task change t_1a --everywhere", "They may change everything."],
  ],
  parameters: {
    flags: {
      title: textFlag("TEXT", "What is wanted, in a line."),
      ...wordFlags,
      noAccept: flag("Nothing has to succeed any more."),
      everywhere: flag("Its runs may change everything."),
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [named] },
  },
  async run(cli, flags, task) {
    const { title, noAccept, everywhere, json } = flags;
    if (noAccept && flags.accept !== undefined) throw new UsageError("--accept and --no-accept exclude each other.");
    if (everywhere && flags.scope.length > 0) throw new UsageError("--scope and --everywhere exclude each other.");
    const words = {
      ...(title === undefined ? {} : { title }),
      ...wordsOf(flags),
      ...(noAccept ? { acceptance: null } : {}),
      ...(everywhere ? { scope: [] } : {}),
    };
    await cli.link.call("task.change", { task, ...words });
    const answer = await cli.link.call("task.get", { task });
    if (json) cli.out.json(answer);
    else cli.out.print(`${task} is changed.`);
  },
});

export const taskAttach = defineCommand<CommonFlags & AttachFlags, [string]>({
  usage: "TASK [--note NAME=TEXT]… [--link NAME=URL]… [--file PATH]…",
  about: "What has the same name is replaced. Runs that begin from now on have it.",
  examples: [["task attach t_1a --file design.md", "Something to read comes along."]],
  parameters: {
    flags: { ...attachFlags, json: jsonFlag },
    positional: { kind: "tuple", parameters: [named] },
  },
  async run(cli, flags, task) {
    const attachments = await readAttachments(cli, flags);
    if (attachments.length === 0) throw new UsageError("What is to come along? Give --note, --link or --file.");
    await attachAll(cli, task, attachments);
    const names = attachments.map(({ name }) => name);
    if (flags.json) cli.out.json({ task, attached: names });
    else cli.out.print(`${names.join(", ")}: with ${task} from now on.`);
  },
});

export const taskDetach = defineCommand<CommonFlags, [string, string]>({
  usage: "TASK NAME",
  examples: [["task detach t_1a design.md", "It does not come along any more."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [named, { parse: parseNonEmpty, placeholder: "NAME", brief: "The attachment to take away." }],
    },
  },
  async run(cli, { json }, task, name) {
    await cli.link.call("task.detach", { task, name });
    if (json) cli.out.json({ task, detached: name });
    else cli.out.print(`${toSafeLine(name)} does not come along with ${task} any more.`);
  },
});

export const taskRemove = defineCommand<CommonFlags, string[]>({
  usage: "TASK…",
  about: "One that has runs stays until they are removed; signalbox cancel ends them and the task with them.",
  examples: [["task remove t_1a", "Nobody wants it any more."]],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "array", minimum: 1, parameter: named } },
  run: (cli, { json }, ...tasks) =>
    forEach(
      cli,
      tasks,
      json,
      async (task) => {
        await cli.link.call("task.remove", { task });
        return `The task ${task} is removed.`;
      },
      "tasks",
    ),
});

function wordsOf({ description, accept, scope }: WordFlags): Omit<InputOf<"task.change">, "task"> {
  return {
    ...(description === undefined ? {} : { description }),
    ...(accept === undefined ? {} : { acceptance: accept }),
    ...(scope.length === 0 ? {} : { scope: [...scope] }),
  };
}

async function attachAll(
  cli: Cli,
  task: string,
  attachments: readonly InputOf<"task.attach">["attachment"][],
): Promise<void> {
  for (const attachment of attachments) await cli.link.call("task.attach", { task, attachment });
}

/** A screen gets no control characters; a file or a pipe gets every byte. */
async function copyOut(cli: Cli, task: string, name: string): Promise<void> {
  const bytes = Buffer.from((await cli.link.call("task.attachment", { task, name })).base64, "base64");
  if (!cli.out.isScreen) return cli.out.raw(bytes);
  cli.out.print(...toSafeLines(String(bytes).replace(/\n$/, "")));
}
