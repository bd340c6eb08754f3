import { completeProjects } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { resolveProject } from "../resolve-project.ts";

export const projectRemove = defineCommand<CommonFlags, string[]>({
  usage: "PROJECT…",
  about: "Refused while runs or claims of it are active: signalbox stop --all --project PROJECT ends the runs.",
  examples: [["project remove shop", "Forget a project; its folder stays as it is."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        parse: parseNonEmpty,
        placeholder: "PROJECT",
        brief: "Name, id or folder.",
        proposeCompletions: completeProjects,
      },
    },
  },
  run: (cli, { json }, ...projects) =>
    forEach(
      cli,
      projects,
      json,
      async (given) => {
        await cli.link.call("project.remove", { project: await resolveProject(cli, given) });
        return `The project ${given} is forgotten. Its folder stays as it is.`;
      },
      "projects",
    ),
});
