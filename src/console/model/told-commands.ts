// The command lines that do what was just done in a form: whole, so that they can be kept in a script.

import type { Project } from "../../protocol/wire/project.ts";
import { joinShell, toShell } from "./shell-text.ts";

type Words = Readonly<Record<string, unknown>>;

/** With what it reads from its standard input, up to a line that nothing in it is. */
export function withInput(command: string, text: string): string {
  let end = "END";
  while (text.split("\n").includes(end)) end += "_";
  return `${command} <<'${end}'\n${text.replace(/\n$/, "")}\n${end}`;
}

/** Policies and profiles are replaced as a whole. A name is no part of what a file says. */
export function toSetCommand(noun: "policy" | "profile", { name, settings, ...rest }: Words): string {
  const said = settings ?? rest;
  return withInput(`signalbox ${noun} set ${toShell(String(name))} --file -`, JSON.stringify(said, null, 2));
}

export function toRunnerCommand({ name, ...said }: Words): string {
  return withInput(`signalbox runners add ${toShell(String(name))} --file -`, JSON.stringify(said, null, 2));
}

export function toPriceCommand(price: {
  readonly model: string;
  readonly inputMicros: number;
  readonly outputMicros: number;
  readonly cacheReadMicros?: number;
  readonly cacheWriteMicros?: number;
}): string {
  const { model, inputMicros, outputMicros, cacheReadMicros, cacheWriteMicros } = price;
  return toLine([
    ...["price", "set", model, "--input", toPlainDollars(inputMicros), "--output", toPlainDollars(outputMicros)],
    ...(cacheReadMicros === undefined ? [] : ["--cache-read", toPlainDollars(cacheReadMicros)]),
    ...(cacheWriteMicros === undefined ? [] : ["--cache-write", toPlainDollars(cacheWriteMicros)]),
  ]);
}

/** As a command line and a field take them; what has more places than two keeps them. */
export function toPlainDollars(micros: number): string {
  const dollars = (micros / 1_000_000).toFixed(6).replace(/0+$/, "");
  const [whole = "0", part = ""] = dollars.split(".");
  return `${whole}.${part.padEnd(2, "0")}`;
}

export function toTaskCommand({ project, title, ...words }: Words): string {
  return toLine(["task", "add", String(title), ...flag("--project", project), ...taskFlags(words)]);
}

export function toTaskChangeCommand(task: string, { title, ...words }: Words): string {
  // An empty scope takes the old one away, as nothing does.
  const scope = Array.isArray(words["scope"]) && words["scope"].length === 0 ? null : words["scope"];
  return toLine(["task", "change", task, ...flag("--title", title), ...taskFlags({ ...words, scope })]);
}

function taskFlags({ description, acceptance, scope }: Words): string[] {
  return [
    ...flag("--description", description),
    ...(acceptance === null ? ["--no-accept"] : flag("--accept", toCommandText(acceptance))),
    ...(scope === null ? ["--everywhere"] : listOf(scope).flatMap((path) => flag("--scope", path))),
  ];
}

type Attached =
  | { readonly kind: "note"; readonly name: string; readonly text: string }
  | { readonly kind: "link"; readonly name: string; readonly url: string }
  | { readonly kind: "file"; readonly name: string };

/** A browser does not say where a file lies: it is named as it was chosen. */
export function toAttachCommand(task: string, attached: Attached, fileName: string): string {
  const said = {
    note: () => flag("--note", `${attached.name}=${attached.kind === "note" ? attached.text : ""}`),
    link: () => flag("--link", `${attached.name}=${attached.kind === "link" ? attached.url : ""}`),
    file: () => flag("--file", fileName),
  }[attached.kind]();
  return toLine(["task", "attach", task, ...said]);
}

/** The task says what is wanted; the rest is who does it. */
export function toStartCommand(task: string, project: string, value: Words): string {
  const { runner, profile, script, command, plan, priority, tags } = value;
  const argv = listOf(command);
  const line = toLine([
    ...["run", "--task", task, "--project", project],
    ...flag("--runner", runner),
    ...flag("--profile", profile),
    ...listOf(plan).flatMap((unit) => flag("--plan", unit)),
    ...flag("--priority", priority),
    ...listOf(tags).flatMap((tag) => flag("--tag", tag)),
    ...(typeof script === "string" ? ["--script", "-"] : []),
    ...(argv.length === 0 ? [] : ["--", ...argv]),
  ]);
  return typeof script === "string" ? withInput(line, script) : line;
}

/** A run of a task that is made with it. */
export function toRunCommand({ project, title, script, command, ...value }: Words): string {
  const { runner, profile, agent, description, acceptance, plan, priority, tags, dependsOn, egress, noCage } = value;
  const argv = listOf(command);
  const line = toLine([
    ...["run", ...(typeof title === "string" ? [title] : []), "--project", String(project)],
    ...flag("--description", description),
    ...flag("--accept", toCommandText(acceptance)),
    ...listOf(value["scope"]).flatMap((path) => ["--scope", path]),
    ...flag("--runner", runner),
    ...flag("--profile", profile),
    ...flag("--agent", agent),
    ...listOf(plan).flatMap((unit) => ["--plan", unit]),
    ...listOf(dependsOn).flatMap((run) => ["--after", run]),
    ...flag("--priority", priority),
    ...listOf(tags).flatMap((tag) => ["--tag", tag]),
    ...flag("--egress", egress),
    ...(noCage === true ? ["--no-cage"] : []),
    ...(typeof script === "string" ? ["--script", "-"] : []),
    ...(argv.length === 0 ? [] : ["--", ...argv]),
  ]);
  return typeof script === "string" ? withInput(line, script) : line;
}

/** With the template as it was edited; it does not wait, as the console does not. */
export function toCreateAgentCommand(made: {
  readonly template: string;
  readonly project: string;
  readonly name: string;
  readonly values: readonly (readonly [string, string])[];
}): string {
  const sets = made.values.flatMap(([key, text]) => ["--set", `${key}=${text}`]);
  const line = toLine(["agent", "create", "-", "--project", made.project, "--name", made.name, ...sets, "-d"]);
  return withInput(line, made.template);
}

export function toProjectAddCommand({ root, name, branch, ...rest }: Words): string {
  const more = projectFlags(rest, {});
  return toLine(["project", "add", String(root), ...flag("--name", name), ...flag("--branch", branch), ...more]);
}

/** What was there before decides what is taken away. */
export function toProjectChangeCommand(project: Pick<Project, "name"> & Partial<Project>, value: Words): string {
  return toLine(["project", "change", project.name, ...projectFlags(value, project)]);
}

function projectFlags(value: Words, before: Partial<Project>): string[] {
  const { foldCase, landingTest, testTimeMs, landingMessage, landingBranch, derivedNetwork, image } = value;
  return [
    ...(typeof foldCase === "boolean" ? [foldCase ? "--ignore-case" : "--no-ignore-case"] : []),
    ...processFlags(value["processes"], before.processes ?? {}),
    ...(landingTest === null ? ["--no-test"] : flag("--test", toCommandText(landingTest))),
    ...(typeof testTimeMs === "number" ? ["--test-time", `${testTimeMs / 1000}s`] : []),
    ...(landingMessage === null ? ["--no-message"] : flag("--message", landingMessage)),
    ...(landingBranch === null ? ["--no-branch"] : flag("--branch", landingBranch)),
    ...derivedFlags(value["derived"]),
    ...(typeof derivedNetwork === "boolean" ? [derivedNetwork ? "--derived-network" : "--no-derived-network"] : []),
    ...egressFlags(value["egress"], before.egress?.allow ?? []),
    ...warmFlags(value["warm"], before.warm ?? {}),
    ...(image === null ? ["--image", "none"] : imageFlags(image)),
  ];
}

function processFlags(given: unknown, before: object): string[] {
  if (given === undefined) return [];
  const now = (given ?? {}) as Readonly<Record<string, { readonly argv?: unknown; readonly scope?: unknown }>>;
  return [
    ...Object.entries(now).flatMap(([name, { argv, scope }]) => [
      ...["--process", `${name}${scope === "agent" ? "@agent" : ""}=${toCommandText(argv) ?? ""}`],
    ]),
    ...gone(before, now).flatMap((name) => ["--remove-process", name]),
  ];
}

/** An empty list takes everything away; any other adds, and changes those of the same paths. */
function derivedFlags(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  if (given.length === 0) return ["--no-derived"];
  return (given as { readonly paths?: unknown; readonly command?: unknown }[]).flatMap(({ paths, command }) => [
    ...["--derived", `${listOf(paths).join(",")}=${toCommandText(command) ?? ""}`],
  ]);
}

function egressFlags(given: unknown, before: readonly string[]): string[] {
  if (typeof given !== "object" || given === null) return [];
  const { kind, allow } = given as { readonly kind?: unknown; readonly allow?: unknown };
  const hosts = listOf(allow);
  return [
    ...flag("--egress", kind),
    ...hosts.filter((host) => !before.includes(host)).flatMap((host) => ["--allow", host]),
    ...(allow === undefined ? [] : before.filter((host) => !hosts.includes(host))).flatMap((host) => [
      ...["--disallow", host],
    ]),
  ];
}

function warmFlags(given: unknown, before: object): string[] {
  if (given === undefined) return [];
  const now = (given ?? {}) as Readonly<Record<string, string>>;
  return [
    ...Object.entries(now).flatMap(([lock, folder]) => ["--warm", `${lock}=${folder}`]),
    ...gone(before, now).flatMap((lock) => ["--remove-warm", lock]),
  ];
}

function imageFlags(image: unknown): string[] {
  if (typeof image !== "object" || image === null) return [];
  const { name, dockerfile } = image as { readonly name?: unknown; readonly dockerfile?: unknown };
  return [...flag("--image", name), ...flag("--dockerfile", dockerfile)];
}

function gone(before: object, now: object): string[] {
  return Object.keys(before).filter((name) => !Object.hasOwn(now, name));
}

function flag(name: string, value: unknown): string[] {
  if (typeof value !== "string" && typeof value !== "number") return [];
  return value === "" ? [] : [name, String(value)];
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

/** A command as one argument: what reads it takes it apart again. */
function toCommandText(argv: unknown): string | undefined {
  const words = listOf(argv);
  return words.length === 0 ? undefined : joinShell(words);
}

function toLine(words: readonly string[]): string {
  return `signalbox ${joinShell(words)}`;
}
