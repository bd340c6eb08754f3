import type { InputOf } from "../../protocol/operations.ts";
import { presetNames } from "../../protocol/wire/runner.ts";
import { completeProfiles, completeRunners } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { durationFlag, egressFlag, type EgressKind, flag, jsonFlag, several, textFlag } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { parseCount, parseDollarAmount, parseNonEmpty, parseVariable, type Variable } from "../parse-args.ts";
import { readSettingsFile } from "../read-settings-file.ts";
import { toImage } from "../to-image.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toFieldLines } from "../view/fields-view.ts";
import { toProfileFields, toSettings } from "../view/profile-view.ts";

type Settings = InputOf<"profile.set">["settings"];

type Server = readonly [name: string, server: NonNullable<Settings["mcpServers"]>[string]];

type Flags = CommonFlags & {
  readonly file?: string;
  readonly ensure: boolean;
  readonly runner?: string;
  readonly fallback: readonly string[];
  readonly model?: string;
  readonly preset?: (typeof presetNames)[number];
  readonly maxTurns?: number;
  readonly tools?: "door" | "native";
  readonly maxTime?: number;
  readonly allowTool: readonly string[];
  readonly denyTool: readonly string[];
  readonly policy?: string;
  readonly prompt: readonly string[];
  readonly env: readonly Variable[];
  readonly egress?: EgressKind;
  readonly face: readonly string[];
  readonly mcpServer: readonly Server[];
  readonly image?: string;
  readonly dockerfile?: string;
  readonly maxCost?: number;
};

const named = {
  parse: parseNonEmpty,
  placeholder: "NAME",
  brief: "Name of a profile.",
  proposeCompletions: completeProfiles,
} as const;

export const profileSet = defineCommand<Flags, [string]>({
  usage: "NAME [--file FILE] [--ensure] [flags]",
  about: `A file holds the settings as YAML or JSON: runner, fallbacks, model, preset, maxTurns, maxTimeMs, allowedTools,
deniedTools, tools, policy, prompt, env, egress, faces, mcpServers, image, maxCostMicros. Flags are put over what the file says. Runs that were submitted
before keep what they have. It is kept in plain, so nothing in it may look like a secret.`,
  examples: [
    ["profile set reviewer --runner claude --preset smart --deny-tool run_command", "One that cannot run commands."],
    ["profile set cheap --runner claude --fallback codex --preset cheap --max-cost 0.50", "With a second choice."],
    ["profile set node22 --runner claude --image docker.io/library/node:22", "Its runs work in an image."],
    ["profile set caller --runner claude --face 'shop-*/tools'", "Its runs may call faces of agents."],
    ["profile set night --file night.yaml --ensure", "From a file, unless there is one already."],
  ],
  parameters: {
    flags: {
      file: textFlag("FILE", "Reads the settings from a file; - is standard input."),
      ensure: flag("Leaves a profile of the name as it is."),
      runner: { ...textFlag("NAME", "Who does it."), proposeCompletions: completeRunners },
      fallback: {
        ...several(parseNonEmpty),
        placeholder: "NAME",
        brief: "A runner to use instead where that one is missing, or after it has failed.",
      },
      model: textFlag("MODEL", "The model that the runner asks for."),
      preset: {
        kind: "enum",
        values: presetNames,
        optional: true,
        brief: "What is wanted of a model; signalbox runners show RUNNER says which that is.",
      },
      maxTurns: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: "How often its assistant may ask its model after it was given something to do.",
      },
      maxTime: durationFlag("How long a run may be at work, beside what policies say."),
      allowTool: { ...several(parseNonEmpty), placeholder: "TOOL", brief: "Only these tools of the door." },
      denyTool: { ...several(parseNonEmpty), placeholder: "TOOL", brief: "Not these tools of the door." },
      tools: {
        kind: "enum",
        values: ["door", "native"],
        optional: true,
        brief: "native: its assistant also has tools of its own, which ask the door before they write.",
      },
      policy: textFlag("NAME", "A policy that speaks of its runs, whatever its scope is."),
      prompt: { ...several(parseNonEmpty), placeholder: "TEXT", brief: "What its assistant is told beside the task." },
      env: {
        kind: "parsed",
        parse: parseVariable,
        variadic: true,
        default: [],
        placeholder: "NAME=VALUE",
        brief: "A variable that its program and its commands see.",
      },
      egress: { ...egressFlag, brief: "How much of the network its runs have where nobody says otherwise." },
      face: {
        ...several(parseNonEmpty),
        placeholder: "AGENT/FACE",
        brief: "A face of an agent that its runs may call; * is any part.",
      },
      mcpServer: {
        kind: "parsed",
        parse: parseServer,
        variadic: true,
        default: [],
        placeholder: "NAME=URL",
        brief: "A server of tools that its assistants have too; or NAME=AGENT/FACE. A file says more.",
      },
      image: textFlag(
        "NAME",
        "The image that its runs work in where nobody says otherwise; none is the machine's own system.",
      ),
      dockerfile: textFlag("PATH", "A Dockerfile of the run's project, from which that image is built."),
      maxCost: {
        kind: "parsed",
        parse: parseDollarAmount,
        optional: true,
        placeholder: "DOLLARS",
        brief: "What model requests of one run may cost, beside what policies say.",
      },
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [{ ...named, brief: "Name of the profile." }] },
  },
  async run(cli, flags, name) {
    const base = flags.file === undefined ? {} : await readSettingsFile(cli, flags.file);
    const settings = { ...(base as Settings), ...settingsOf(flags) };
    if (flags.ensure) {
      const { made } = await cli.link.call("profile.ensure", { name, settings });
      if (!made && !flags.json) cli.out.note(`There is a profile ${toSafeLine(name)} already; it stays as it is.`);
    } else await cli.link.call("profile.set", { name, settings });
    const answer = await cli.link.call("profile.get", { name });
    if (flags.json) return cli.out.json(answer);
    cli.out.print(...toFieldLines(cli.out, toProfileFields(answer.profile)));
  },
});

export const profileList = defineCommand({
  usage: "",
  examples: [["profile list", "See all profiles."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("profile.list", {});
    if (json) return cli.out.json(answer);
    if (answer.profiles.length === 0)
      return cli.out.note("There is no profile. Make one with: signalbox profile set NAME …");
    cli.out.table(
      [{ title: "PROFILE" }, { title: "RUNNER" }, { title: "SETTINGS", cut: "end" }],
      answer.profiles.map(({ name, settings: { runner, ...rest } }) => [
        toSafeLine(name),
        toSafeLine(runner ?? ""),
        toSafeLine(toSettings(rest).join("; ")),
      ]),
    );
  },
});

export const profileShow = defineCommand<CommonFlags, [string]>({
  usage: "NAME",
  examples: [["profile show reviewer", "See what it says."]],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "tuple", parameters: [named] } },
  async run(cli, { json }, name) {
    const answer = await cli.link.call("profile.get", { name });
    if (json) return cli.out.json(answer);
    cli.out.print(...toFieldLines(cli.out, toProfileFields(answer.profile)));
  },
});

export const profileRemove = defineCommand<CommonFlags, string[]>({
  usage: "NAME…",
  about: "Runs that have it keep what it said.",
  examples: [["profile remove reviewer", "Take a profile away."]],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "array", minimum: 1, parameter: named } },
  run: (cli, { json }, ...names) =>
    forEach(
      cli,
      names,
      json,
      async (name) => {
        await cli.link.call("profile.remove", { name });
        return `The profile ${toSafeLine(name)} is removed. Runs that have it keep what it said.`;
      },
      "profiles",
    ),
});

/** Where it is says what it is: an address, or a face of an agent. */
function parseServer(text: string): Server {
  const at = text.indexOf("=");
  const [name, place] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || place === "") throw new Error("a server is NAME=URL or NAME=AGENT/FACE.");
  return [name, /^https?:/.test(place) ? { url: place } : { face: place }];
}

function settingsOf(flags: Flags): Settings {
  const { runner, model, preset, maxTurns, tools, policy, egress, fallback, allowTool, denyTool, prompt, env } = flags;
  const some = (items: readonly string[]): string[] | undefined => (items.length === 0 ? undefined : [...items]);
  const stated = {
    ...{ runner, model, preset, maxTurns, tools, policy, egress, image: toImage(flags) },
    fallbacks: some(fallback),
    maxTimeMs: flags.maxTime,
    allowedTools: some(allowTool),
    deniedTools: some(denyTool),
    prompt: some(prompt),
    faces: some(flags.face),
    mcpServers: flags.mcpServer.length === 0 ? undefined : Object.fromEntries(flags.mcpServer),
    env: env.length === 0 ? undefined : Object.fromEntries(env.map(({ name, value }) => [name, value])),
    maxCostMicros: flags.maxCost,
  };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}
