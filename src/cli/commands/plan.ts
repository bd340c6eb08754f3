import { limits } from "../../protocol/limits.ts";
import { defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun } from "../flags.ts";
import { toSafeLine } from "../text/safe-text.ts";

export const plan = defineCommand<{ readonly json: boolean }, [string]>({
  usage: "RUN",
  about: `Units are held, waiting (behind whom), free (claimed together with the others when the run starts) or given back. Steps are
those of a script: done, running, waiting, pending, failed, or skipped because the run is over. Each has the number that --step
takes; giving back and failing are no calls, and have none. What an assistant has planned is among what it said: signalbox logs RUN.`,
  examples: [["plan r_1a", "How far it is, and what it waits for."]],
  parameters: { flags: { json: jsonFlag }, positional: oneRun },
  async run(cli, { json }, run) {
    const { plan: found } = await cli.link.call("run.plan", { run, limit: limits.pageMax });
    if (json) return cli.out.json({ plan: found });
    const { units, steps, count } = found;
    if (units.length === 0 && steps === null) return cli.out.note(`${run} has no plan: it decides as it goes.`);
    cli.out.table(
      [{ title: "STEP", align: "right" }, { title: "STATE" }, { title: "WHAT", cut: "end" }, { title: "BEHIND" }],
      [
        ...units.map(({ unit, state, behind }) => ["", state, toSafeLine(unit), toSafeLine(behind.join(", "))]),
        ...(steps ?? []).map(({ call, do: kind, about, state, behind }) => [
          String(call ?? ""),
          state,
          toSafeLine(`${kind} ${about}`),
          toSafeLine(behind.join(", ")),
        ]),
      ],
    );
    if (steps !== null && count > steps.length) cli.out.note(`And ${count - steps.length} more steps.`);
  },
});
