import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { toSafeLine } from "../text/safe-text.ts";

export const projectList = defineCommand({
  usage: "",
  examples: [["project list", "See names, folders and processes."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("project.list", {});
    if (json) return cli.out.json(answer);
    if (answer.projects.length === 0)
      return cli.out.note("There is no project yet. Add one with: signalbox project add .");
    cli.out.table(
      [{ title: "NAME" }, { title: "ID" }, { title: "FOLDER", cut: "middle" }, { title: "PROCESSES", cut: "end" }],
      answer.projects.map(({ name, id, root, processes }) => [
        toSafeLine(name),
        id,
        toSafeLine(root),
        Object.keys(processes).join(", "),
      ]),
    );
  },
});
