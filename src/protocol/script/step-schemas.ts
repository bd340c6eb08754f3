// What each step of a script may say.

import { z } from "zod";
import { argv, line, unit } from "../fields.ts";
import { limits } from "../limits.ts";

const words = z
  .union([z.string(), z.number(), z.boolean()], "a text, please")
  .transform(String)
  .pipe(z.string().max(limits.textCharsMax));

const unitText = unit.regex(/^(file|dir|process):/, "a unit starts with file:, dir: or process:");
const path = line(limits.pathCharsMax)
  .refine((value) => !value.startsWith("/"), "a path is relative to the project")
  .refine((value) => !value.split("/").includes(".."), "a path stays inside the project");

const units = z.union([unitText.transform((one) => [one]), z.array(unitText).min(1).max(limits.unitsMax)]);
const durationPart = /^(\d+(?:\.\d+)?)(ms|s|m)$/;
const unitMs = { ms: 1, s: 1000, m: 60_000 } as const;
const sleepMsMax = 3_600_000;

/** Written 500ms, 2s or 1m. A bare number up to 60 is seconds, as in every shell; a larger one can only mean milliseconds. */
const duration = z.union([z.string(), z.number()], "a time such as 500ms or 2s").transform((value, context) => {
  if (typeof value === "number") {
    if (value >= 0 && value <= sleepMsMax) return Math.round(value <= 60 ? value * 1000 : value);
    context.addIssue({ code: "custom", message: "a time is at most an hour; write it like 500ms, 2s or 1m" });
    return z.NEVER;
  }
  const [, amount, suffix] = durationPart.exec(value.trim()) ?? [];
  const ms = Math.round(Number(amount) * unitMs[(suffix ?? "ms") as keyof typeof unitMs]);
  if (amount !== undefined && ms <= sleepMsMax) return ms;
  context.addIssue({ code: "custom", message: "a time is written like 500ms, 2s or 1m, and is at most an hour" });
  return z.NEVER;
});

const commandLine = z.union([
  argv,
  z
    .string()
    .min(1)
    .max(limits.textCharsMax)
    .transform((text) => ["/bin/sh", "-c", text]),
]);

const command = z.union([
  commandLine.transform((value) => ({ argv: value })),
  z
    .strictObject({ command: commandLine, cwd: path.optional(), timeout: duration.optional() })
    .transform(({ command: value, cwd, timeout: timeoutMs }) => ({ argv: value, cwd, timeoutMs })),
]);

/** A hash that a read has answered, or `none` where there is to be no file. */
const seen = z
  .string()
  .regex(/^(none|[0-9a-f]{8,64})$/, "a hash of a file (at least 8 of its characters), or none")
  .optional();
const commandName = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, "a name that starts with a letter or digit; then also . _ -");

const changeSchemas = {
  write: z.strictObject({ path, content: words, seen }).transform((value) => ({ do: "write" as const, ...value })),
  edit: z
    .strictObject({ path, find: z.string().min(1).max(limits.textCharsMax), replace: words, seen })
    .transform((value) => ({ do: "edit" as const, ...value })),
  delete: z
    .union([path.transform((value) => ({ path: value })), z.strictObject({ path, seen })])
    .transform((value) => ({ do: "delete" as const, ...value })),
  move: z.strictObject({ path, to: path, seen }).transform((value) => ({ do: "move" as const, ...value })),
};

const patchPart = z.union([
  z.strictObject({ write: changeSchemas.write }).transform((value) => value.write),
  z.strictObject({ edit: changeSchemas.edit }).transform((value) => value.edit),
  z.strictObject({ delete: changeSchemas.delete }).transform((value) => value.delete),
  z.strictObject({ move: changeSchemas.move }).transform((value) => value.move),
]);

export const taskSchema = line(limits.titleCharsMax, "the task of a script is one line without control characters");
export const planSchema = z.array(unitText).max(limits.unitsMax);

export const stepSchemas = {
  claim: units.transform((value) => ({ do: "claim" as const, units: value })),
  release: z
    .union([
      z.literal("all").transform(() => ({ units: null, setAside: false })),
      units.transform((value) => ({ units: value, setAside: false })),
      z.strictObject({ units: units.nullable().default(null), setAside: z.boolean().default(false) }),
    ])
    .transform((value) => ({ do: "release" as const, ...value })),
  read: z
    .union([
      path.transform((value) => ({ path: value, range: undefined })),
      z
        .strictObject({ path, from: z.int().min(1).default(1), count: z.int().min(1).max(limits.linesMax) })
        .transform(({ path: value, ...range }) => ({ path: value, range })),
    ])
    .transform((value) => ({ do: "read" as const, ...value })),
  list: z
    .union([
      path.transform((value) => ({ path: value, depth: 1 })),
      z.strictObject({ path, depth: z.int().min(1).max(limits.listDepthMax).default(1) }),
    ])
    .transform((value) => ({ do: "list" as const, ...value })),
  search: z
    .union([
      words.transform((text) => ({ text, regex: false, under: "" })),
      z.strictObject({ text: words, regex: z.boolean().default(false), under: path.default("") }),
    ])
    .transform((value) => ({ do: "search" as const, ...value })),
  ...changeSchemas,
  patch: z
    .array(patchPart)
    .min(1)
    .max(limits.unitsMax)
    .transform((changes) => ({ do: "patch" as const, changes })),
  run: command.transform((value) => ({ do: "run" as const, command: value })),
  start: z
    .strictObject({ name: commandName, command: commandLine, cwd: path.optional(), timeout: duration.optional() })
    .transform(({ name, command: value, cwd, timeout: timeoutMs }) => ({
      do: "start" as const,
      name,
      command: { argv: value, cwd, timeoutMs },
    })),
  input: z
    .strictObject({ name: commandName, text: words, end: z.boolean().default(false) })
    .transform((value) => ({ do: "input" as const, ...value })),
  output: z
    .union([
      commandName.transform((name) => ({ name, from: 0 })),
      z.strictObject({ name: commandName, from: z.int().min(0).default(0) }),
    ])
    .transform((value) => ({ do: "output" as const, ...value })),
  stop: commandName.transform((name) => ({ do: "stop" as const, name })),
  publish: z.strictObject({ name: commandName, path }).transform((value) => ({ do: "publish" as const, ...value })),
  process: z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, "the name of a process of the project")
    .transform((value) => ({ do: "process" as const, name: value })),
  sleep: duration.transform((value) => ({ do: "sleep" as const, ms: value })),
  say: words.transform((value) => ({ do: "say" as const, text: value })),
  ask: words.transform((value) => ({ do: "ask" as const, text: value })),
  fail: words.nullable().transform((value) => ({
    do: "fail" as const,
    text: value === null || value === "" ? "failed by its script" : value,
  })),
};

export const repeatSchema = z.strictObject({
  times: z.int().min(0).max(limits.scriptStepsMax),
  steps: z.array(z.unknown()),
});
