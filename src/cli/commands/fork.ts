import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun, stepFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { howItStands, tellDone } from "../tell-done.ts";

type Flags = CommonFlags & { readonly step: number; readonly runner?: string; readonly message?: string };

export const fork = defineCommand<Flags, [string]>({
  usage: "RUN --step N [--runner RUNNER] [-m TEXT]",
  about:
    "The new run has a workspace of its own, which begins as the step left that of the other run. It claims what is changed there; what others have changed in the same place since is set aside. A script goes on after the step. The id on standard output is that of the new run.",
  examples: [
    ["fork r_1a --step 3", "Go on from step 3 once more."],
    ["fork r_1a --step 3 --runner claude -m 'finish this without the cache'", "Let somebody else go on."],
  ],
  parameters: {
    flags: {
      step: stepFlag,
      runner: {
        kind: "parsed",
        parse: parseNonEmpty,
        optional: true,
        placeholder: "RUNNER",
        brief: "Who goes on. Left out: the same runner.",
      },
      message: { kind: "parsed", parse: parseNonEmpty, optional: true, placeholder: "TEXT", brief: "For the new run." },
      json: jsonFlag,
    },
    aliases: { m: "message" },
    positional: oneRun,
  },
  async run(cli, { step, runner, message, json }, run) {
    const more = { ...(runner === undefined ? {} : { runner }), ...(message === undefined ? {} : { message }) };
    const answer = await cli.link.call("run.fork", { run, step, ...more });
    if (json) return cli.out.json({ ...answer, forkOf: run, step });
    const sentence = `${answer.run} goes on from step ${step} of ${run}.${await howItStands(cli, answer.run)}`;
    tellDone(cli, answer.run, sentence);
  },
});
