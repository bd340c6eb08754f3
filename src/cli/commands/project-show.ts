import { completeProjects } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { resolveProject } from "../resolve-project.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toFieldLines } from "../view/fields-view.ts";
import { toProjectFields } from "../view/run-view.ts";

export const projectShow = defineCommand<CommonFlags, [string | undefined]>({
  usage: "[PROJECT]",
  examples: [
    ["project show", "The project of the current folder."],
    ["project show shop", "A project by name."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [
        {
          parse: parseNonEmpty,
          optional: true,
          placeholder: "PROJECT",
          brief: "Name, id or folder. Left out: the project of the current folder.",
          proposeCompletions: completeProjects,
        },
      ],
    },
  },
  async run(cli, { json }, given) {
    const answer = await cli.link.call("project.get", { project: await resolveProject(cli, given) });
    if (json) return cli.out.json(answer);
    cli.out.print(...toFieldLines(cli.out, toProjectFields(answer.project)));
    const { dropped = [] } = answer;
    if (dropped.length === 0) return;
    cli.out.note("", "Landed, and taken off the branch since by amending, resetting or rebasing it. To get one back:");
    for (const { commit, title, how } of dropped)
      cli.out.note(`  ${commit.slice(0, 12)} ${toSafeLine(title)}`, `    ${how}`);
  },
});
