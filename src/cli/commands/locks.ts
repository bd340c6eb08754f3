import type { Locks } from "../../protocol/wire/claim.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, onlyProjectFlag } from "../flags.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { type ProjectNames, toLocksLines } from "../view/locks-view.ts";
import { watchChanges } from "../watch-changes.ts";

type Flags = CommonFlags & { readonly project?: string; readonly watch: boolean };

const types = ["lease.", "claim.", "family.", "unit."];
const home = "\u001b[H";
const clearBelow = "\u001b[J";

export const locks = defineCommand<Flags>({
  usage: "[--project PROJECT] [--watch]",
  about: `Leases with their holders and fences; the queue in its order; and a tree in which whoever waits hangs below whom it
waits for. A closed unit belongs to a holder that is gone: see signalbox clear.`,
  examples: [
    ["locks", "How things stand."],
    ["locks --watch --project shop", "Watch one project."],
    ["locks --watch --json", "For programs: one document per change."],
  ],
  parameters: {
    flags: { project: onlyProjectFlag, watch: flag("Shows it anew whenever something changes."), json: jsonFlag },
    aliases: { p: "project", w: "watch" },
  },
  async run(cli, { project, watch, json }) {
    const only = await resolveOnlyProject(cli, project);
    const look = (): Promise<Locks> => cli.link.call("locks", only);
    if (!watch) return await show(cli, await look(), json);
    cli.interrupt.sayOnLeaving("Left.");
    await watchChanges(cli, { types, ...only }, async () => {
      const found = await look();
      if (json) cli.out.jsonLine(found);
      else await draw(cli, found);
    });
  },
});

async function show(cli: Cli, found: Locks, json: boolean): Promise<void> {
  if (json) cli.out.json(found);
  else cli.out.print(...toLocksLines(cli.out, found, await namesOf(cli)));
}

/** On a screen each picture replaces the one before; elsewhere they follow each other. */
async function draw(cli: Cli, found: Locks): Promise<void> {
  const lines = toLocksLines(cli.out, found, await namesOf(cli));
  if (!cli.out.isScreen) return cli.out.print(...lines, "");
  // What does not fit would scroll the picture away from its place.
  const room = cli.out.height - 2;
  const shown = lines.length <= room ? lines : [...lines.slice(0, room), `… ${lines.length - room} more lines`];
  const clearLine = "\u001b[K\n";
  cli.out.raw(`${home}${shown.join(clearLine)}${clearLine}${clearBelow}`);
}

async function namesOf(cli: Cli): Promise<ProjectNames> {
  const { projects } = await cli.link.call("project.list", {});
  return new Map(projects.map(({ id, name }) => [id, name]));
}
