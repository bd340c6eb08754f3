import { exitCodes, protocolError } from "../../protocol/errors.ts";
import type { Project } from "../../protocol/wire/project.ts";
import { runStates, type Run } from "../../protocol/wire/run.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun, seenFlag } from "../flags.ts";
import { askPatiently } from "../patience.ts";
import { Progress } from "../progress.ts";
import { tellAsides } from "../tell-asides.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { whenPublished } from "../when-published.ts";
import { whereItIs } from "../where-it-is.ts";

export const land = defineCommand<CommonFlags & { readonly seen?: string }, [string]>({
  usage: "RUN [--seen ID]",
  about: `Approves everything that a run in review has changed, waits until it has landed, and prints the commit. A run that was
approved already is only waited for, also while it claims again what it has lost, or its assistant makes one of two changes of the same
place. When the project's test fails, when it has to be looked at again, or when all of it was set aside, it says why and ends with 1; with 9 where some of it was.`,
  examples: [
    ["land r_1a", "Say yes, and see it through."],
    ["land r_1a --seen 0f3a5c7e9b1d2468", "Only if nothing has changed since signalbox review showed it."],
  ],
  parameters: { flags: { seen: seenFlag, json: jsonFlag }, positional: oneRun },
  async run(cli, { seen, json }, id) {
    const { run } = await cli.link.call("run.get", { run: id });
    if (run.state === "review")
      await cli.link.call("run.approve", { run: id, ...(seen === undefined ? {} : { seen }) });
    else if (run.state !== "landing" && run.landed === null)
      throw protocolError("wrong-state", { run: id, state: run.state, wanted: "in review" });
    cli.interrupt.sayOnLeaving(
      `Left. ${id} goes on: signalbox inspect ${id} says whether it has landed, or what it waits for.`,
    );
    const progress = new Progress(cli.out, `landing ${id}`);
    try {
      const ended = await settle(cli, id);
      const project = await whenPublished(cli, ended);
      progress.stop();
      if (json) cli.out.json({ run: ended, project });
      else tell(cli, ended, project);
      const isInPart = ended.state === "done" && (await tellAsides(cli, ended, { json }));
      if (ended.state !== "done" || (isInPart && ended.landed === null)) return exitCodes.failed;
      return isInPart ? exitCodes.needsSomebody : exitCodes.ok;
    } finally {
      progress.stop();
    }
  },
});

/** Where a run is that may still land without a person's word: it claims again what it lost, or mends what met somebody else's work. */
const onTheWay: ReadonlySet<Run["state"]> = new Set(["landing", "parked", "running", "blocked", "validating"]);

async function settle(cli: Cli, run: string): Promise<Run> {
  const { signal } = cli.interrupt;
  const states = runStates.filter((state) => !onTheWay.has(state));
  for (;;) {
    const ask = { run, states, waitMs: 5000 };
    const seen = await askPatiently(cli, signal, () => cli.link.call("run.wait", ask, { signal }));
    if (seen.reached) return seen.run;
  }
}

function tell(cli: Cli, run: Run, project: Project): void {
  const { id, state, because, landed } = run;
  if (state === "done" && landed !== null) {
    cli.out.print(landed);
    return cli.out.note(whereItIs(run, project));
  }
  const why = (because ?? "").replace(/[\s:.]+$/, "");
  cli.out.note(toSafeLine(`${id} is ${state === "review" ? "in review" : state}${why === "" ? "" : `: ${why}`}.`));
  if (state === "review") cli.out.note(`signalbox review ${id} shows what there is to decide.`);
}
