// The small pieces that wire types are made of.

import { withArticle } from "../base/article.ts";
import { z } from "zod";
import { limits } from "./limits.ts";

// oxlint-disable-next-line no-control-regex -- control characters are what this finds
const printable = /^[^\u0000-\u001f\u007f\u2028\u2029]*$/;
const loneSurrogate = /\p{Surrogate}/u;
const wellFormed = (text: string): boolean => !loneSurrogate.test(text);

/** Ids are made by the log: a letter, and the number of the event that made them. */
function id(letter: string, what: string): z.ZodString {
  return z
    .string()
    .max(24)
    .regex(new RegExp(`^${letter}_[0-9a-z]{1,16}$`), `the id of ${withArticle(what)} looks like ${letter}_1a`);
}

/** One line of text, without control characters. */
export function line(max: number, lack = "one line without control characters, please"): z.ZodString {
  return z.string().min(1).max(max).regex(printable, lack).refine(wellFormed, "not valid Unicode");
}

/** What is wanted, in a line. */
export const title = line(
  limits.titleCharsMax,
  "a title is one line without control characters; what is more goes into the description (--description)",
);

/** Text of any number of lines. */
export function text(max: number = limits.textCharsMax): z.ZodString {
  return z
    .string()
    .max(max)
    .refine(wellFormed, "not valid Unicode")
    .refine((value) => !value.includes("\0"), "no NUL, please");
}

export const runId = id("r", "run").describe("Id of a run, such as r_1a.");
export const questionId = id("q", "question").describe("Only to this one, such as q_1a.");
export const taskId = id("t", "task").describe("Id of a task, such as t_1a.");
export const claimId = id("c", "claim").describe("Id of a claim, such as c_1a.");

export const trashId = z
  .string()
  .max(24)
  .regex(/^x_[0-9a-z]{1,16}(\.[0-9]{1,6})?$/, "the id of something in the trash looks like x_1a or x_1a.2")
  .describe("Id of something in the trash, such as x_1a.");

const looksLikeId = /^[a-z]_[0-9a-z]+$/;

/** A name that people give. It never looks like an id, so that either can stand in the same place. */
export function name(what: string): z.ZodString {
  return z
    .string()
    .min(1)
    .max(limits.nameCharsMax)
    .regex(
      /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/,
      `${withArticle(what)} starts with a letter or digit; then also dots, dashes and underscores`,
    )
    .refine((value) => !looksLikeId.test(value), `${withArticle(what)} must not look like an id`);
}

/** A runner's name. Those that speak the Agent Client Protocol may have `acp:` before it, and a person's own have to. */
export const runnerName = z
  .string()
  .min(1)
  .max(limits.nameCharsMax)
  .regex(/^(acp:)?[a-zA-Z0-9][a-zA-Z0-9._-]*$/, "a runner is called like claude, or acp:NAME")
  .describe("Name of a runner, such as claude or acp:mine.");

export const projectRef = z
  .string()
  .min(1)
  .max(limits.nameCharsMax)
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/, "a project is given by its id or its name")
  .describe("Id or name of a project.");

export const holderName = z
  .string()
  .min(1)
  .max(limits.nameCharsMax)
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._@:/-]*$/, "a holder's name starts with a letter or digit; then also . _ @ : / -")
  .refine((value) => !looksLikeId.test(value), "a holder's name must not look like an id");

export const tag = z
  .string()
  .min(1)
  .max(limits.nameCharsMax)
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._:/-]*$/, "a tag starts with a letter or digit; then also . _ : / -");

export const unit = z
  .string()
  .min(1)
  .max(limits.unitCharsMax)
  .describe("A work unit: file:src/a.ts, dir:src/auth or process:test. Paths are the project's.");

/** Units of one claim. */
export const units = z
  .array(unit)
  .min(1)
  .max(limits.unitsMax)
  .refine(
    (all) => all.reduce((sum, each) => sum + each.length, 0) <= limits.unitsCharsMax,
    `the units of a claim have at most ${limits.unitsCharsMax} characters together; claim a folder instead`,
  );

export const idempotencyKey = line(limits.keyCharsMax).describe(
  "Makes a repetition harmless: the same key with the same request gets the same answer.",
);

/** Of whoever asks; some are the daemon's, which would take what somebody put there for its own. */
export const ownKey = idempotencyKey.refine(
  (key) => !key.startsWith("assistant:"),
  "keys that begin with assistant: are those of assistants in agents",
);

export const priority = z.int().min(-limits.priorityMax).max(limits.priorityMax);
export const argv = z
  .array(
    z
      .string()
      .max(limits.argCharsMax)
      .refine((arg) => !arg.includes("\0"), "no NUL, please"),
  )
  .min(1)
  .max(limits.argvMax);
export const limit = z.int().min(1).max(limits.pageMax).default(limits.pageDefault).describe("At most this many.");
export const waitMs = z.int().min(0).max(limits.waitMsMax);
export const seq = z.int().min(0).describe("Number of an event in the log.");
/** For reads that can look at the past. */
export const at = seq.optional().describe("As it was right after this event (`events.at`).");
export const atMs = z.number().describe("Engine time in milliseconds. `openings` of `status` give the time of day.");
export const nothing = z.object({});
