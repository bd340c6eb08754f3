import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, onlyProjectFlag } from "../flags.ts";
import { withProgress } from "../progress.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";

type Flags = CommonFlags & { readonly project?: string; readonly dryRun: boolean };

export const gc = defineCommand<Flags>({
  usage: "[--project PROJECT] [--dry-run]",
  about: `The daemon does this by itself some minutes after something was purged or removed. What a run that is there has
written stays, step by step, and so does everything in the trash; what was written within the last ten minutes stays, too.`,
  examples: [
    ["gc --dry-run", "See how much would go."],
    ["gc", "Let it go now."],
  ],
  parameters: {
    flags: { project: onlyProjectFlag, dryRun: flag("Only says what would go."), json: jsonFlag },
  },
  async run(cli, { project, dryRun, json }) {
    const only = await resolveOnlyProject(cli, project);
    const collecting = cli.link.call("gc", { ...only, dryRun });
    const answer = await withProgress(cli.out, "looking for what nothing refers to", collecting);
    if (json) return cli.out.json(answer);
    cli.out.table(
      [
        { title: "PROJECT", cut: "end" },
        { title: "OBJECTS", align: "right" },
        { title: "SIZE", align: "right" },
      ],
      answer.collected.map((each) => [toSafeLine(each.name), String(each.objects), toSize(each.bytes)]),
    );
    const { blobs } = answer;
    if (blobs !== null && blobs.objects > 0)
      cli.out.print(`Scripts and attachments that nothing names: ${blobs.objects} (${toSize(blobs.bytes)}).`);
    if (dryRun) cli.out.note("Nothing was let go of: signalbox gc does it.");
  },
});
