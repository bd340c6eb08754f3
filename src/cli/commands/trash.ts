// What was set aside: listing it, having it back, and letting it go for good.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { completeTrash } from "../completers.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, onlyProjectFlag, runArgument, textFlag } from "../flags.ts";
import { atFlag, type Moment, resolveMoment } from "../moment.ts";
import { parseTrashId } from "../parse-args.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { toSafeLine, toSafeLines } from "../text/safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { toWriteError } from "../write-error.ts";

const item = {
  parse: parseTrashId,
  placeholder: "ID",
  brief: "Id of something in the trash, such as x_1a.",
  proposeCompletions: completeTrash,
} as const;

type ListFlags = CommonFlags & { readonly project?: string; readonly run?: string; readonly at?: Moment };

export const trashList = defineCommand<ListFlags>({
  usage: "[--project PROJECT] [--run RUN] [--at WHEN]",
  about: `Here is what a run wrote when it failed, was rejected or ended early, and what a command changed although somebody else
held it. It stays until it is purged. Below it stands what had landed before somebody took it off their branch, by amending, resetting or
rebasing it, each with the command that brings it back.`,
  examples: [["trash list", "Everything that left a workspace without landing."]],
  parameters: {
    flags: {
      project: onlyProjectFlag,
      run: { kind: "parsed", ...runArgument, optional: true, brief: "Only of this run." },
      at: atFlag,
      json: jsonFlag,
    },
  },
  async run(cli, { project, run, at, json }) {
    const only = await resolveOnlyProject(cli, project);
    const then = await resolveMoment(cli, at);
    const answer = await cli.link.call("trash.list", { ...only, ...(run === undefined ? {} : { run }), ...then });
    if (json) return cli.out.json(answer);
    const { items, dropped = [] } = answer;
    if (items.length === 0 && dropped.length === 0) return cli.out.note("The trash is empty.");
    if (items.length > 0) printItems(cli, items);
    if (dropped.length === 0) return;
    if (items.length > 0) cli.out.print("");
    cli.out.print("Landed, and taken off the branch since. To get one back, in a checkout of the project:");
    for (const { commit, title, projectName, how } of dropped)
      cli.out.print(
        `  ${toSafeLine(projectName)} ${commit.slice(0, 12)} ${toSafeLine(title)}`,
        `    ${toSafeLine(how)}`,
      );
  },
});

function printItems(cli: Cli, items: OutputOf<"trash.list">["items"]): void {
  cli.out.table(
    [
      { title: "ID" },
      { title: "PROJECT" },
      { title: "RUN" },
      { title: "PATH", cut: "middle" },
      { title: "WHY", cut: "end" },
    ],
    items.map((each) => [
      each.id,
      toSafeLine(each.projectName),
      toSafeLine(each.agent ?? each.run),
      toSafeLine(each.work === null ? `${each.path} (deleted)` : each.path),
      toSafeLine(each.why),
    ]),
  );
}

export const trashRestore = defineCommand<CommonFlags & { readonly to?: string; readonly force: boolean }, [string]>({
  usage: "ID [--to PATH] [--force]",
  about: `Writes what was set aside to a file of yours; without --to, to standard output. It stays in the trash. The project's
mainline is not touched: commit the file yourself, or give it to a new run.`,
  examples: [
    ["trash restore x_1a", "See it."],
    ["trash restore x_1a --to src/a.ts", "Write it to a file that is not there yet."],
  ],
  parameters: {
    flags: {
      to: textFlag("PATH", "The file to write."),
      force: flag("Replaces a file that is there."),
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [item] },
  },
  async run(cli, { to, force, json }, id) {
    const answer = await cli.link.call("trash.get", { id });
    const { base64, item: found } = answer;
    if (json && to === undefined) return cli.out.json(answer);
    if (base64 === null) throw new UsageError(`${toSafeLine(found.path)} was deleted there: it has no content.`);
    const bytes = Buffer.from(base64, "base64");
    if (to === undefined)
      return cli.out.isScreen ? cli.out.print(...toSafeLines(String(bytes).replace(/\n$/, ""))) : cli.out.raw(bytes);
    const path = resolve(cli.cwd, to);
    const mode = found.work?.startsWith("100755") === true ? 0o777 : 0o666;
    await writeTo({ given: to, path }, bytes, { mode, flag: force ? "w" : "wx" });
    if (json) return cli.out.json({ id, path });
    cli.out.print(path);
    if (found.work?.startsWith("120000") === true) cli.out.note("It was a symbolic link; the file has its target.");
  },
});

type Target = { readonly given: string; readonly path: string };

async function writeTo({ given, path }: Target, bytes: Uint8Array, how: { mode: number; flag: string }): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes, how);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new UsageError(`--to "${given}": ${path} is there already. Take another name, or --force to replace it.`);
    throw toWriteError(error, given, path, "--to");
  }
}

export const trashPurge = defineCommand<CommonFlags, string[]>({
  usage: "ID…",
  about: `What is purged cannot be had back. Its bytes go some minutes later, also from the steps that wrote them, unless\nsomething else has the same; signalbox gc lets go of what is older than ten minutes at once.`,
  examples: [["trash purge x_1a x_2b", "Let both go."]],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "array", parameter: item, minimum: 1 } },
  async run(cli, { json }, ...ids) {
    await cli.link.call("trash.purge", { ids });
    if (json) cli.out.json({ ids });
    else {
      cli.out.print(...ids);
      cli.out.note(cli.out.noteColors.dim(`${ids.length === 1 ? "It is" : "They are"} gone for good.`));
    }
  },
});
