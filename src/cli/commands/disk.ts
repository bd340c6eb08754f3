import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { withProgress } from "../progress.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";

export const disk = defineCommand({
  usage: "",
  about: `Of each project: its repository (with the trash, which is a part of it) the layers that workspaces stand on, and the
dependencies that are kept warm. Of each workspace: what was changed in it, its scratch, its home and its temporary files, and what a policy allows it.
signalbox gc lets go of what nothing refers to any more.`,
  examples: [["disk", "See what takes the disk."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const report = await withProgress(cli.out, "looking at the disk", cli.link.call("disk", {}));
    if (json) return cli.out.json(report);
    const right = { align: "right" } as const;
    cli.out.table(
      [
        { title: "PROJECT", cut: "end" },
        ...["REPOSITORY", "TRASH", "LAYERS", "WARM"].map((title) => ({ title, ...right })),
        { title: "TRASHED", ...right },
      ],
      report.projects.map((each) => [
        toSafeLine(each.name),
        toSize(each.repositoryBytes),
        toSize(each.trashBytes),
        toSize(each.layersBytes),
        toSize(each.warmBytes),
        String(each.trashItems),
      ]),
    );
    if (report.workspaces.length > 0) {
      cli.out.print("");
      cli.out.table(
        [{ title: "WORKSPACE" }, { title: "SIZE", ...right }, { title: "QUOTA", ...right }],
        report.workspaces.map((each) => [
          each.agent,
          toSize(each.bytes),
          each.quotaBytes === null ? "-" : toSize(each.quotaBytes),
        ]),
      );
    }
    const { freeBytes, totalBytes, folder, freeBytesMin, imagesBytes, files } = report;
    if (imagesBytes > 0) cli.out.note(`Images take ${toSize(imagesBytes)}: signalbox image list.`);
    cli.out.note(`${toSize(freeBytes)} of ${toSize(totalBytes)} are free in ${toSafeLine(folder)}.`);
    if (files !== undefined) cli.out.note(`There is room for ${files.free} of ${files.total} files.`);
    if (freeBytes < freeBytesMin)
      cli.out.note(`That is less than ${toSize(freeBytesMin)}: no new workspace is made until there is room.`);
  },
});
