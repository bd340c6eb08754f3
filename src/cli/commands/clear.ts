import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, projectFlag } from "../flags.ts";
import { parseUnit } from "../parse-args.ts";
import { resolveProject } from "../resolve-project.ts";

export const clear = defineCommand<CommonFlags & { readonly project?: string }, [string]>({
  usage: "UNIT [--project PROJECT]",
  about: `A process unit whose holder is gone stays closed until its processes are proven dead. When that cannot be proven,
look yourself, and say so with this command. It is your word that is recorded.`,
  examples: [["clear process:test --project shop", "Free a closed unit, after having looked."]],
  parameters: {
    flags: { project: projectFlag, json: jsonFlag },
    aliases: { p: "project" },
    positional: {
      kind: "tuple",
      parameters: [{ parse: parseUnit, placeholder: "UNIT", brief: "The closed unit, such as process:test." }],
    },
  },
  async run(cli, flags, unit) {
    const project = await resolveProject(cli, flags.project);
    await cli.link.call("unit.clear", { project, unit });
    if (flags.json) cli.out.json({ project, unit, cleared: true });
    else cli.out.print(`${unit} is free.`);
  },
});
