import { limits } from "../../protocol/limits.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, projectFlag } from "../flags.ts";
import { parseCount, parseNonEmpty } from "../parse-args.ts";
import { resolveFile } from "../resolve-file.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { patchLines } from "../view/diff-view.ts";

type Flags = CommonFlags & { readonly project?: string; readonly patch: boolean; readonly limit?: number };

export const history = defineCommand<Flags, [string]>({
  usage: "PATH [--project PROJECT] [--patch] [--limit N]",
  about: `The newest change comes first, as mainline has it, which may be ahead of your branch. A change without a run was committed
by hand. A file that is gone has a history, too; what it was called before is another file.`,
  examples: [
    ["history signalbox.yaml", "Who changed the template, when, and in which run."],
    ["history src/a.ts --patch --limit 3", "The last three changes with their diffs."],
  ],
  parameters: {
    flags: {
      project: projectFlag,
      patch: flag("With what each change replaced by what."),
      limit: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: `So many at most, up to ${limits.pastMax}. Left out: ${limits.pastDefault}.`,
      },
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [{ parse: parseNonEmpty, placeholder: "PATH", brief: "A file of the project." }],
    },
  },
  async run(cli, { project: given, patch, limit, json }, path) {
    const file = await resolveFile(cli, given, path);
    const answer = await cli.link.call("project.history", { ...file, ...(limit === undefined ? {} : { limit }) });
    if (json) return cli.out.json(answer);
    const { changes, more } = answer;
    if (patch) {
      for (const { commit, wallMs, author, title, run, tooLarge, patch: text } of changes) {
        const words = [commit.slice(0, 10), toMinute(wallMs), run ?? author, title];
        cli.out.print(cli.out.colors.bold(toSafeLine(words.join("  "))));
        cli.out.print(...(tooLarge ? ["too large to be shown"] : patchLines(text, cli.out.colors)), "");
      }
    } else {
      cli.out.table(
        [{ title: "WHEN" }, { title: "RUN" }, { title: "BY" }, { title: "COMMIT" }, { title: "WHAT", cut: "end" }],
        changes.map(({ commit, wallMs, author, title, run }) => [
          toMinute(wallMs),
          run ?? "",
          toSafeLine(author),
          commit.slice(0, 10),
          toSafeLine(title),
        ]),
      );
    }
    if (more) cli.out.note(`There are older ones: --limit N shows up to ${limits.pastMax}.`);
  },
});

function toMinute(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
