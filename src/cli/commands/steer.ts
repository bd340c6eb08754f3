import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, runArgument } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { howItStands, tellDone } from "../tell-done.ts";

type Flags = CommonFlags & { readonly interrupt?: boolean };

export const steer = defineCommand<Flags, [string, string]>({
  usage: "RUN MESSAGE",
  about:
    "The run hears it in the middle of its work, at its next step. With --interrupt it leaves what it is doing first.",
  examples: [
    ["steer r_1a 'leave the old API as it is'", "Say something to a run at work."],
    ["steer r_1a --interrupt 'stop: the other file'", "Let it leave what it is doing for it."],
  ],
  parameters: {
    flags: {
      json: jsonFlag,
      interrupt: { kind: "boolean", optional: true, brief: "It leaves what it is doing for it." },
    },
    positional: {
      kind: "tuple",
      parameters: [runArgument, { parse: parseNonEmpty, placeholder: "MESSAGE", brief: "What it should know." }],
    },
  },
  async run(cli, { json, interrupt = false }, run, message) {
    await cli.link.call("run.steer", { run, message, interrupt });
    if (json) cli.out.json({ run });
    else tellDone(cli, run, `${run} is told.${await howItStands(cli, run)}`);
  },
});
