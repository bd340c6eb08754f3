import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, manyRuns } from "../flags.ts";
import { forEach } from "../for-each.ts";

export const resume = defineCommand<CommonFlags, string[]>({
  usage: "RUN…",
  examples: [["resume r_1a", "Let a paused run go on."]],
  parameters: { flags: { json: jsonFlag }, positional: manyRuns },
  run: (cli, { json }, ...runs) => forEach(cli, runs, json, (run) => cli.link.call("run.resume", { run })),
});
