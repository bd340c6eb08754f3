import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { toSafeLine } from "../text/safe-text.ts";

export const projectList = defineCommand({
  usage: "",
  examples: [["project list", "See names, folders, and whether their branches have what landed."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("project.list", {});
    if (json) return cli.out.json(answer);
    if (answer.projects.length === 0)
      return cli.out.note("There is no project yet. Add one with: signalbox project add .");
    cli.out.table(
      [
        { title: "NAME" },
        { title: "ID" },
        { title: "FOLDER", cut: "middle" },
        { title: "BRANCH" },
        { title: "MAINLINE" },
        { title: "PUBLISHED", cut: "end" },
        { title: "PROCESSES", cut: "end" },
      ],
      answer.projects.map(({ name, id, root, branch, mainline, notPublished, processes }) => [
        toSafeLine(name),
        id,
        toSafeLine(root),
        toSafeLine(branch),
        mainline.slice(0, 12),
        notPublished === null ? "yes" : toSafeLine(`no: ${notPublished.why}`),
        Object.keys(processes).join(", "),
      ]),
    );
  },
});
