import { exitCodes } from "../../protocol/errors.ts";
import type { InputOf } from "../../protocol/operations.ts";
import { modelFormats } from "../../protocol/wire/own-runner.ts";
import { presetNames, type Runner } from "../../protocol/wire/runner.ts";
import type { Cli } from "../cli.ts";
import { completeRunners } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, textFlag } from "../flags.ts";
import { parseNonEmpty, parseVariable, type Variable } from "../parse-args.ts";
import { readSettingsFile } from "../read-settings-file.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { type Field, toFieldLines } from "../view/fields-view.ts";

type Flags = CommonFlags & {
  readonly file?: string;
  readonly format?: (typeof modelFormats)[number];
  readonly credential?: string;
  readonly baseUrl?: string;
  readonly auth?: string;
  readonly model?: string;
  readonly env: readonly Variable[];
};

const acts = ["probe", "add", "show", "remove", "preset"];

export const runners = defineCommand<Flags, string[]>({
  usage:
    "[probe NAME [--model MODEL] | add NAME [flags] -- COMMAND… | show NAME | remove NAME | preset NAME PRESET [MODEL]]",
  about: `What is there of each runner's program and in which version, what it can do, and whether somebody pays for its models:
where a credential is configured, never its value. With probe, a small model of the runner's is asked for one token, at its
price, where a run of it would ask; of one whose models are elsewhere than usual, name the model.

With preset, fast, cheap or smart in a profile means this model to the runner, from the next start of its program on; without a
model it means what is built in again. show has what they mean.

With add, any agent that speaks the Agent Client Protocol becomes the runner acp:NAME. What stands after -- starts it; its
program is found on the daemon's PATH. It runs in the cage of its run, with the run's door for tools and the relay for a
model. {home}, {relay}, {token} and {model} are put into its command, its variables and its files; an argument with {model}
is left out where no model is named. A file holds the same as YAML or JSON: command, format, credential, baseUrl, auth, env,
files (each with path and text, laid out in its home). Flags are put over what the file says.`,
  examples: [
    ["runners", "What this machine has, and how to get what it has not."],
    ["runners probe claude", "See whether its model answers."],
    ["runners preset codex cheap gpt-5-mini", "What profiles with --preset cheap get from codex."],
    ["runners add mine --format anthropic -- my-agent acp", "Any agent; then signalbox run … --runner acp:mine."],
    ["runners add other --file other.yaml --credential OTHER_API_KEY", "With settings of its own, and its own key."],
  ],
  parameters: {
    flags: {
      file: textFlag("FILE", "With add: reads the definition from a file; - is standard input."),
      format: {
        kind: "enum",
        values: modelFormats,
        optional: true,
        brief: "With add: how its program asks models, and so whose they are.",
      },
      credential: textFlag("NAME", "With add: the credential that pays for its models, if not the usual one."),
      baseUrl: textFlag("URL", "With add: where its models are, if not where they usually are."),
      model: textFlag("MODEL", "With probe: the model to ask, if not a small one of its maker's."),
      auth: textFlag("METHOD", "With add: the way to be let in that it asks for, if it does."),
      env: {
        kind: "parsed",
        parse: parseVariable,
        variadic: true,
        default: [],
        placeholder: "NAME=VALUE",
        brief: "With add: a variable that its program sees.",
      },
      json: jsonFlag,
    },
    positional: {
      kind: "array",
      parameter: {
        parse: parseNonEmpty,
        placeholder: "WORD",
        brief: "What to do, with which runner; then, after --, the command of the one to add.",
        proposeCompletions: completeRunners,
      },
    },
  },
  async run(cli, flags, act, name, ...command) {
    if (act === undefined) return list(cli, flags.json);
    if (!acts.includes(act)) throw new UsageError(`What can stand here is ${acts.join(", ")}.`);
    if (name === undefined) throw new UsageError(`Which one? signalbox runners ${act} NAME.`);
    if (act === "add") return add(cli, flags, name, command);
    if (act === "preset") return choose(cli, name, command, flags.json);
    if (command.length > 0) throw new UsageError(`One at a time: signalbox runners ${act} NAME.`);
    if (act === "show") return show(cli, name, flags.json);
    return act === "remove" ? remove(cli, name, flags.json) : probe(cli, name, flags);
  },
});

async function add(cli: Cli, flags: Flags, name: string, command: readonly string[]): Promise<void> {
  const { file, format, credential, baseUrl, auth, env } = flags;
  const base = file === undefined ? {} : await readSettingsFile(cli, file);
  const stated = {
    ...{ format, credential, baseUrl, auth },
    command: command.length === 0 ? undefined : [...command],
    env: env.length === 0 ? undefined : Object.fromEntries(env.map((each) => [each.name, each.value])),
  };
  const said = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
  await cli.link.call("runner.set", { name: ownName(name), ...base, ...said } as InputOf<"runner.set">);
  if (!flags.json) cli.out.note(`Use it with: signalbox run TITLE --runner acp:${toSafeLine(ownName(name))}`);
  return show(cli, `acp:${ownName(name)}`, flags.json);
}

async function remove(cli: Cli, name: string, json: boolean): Promise<void> {
  const answer = await cli.link.call("runner.remove", { name: ownName(name) });
  if (json) return cli.out.json(answer);
  cli.out.print(`The runner acp:${toSafeLine(ownName(name))} is removed.`);
}

async function show(cli: Cli, name: string, json: boolean): Promise<void> {
  const { runners: all } = await cli.link.call("runner.list", {});
  const runner = all.find((each) => each.name === name) ?? all.find((each) => each.name === `acp:${name}`);
  if (runner === undefined)
    throw new UsageError(`There is no runner ${toSafeLine(name)}. signalbox runners lists them.`);
  if (json) return cli.out.json({ runner });
  cli.out.print(...toFieldLines(cli.out, toRunnerFields(runner)));
}

function toRunnerFields(runner: Runner): Field[] {
  const { own } = runner;
  const fields: Field[] = [
    ["runner", runner.name],
    ["version", versionOf(runner)],
    ["credential", credentialOf(runner)],
    ...(runner.missing === null ? [["can", canOf(runner)] as const] : [["missing", runner.missing] as const]),
    ...(runner.way === null ? [] : [["spoken to by", `${runner.name} ${runner.way}`] as const]),
    ["presets", Object.entries(runner.presets).map(([preset, model]) => `${preset} is ${model}`)],
  ];
  if (own === null) return fields;
  return [
    ...fields,
    ["command", own.command.join(" ")],
    ["format", own.format],
    ["models at", own.baseUrl ?? "the usual place"],
    ["let in by", own.auth ?? "nothing"],
    ["variables", Object.entries(own.env).map(([variable, value]) => `${variable}=${value}`)],
    ["files", own.files.map(({ path, text }) => `${path} (${text.length} characters)`)],
  ];
}

/** Says which model a preset means to a runner; without one, that it is the built-in one again. */
async function choose(cli: Cli, runner: string, words: readonly string[], json: boolean): Promise<void> {
  const [said, model = null, ...more] = words;
  const preset = presetNames.find((each) => each === said);
  if (preset === undefined || more.length > 0)
    throw new UsageError(
      `Say which one: signalbox runners preset ${toSafeLine(runner)} ${presetNames.join("|")} [MODEL].`,
    );
  const answer = await cli.link.call("runner.preset", { runner, preset, model });
  if (json) return cli.out.json(answer);
  const means = answer.presets[preset];
  cli.out.print(
    toSafeLine(
      means === undefined ? `${preset} means nothing to ${runner}.` : `${preset} means ${means} to ${runner}.`,
    ),
  );
}

/** People may say acp:NAME here as everywhere. */
function ownName(name: string): string {
  return name.replace(/^acp:/, "");
}

async function list(cli: Cli, json: boolean): Promise<void> {
  const answer = await cli.link.call("runner.list", {});
  if (json) return cli.out.json(answer);
  cli.out.table(
    [{ title: "RUNNER" }, { title: "VERSION" }, { title: "CREDENTIAL" }, { title: "CAN", cut: "end" }],
    answer.runners.map((runner) => [toSafeLine(runner.name), versionOf(runner), credentialOf(runner), canNow(runner)]),
  );
  const remarks = answer.runners.flatMap(({ name, missing, warning }) =>
    [missing, warning].flatMap((text) => (text === null ? [] : [toSafeLine(`${name}: ${text}`)])),
  );
  if (remarks.length > 0) cli.out.note("", ...remarks);
}

async function probe(cli: Cli, runner: string, { model, json }: Flags): Promise<number> {
  const answer = await cli.link.call("runner.probe", { runner, ...(model === undefined ? {} : { model }) });
  if (json) cli.out.json(answer);
  else if (answer.ok) cli.out.print(`${toSafeLine(runner)}: ${toSafeLine(answer.model ?? "its model")} answers.`);
  else {
    const status = answer.status === null ? "" : ` (${answer.status})`;
    const what = answer.model === null ? "no model was asked" : `${answer.model} does not answer`;
    cli.out.print(toSafeLine(`${runner}: ${what}${status}: ${answer.why ?? "it does not say why"}`));
  }
  return answer.ok ? 0 : exitCodes.failed;
}

function versionOf({ kind, version, missing }: Runner): string {
  if (kind === "built-in") return "built in";
  return missing === null ? toSafeLine(version ?? "unknown") : "missing";
}

function credentialOf({ kind, provider, credential }: Runner): string {
  if (kind === "built-in") return "";
  return credential === null
    ? `none for ${provider ?? "any maker"}`
    : toSafeLine(`${credential.name} (${credential.from})`);
}

/** Of a program that is not there nobody knows what it can do. */
function canNow(runner: Runner): string {
  return runner.missing === null ? canOf(runner) : "nothing until it is installed";
}

function canOf({ can }: Runner): string {
  return Object.entries(can)
    .flatMap(([name, isAble]) => (isAble ? [name] : []))
    .join(", ");
}
