import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, projectFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { resolveFile } from "../resolve-file.ts";
import { toSafeLine } from "../text/safe-text.ts";

export const blame = defineCommand<CommonFlags & { readonly project?: string }, [string]>({
  usage: "PATH [--project PROJECT]",
  about: "Lines are those of mainline, which may be ahead of your branch. A line without a run was committed by hand.",
  examples: [["blame src/a.ts", "Which run landed each line."]],
  parameters: {
    flags: { project: projectFlag, json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [{ parse: parseNonEmpty, placeholder: "PATH", brief: "A file of the project." }],
    },
  },
  async run(cli, { project: given, json }, path) {
    const answer = await cli.link.call("project.blame", await resolveFile(cli, given, path));
    if (json) return cli.out.json(answer);
    cli.out.table(
      [
        { title: "RUN" },
        { title: "BY" },
        { title: "COMMIT" },
        { title: "LINE", align: "right" },
        { title: "TEXT", cut: "end" },
      ],
      answer.lines.map(({ run, author, commit, line, text }) => [
        run ?? "",
        toSafeLine(author),
        commit.slice(0, 10),
        String(line),
        toSafeLine(text),
      ]),
    );
  },
});
