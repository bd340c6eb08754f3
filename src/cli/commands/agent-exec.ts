import { exitCodes } from "../../protocol/errors.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { durationFlag, jsonFlag, textFlag } from "../flags.ts";
import { listenTo } from "../listen-to-exec.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & { readonly cwd?: string; readonly timeout?: number };

const flags = {
  cwd: textFlag("FOLDER", "A folder of the workspace."),
  timeout: durationFlag("Ends it after this time. Left out: never; with --json after a minute."),
  json: jsonFlag,
} as const;

export const agentExec = defineCommand<Flags, string[]>({
  usage: "AGENT [--cwd FOLDER] [--timeout DURATION] -- COMMAND…",
  about: `Runs a command inside an agent, beside its services, and ends as the command does. What it says comes as it says it, both of its
streams together on standard output, all of it. What is piped in here it reads; Ctrl-C interrupts it. A restart of the daemon in the middle
is no end of it. With --json there is one answer, when it has ended: of much output only the last 512 KiB, and nothing to read. What needs a
terminal wants "signalbox attach".`,
  examples: [
    ["agent exec shop-1 -- psql -l", "Look into its database."],
    ["agent exec shop-1 -- psql app < dump.sql", "Give it something to read."],
    ["agent exec shop-1 --timeout 5m -- npm test", "For five minutes at most."],
  ],
  parameters: {
    flags,
    positional: {
      kind: "array",
      parameter: { parse: parseNonEmpty, placeholder: "AGENT COMMAND", brief: "The agent, then the command." },
      minimum: 1,
    },
  },
  async run(cli, { cwd, timeout, json }, ref, ...argv) {
    if (ref === undefined || argv.length === 0)
      throw new UsageError("There is no command. Name one after --, such as: signalbox agent exec shop-1 -- ls");
    const wish = { agent: ref, argv, ...toWish(cwd, timeout) };
    return json ? codeOfOne(cli, await cli.link.call("agent.exec", wish)) : codeOf(cli, await listenTo(cli, wish));
  },
});

export const serviceExec = defineCommand<Flags, string[]>({
  usage: "AGENT SERVICE [--cwd FOLDER] [--timeout DURATION] -- COMMAND…",
  about: `Runs a command beside a service, as agent exec does: in the folder of the service, and with its variables and ports, so that it sees
what the service sees. Secrets are for services alone. Of several instances it is the first, unless one is named.`,
  examples: [
    ["service exec shop-1 web -- env", "See which variables it has."],
    ["service exec shop-1 web.2 -- sh -c 'curl 127.0.0.1:$PORT'", "Ask one of its instances."],
  ],
  parameters: {
    flags,
    positional: {
      kind: "array",
      parameter: {
        ...{ parse: parseNonEmpty, placeholder: "AGENT SERVICE COMMAND" },
        brief: "The agent, the service, then the command.",
      },
      minimum: 1,
    },
  },
  async run(cli, { cwd, timeout, json }, ref, service, ...argv) {
    if (ref === undefined || service === undefined || argv.length === 0)
      throw new UsageError("There is no command. Name one after --, such as: signalbox service exec shop-1 web -- env");
    const wish = { agent: ref, service, argv, ...toWish(cwd, timeout) };
    return json ? codeOfOne(cli, await cli.link.call("service.exec", wish)) : codeOf(cli, await listenTo(cli, wish));
  },
});

function toWish(cwd: string | undefined, timeoutMs: number | undefined): { cwd?: string; timeoutMs?: number } {
  return { ...(cwd === undefined ? {} : { cwd }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

function codeOfOne(cli: Cli, answer: OutputOf<"agent.exec">): number {
  cli.out.json(answer);
  if (answer.why === "timed-out") return exitCodes.timedOut;
  return answer.exit === "unknown" ? exitCodes.failed : answer.exit;
}

/** The command's own, unless it has none. */
function codeOf(cli: Cli, { exit, why }: NonNullable<OutputOf<"exec.output">["end"]>): number {
  if (why === "timed-out") {
    cli.out.note("It took longer than it may, and was ended.");
    return exitCodes.timedOut;
  }
  if (why === "out-of-memory") cli.out.note("It took more memory than there is for the agent, and was ended.");
  if (why === "out-of-disk") cli.out.note("The agent took more of the disk than it may, so it was ended.");
  if (exit !== "unknown") return exit;
  cli.out.note("What kept it was lost, and with it how it ended.");
  return exitCodes.failed;
}
