// Flags that many commands share, so that they read the same everywhere.

import { limits } from "../protocol/limits.ts";
import { egressKinds } from "../protocol/wire/egress.ts";
import { completeClaims, completeProjects, completeRuns } from "./completers.ts";
import {
  parseClaimId,
  parseCount,
  parseNonEmpty,
  parsePriority,
  parseRunId,
  parseSeen,
  parseText,
  parseUnit,
} from "./parse-args.ts";
import { parseDuration, parseDurationBetween } from "./text/duration.ts";

export function flag(brief: string): { kind: "boolean"; brief: string; default: false; withNegated: false } {
  return { kind: "boolean", brief, default: false, withNegated: false };
}

export const jsonFlag = flag("Answers with JSON: one document, or one per line for a stream.");

export const projectFlag = {
  kind: "parsed",
  parse: parseNonEmpty,
  optional: true,
  placeholder: "PROJECT",
  brief: "Name, id or folder of the project. Left out: the one that the current folder belongs to.",
  proposeCompletions: completeProjects,
} as const;

/** For what can be asked of all projects at once. */
export const onlyProjectFlag = {
  ...projectFlag,
  brief: "Only this project, by name, id or folder. Left out: all.",
} as const;

export const stepFlag = {
  kind: "parsed",
  parse: parseCount,
  placeholder: "N",
  brief: "The number of a step, from 0 on; signalbox logs and signalbox story have it.",
} as const;

/** A flag that can be given several times. */
export function several<T>(parse: (text: string) => T): {
  kind: "parsed";
  parse: (text: string) => T;
  variadic: true;
  default: [];
} {
  return { kind: "parsed", parse, variadic: true, default: [] };
}

export const tagFlag = {
  kind: "parsed",
  parse: parseNonEmpty,
  optional: true,
  placeholder: "TAG",
  brief: "Only runs with this tag.",
} as const;

export const priorityFlag = {
  kind: "parsed",
  parse: parsePriority,
  optional: true,
  placeholder: "N",
  brief: "Higher goes first where several wait for the same. Left out: 0.",
} as const;

export type EgressKind = (typeof egressKinds)[number];

export const egressFlag = {
  kind: "enum",
  values: egressKinds,
  optional: true,
  placeholder: egressKinds.join("|"),
} as const;

export const allowFlag = {
  kind: "parsed",
  parse: parseNonEmpty,
  variadic: true,
  default: [],
  placeholder: "HOST",
  brief: "A host that runs may reach: NAME, *.NAME or an address, perhaps with :PORT; or the list developer.",
} as const;

export const keyFlag = {
  kind: "parsed",
  parse: parseNonEmpty,
  optional: true,
  placeholder: "KEY",
  brief: "Makes a repetition harmless: the same key with the same request gets the same answer.",
} as const;

export const seenFlag = {
  kind: "parsed",
  parse: parseSeen,
  optional: true,
  placeholder: "ID",
  brief: "Only if the changes are still those that signalbox review or diff named so.",
} as const;

export const unitsFlag = {
  kind: "parsed",
  parse: parseUnit,
  variadic: true,
  placeholder: "UNIT",
} as const;

export function textFlag<const Placeholder extends string>(
  placeholder: Placeholder,
  brief: string,
): { kind: "parsed"; parse: (text: string) => string; optional: true; placeholder: Placeholder; brief: string } {
  return { kind: "parsed", parse: parseText, optional: true, placeholder, brief };
}

export function durationFlag(
  brief: string,
  parse: (text: string) => number = parseDuration,
): {
  kind: "parsed";
  parse: (text: string) => number;
  optional: true;
  placeholder: string;
  brief: string;
} {
  return { kind: "parsed", parse, optional: true, placeholder: "DURATION", brief };
}

/** How long a lease lasts without renewal. */
export const parseTtl = parseDurationBetween(limits.ttlMsMin, limits.ttlMsMax);

export const testTimeFlag = durationFlag(
  "How long the project's test of a result may take, such as 45m.",
  parseDurationBetween(limits.testTimeMsMin, limits.testTimeMsMax),
);

export const runArgument = {
  parse: parseRunId,
  placeholder: "RUN",
  brief: "Id of a run, such as r_1a.",
  proposeCompletions: completeRuns,
} as const;

export const claimArgument = {
  parse: parseClaimId,
  placeholder: "CLAIM",
  brief: "Id of a claim, such as c_1a.",
  proposeCompletions: completeClaims,
} as const;

export const oneRun = { kind: "tuple", parameters: [runArgument] } as const;
export const manyRuns = { kind: "array", parameter: runArgument, minimum: 1 } as const;
export const anyRuns = { kind: "array", parameter: runArgument } as const;
