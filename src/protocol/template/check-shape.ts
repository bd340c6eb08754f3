// Holds what was written against the schema. Whatever fits is handed on, also beside parts that do not: so all mistakes are
// told at once, and none because of another.

import type { z } from "zod";
import { closest, didYouMean } from "../../base/did-you-mean.ts";
import { quoted, toComplaint } from "../complaint.ts";
import type { Complain, Path } from "./problem.ts";
import { type Template, templateSchema } from "./template-schema.ts";

export type Shape = {
  /** With everything taken out that does not fit. */
  readonly template: Template;
  /** Whether what stands there is what was written, with all that is in it. Of what was taken out, nothing can be said. */
  readonly isSure: (...path: Path) => boolean;
  /** Whether a whole section was taken out. */
  readonly isCut: (section: string) => boolean;
};

type Issue = z.core.$ZodIssue;
type Found = { readonly path: Path; readonly issue: Issue };

/** With more than that, nobody asks what else there is. */
const foundMax = 200;

export function checkShape(plain: unknown, complain: Complain): Shape | undefined {
  if (typeof plain !== "object" || plain === null || Array.isArray(plain)) {
    complain([], "A template is a mapping, and this is none. Begin with `template: NAME`.");
    return undefined;
  }
  const first = parse(plain);
  if (first.success) return { template: first.data, isSure: () => true, isCut: () => false };
  const all = first.error.issues.flatMap((issue) => flatten(issue, []));
  const found = all.slice(0, foundMax);
  for (const each of found) tell(each, found, complain);
  if (all.length > foundMax) return undefined;
  const unsure: Path[] = [];
  for (const each of found) takeOut(plain as Fields, each, unsure);
  const second = parse(plain);
  const isSure = (...path: Path): boolean =>
    !unsure.some((other) => other.every((part, at) => at >= path.length || part === path[at]));
  const isCut = (section: string): boolean => unsure.some((other) => other.length === 1 && other[0] === section);
  return second.success ? { template: second.data, isSure, isCut } : undefined;
}

function parse(plain: unknown): ReturnType<typeof templateSchema.safeParse> {
  return templateSchema.safeParse(plain, { error: toComplaint, reportInput: true });
}

/** Of a union's forms, the one that was meant: what does not fit lies inside it. */
function flatten(issue: Issue, prefix: Path): Found[] {
  const path = [...prefix, ...(issue.path as Path)];
  if (issue.code !== "invalid_union") return [{ path, issue }];
  const forms = issue.errors.filter((branch) => !branch.some(isOfAnotherForm) && !hasOtherKeys(branch));
  // Of several objects the one was meant that least is wrong with.
  const meant = forms.toSorted((a, b) => a.length - b.length)[0];
  return meant === undefined ? [{ path, issue }] : meant.flatMap((each) => flatten(each, path));
}

function isOfAnotherForm(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  return issue.code === "invalid_type" || issue.code === "invalid_value" || issue.code === "invalid_union";
}

/** Whether it lacks what the form has to have, and has something else instead that is not just mistyped. */
function hasOtherKeys(branch: readonly Issue[]): boolean {
  const missing = branch.filter((issue) => issue.path.length === 1 && issue.input === undefined);
  const keys = branch.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));
  return missing.some(
    ({ path: [key] }) => keys.length > 0 && keys.every((each) => closest(each, [String(key)]).length === 0),
  );
}

function tell({ path, issue }: Found, all: readonly Found[], complain: Complain): void {
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(path);
    for (const key of issue.keys.slice(0, foundMax))
      complain(
        [...path, key],
        `There is no key ${quoted(key)} here.${didYouMean(key, known) || ` There is: ${known.join(", ")}.`}`,
        "key",
      );
    return;
  }
  if (issue.input === undefined) {
    const key = String(path.at(-1));
    if (!all.some((other) => isMistyped(other, path))) complain(path, `${quoted(key)} is missing here. Add it.`, "key");
    return;
  }
  if (issue.input === null) return complain(path, "It is empty. Write something, or take the line out.");
  if (path.at(-2) === "ports" && isNumberLike(issue.input))
    return complain(
      path,
      "A port has a name here, such as http: its number is given out when an agent is made. Use the number as ${self.port}.",
    );
  const given = issue.message.includes("given was") ? "" : shown(issue.input);
  complain(path, `${issue.message}${given}.`);
}

/** Whether a key that is there was meant to be one that is missing: then that is said, and once. */
function isMistyped({ path, issue }: Found, missing: Path): boolean {
  if (issue.code !== "unrecognized_keys" || path.join(".") !== missing.slice(0, -1).join(".")) return false;
  return issue.keys.some((key) => closest(key, knownKeys(path))[0] === missing.at(-1));
}

/** `80`, and `"8080:80"` too. */
function isNumberLike(input: unknown): boolean {
  return typeof input === "number" || (typeof input === "string" && /^\d/.test(input));
}

function shown(input: unknown): string {
  if (typeof input === "string") return input === "" ? "" : `; given was ${quoted(input)}`;
  return typeof input === "number" || typeof input === "boolean" ? `; given was ${String(input)}` : "";
}

type Fields = Record<string, unknown>;

/** A stand-in for what a template cannot be without. */
const somebody = { command: "true" };

function takeOut(template: Fields, { path, issue }: Found, unsure: Path[]): void {
  if (issue.code === "unrecognized_keys") {
    const holder = path.reduce<unknown>((node, part) => (node as Fields | undefined)?.[part], template);
    if (typeof holder !== "object" || holder === null) return;
    for (const key of issue.keys) {
      delete (holder as Fields)[key];
      const [meant] = closest(key, knownKeys(path));
      if (meant !== undefined) unsure.push([...path, meant]);
    }
    return;
  }
  const least = leastPart(path);
  unsure.push(least);
  const [key = ""] = least.slice(-1);
  const holder = least.slice(0, -1).reduce<unknown>((node, part) => (node as Fields | undefined)?.[part], template);
  if (typeof holder !== "object" || holder === null) return;
  const standIn = least.length === 1 ? (key === "template" ? key : undefined) : standInFor(least);
  if (standIn === undefined) delete (holder as Fields)[key];
  else (holder as Fields)[key] = standIn;
}

function standInFor(path: Path): unknown {
  if (path[0] === "env" || path[0] === "faces" || path[0] === "hooks") return undefined;
  if (path[0] === "assistant") return undefined;
  if (path.length === 2) return { ...somebody };
  return path.length === 3 && path[2] === "command" ? somebody.command : undefined;
}

/** What has to go so that the rest can stay: an entry of a mapping, a whole list. */
function leastPart(path: Path): Path {
  // A face is nothing without its service.
  if (path[0] === "faces") return path.slice(0, path[2] === "service" ? 2 : 3);
  // So is an assistant without its profile, or something to do.
  if (path[0] === "assistant") return path.slice(0, path[1] === "start" || path[1] === "permissions" ? 2 : 1);
  const depth = path[0] === "env" || path[0] === "hooks" ? 2 : path[0] === "services" || path[0] === "external" ? 4 : 1;
  const least = path.slice(0, depth);
  return typeof least.at(-1) === "number" ? least.slice(0, -1) : least;
}

/** What may stand in a mapping of the template. */
function knownKeys(path: Path): string[] {
  const schema = path.reduce<unknown>((node, part) => stepInto(node, String(part)), templateSchema);
  return keysOf(schema);
}

type Def = {
  readonly type: string;
  readonly shape?: Record<string, unknown>;
  readonly innerType?: unknown;
  readonly valueType?: unknown;
  readonly options?: readonly unknown[];
};

function defOf(schema: unknown): Def | undefined {
  const def = (schema as { readonly def?: Def } | undefined)?.def;
  return def?.innerType === undefined ? def : defOf(def.innerType);
}

function stepInto(schema: unknown, part: string): unknown {
  const def = defOf(schema);
  if (def?.type === "object") return def.shape?.[part];
  if (def?.type === "record") return def.valueType;
  return def?.options?.map((option) => stepInto(option, part)).find((found) => found !== undefined);
}

function keysOf(schema: unknown): string[] {
  const def = defOf(schema);
  if (def?.type === "object") return Object.keys(def.shape ?? {});
  return def?.options?.flatMap(keysOf) ?? [];
}
