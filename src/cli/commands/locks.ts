import type { Locks } from "../../protocol/wire/claim.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, onlyProjectFlag, textFlag } from "../flags.ts";
import { atFlag, type Moment, resolveMoment } from "../moment.ts";
import { askNow } from "../now.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { type ProjectNames, toLocksLines } from "../view/locks-view.ts";
import { UsageError } from "../usage-error.ts";
import { watchChanges } from "../watch-changes.ts";
import { drawPicture } from "../watch-pictures.ts";

type Flags = CommonFlags & {
  readonly project?: string;
  readonly unit?: string;
  readonly find?: string;
  readonly watch: boolean;
  readonly at?: Moment;
};

const types = ["lease.", "claim.", "family.", "unit."];

export const locks = defineCommand<Flags>({
  usage: "[--project PROJECT] [--unit UNIT] [--find TEXT] [--watch | --at WHEN]",
  about: `Leases with their holders and fences; the queue in its order; and a tree in which whoever waits hangs below whom it
waits for. A closed unit belongs to a holder that is gone: see signalbox clear.`,
  examples: [
    ["locks", "How things stand."],
    ["locks --watch --project shop", "Watch one project."],
    ["locks --unit file:src/app.ts", "Who has this file, or something around it, and who waits for that."],
    ["locks --at 5m", "Who held what five minutes ago."],
    ["locks --watch --json", "For programs: one document per change."],
  ],
  parameters: {
    flags: {
      project: onlyProjectFlag,
      unit: textFlag("UNIT", "Only who holds or wants this unit, what contains it or what it contains."),
      find: textFlag("TEXT", "Only units and holders with this in their name."),
      watch: flag("Shows it anew whenever something changes."),
      at: atFlag,
      json: jsonFlag,
    },
    aliases: { p: "project", w: "watch" },
  },
  async run(cli, { project, unit, find, watch, at, json }) {
    if (watch && at !== undefined) throw new UsageError("The past does not change: leave --watch or --at out.");
    const only = await resolveOnlyProject(cli, project);
    const then = await resolveMoment(cli, at);
    const wanted = { ...(unit === undefined ? {} : { unit }), ...(find === undefined ? {} : { find }) };
    const look = (): Promise<Locks> => cli.link.call("locks", { ...only, ...wanted, ...then });
    const toLines = async (found: Locks): Promise<string[]> => {
      const isPart = unit !== undefined || find !== undefined;
      return toLocksLines(cli.out, found, await askNow(cli, found.nowMs), { names: await namesOf(cli), isPart });
    };
    if (!watch) {
      const found = await look();
      if (json) cli.out.json(found);
      else cli.out.print(...(await toLines(found)));
      return;
    }
    cli.interrupt.sayOnLeaving("Left.");
    await watchChanges(cli, { types, ...only }, async () => {
      const found = await look();
      if (json) cli.out.jsonLine(found);
      else drawPicture(cli.out, await toLines(found));
    });
  },
});

async function namesOf(cli: Cli): Promise<ProjectNames> {
  const { projects } = await cli.link.call("project.list", {});
  return new Map(projects.map(({ id, name }) => [id, name]));
}
