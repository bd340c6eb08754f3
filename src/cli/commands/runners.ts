import { exitCodes } from "../../protocol/errors.ts";
import type { Runner } from "../../protocol/wire/runner.ts";
import type { Cli } from "../cli.ts";
import { completeRunners } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { UsageError } from "../usage-error.ts";

export const runners = defineCommand<CommonFlags, [string?, string?]>({
  usage: "[probe NAME]",
  about: `What is there of each runner's program and in which version, what it can do, and whether somebody pays for its models:
where a credential is configured, never its value. With probe, the runner's model is asked for one token, at its price.`,
  examples: [
    ["runners", "What this machine has, and how to get what it has not."],
    ["runners probe claude", "See whether its model answers."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [
        { parse: parseProbe, optional: true, placeholder: "probe", brief: "Asks the model of one of them." },
        {
          parse: parseNonEmpty,
          optional: true,
          placeholder: "NAME",
          brief: "Name of a runner.",
          proposeCompletions: completeRunners,
        },
      ],
    },
  },
  async run(cli, { json }, act, name) {
    if (act === undefined) return list(cli, json);
    if (name === undefined) throw new UsageError("Which one? signalbox runners probe NAME.");
    return probe(cli, name, json);
  },
});

function parseProbe(text: string): string {
  if (text === "probe") return text;
  throw new Error("the only word that can stand here is probe.");
}

async function list(cli: Cli, json: boolean): Promise<void> {
  const answer = await cli.link.call("runner.list", {});
  if (json) return cli.out.json(answer);
  cli.out.table(
    [{ title: "RUNNER" }, { title: "VERSION" }, { title: "CREDENTIAL" }, { title: "CAN", cut: "end" }],
    answer.runners.map((runner) => [toSafeLine(runner.name), versionOf(runner), credentialOf(runner), canOf(runner)]),
  );
  const remarks = answer.runners.flatMap(({ name, missing, warning }) =>
    [missing, warning].flatMap((text) => (text === null ? [] : [toSafeLine(`${name}: ${text}`)])),
  );
  if (remarks.length > 0) cli.out.note("", ...remarks);
}

async function probe(cli: Cli, runner: string, json: boolean): Promise<number> {
  const answer = await cli.link.call("runner.probe", { runner });
  if (json) cli.out.json(answer);
  else if (answer.ok) cli.out.print(`${toSafeLine(runner)}: ${toSafeLine(answer.model)} answers.`);
  else {
    const status = answer.status === null ? "" : ` (${answer.status})`;
    cli.out.print(
      toSafeLine(`${runner}: ${answer.model} does not answer${status}: ${answer.why ?? "it does not say why"}`),
    );
  }
  return answer.ok ? 0 : exitCodes.failed;
}

function versionOf({ kind, version, missing }: Runner): string {
  if (kind === "built-in") return "built in";
  return missing === null ? toSafeLine(version ?? "unknown") : "missing";
}

function credentialOf({ provider, credential }: Runner): string {
  if (provider === null) return "";
  return credential === null ? `none for ${provider}` : toSafeLine(`${credential.name} (${credential.from})`);
}

function canOf({ can }: Runner): string {
  return Object.entries(can)
    .flatMap(([name, isAble]) => (isAble ? [name] : []))
    .join(", ");
}
