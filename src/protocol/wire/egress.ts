import { z } from "zod";
import { atMs } from "../fields.ts";
import { limits } from "../limits.ts";

export const egressKinds = ["none", "list", "open"] as const;

export const egressKindSchema = z
  .enum(egressKinds)
  .describe("none: no network. list: the hosts on the project's allow-list. open: every public host.");

const name = /^(\*\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?$/i;
const address4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}(:\d{1,5})?$/;
const address6 = /^\[[0-9a-f:]{2,39}\](:\d{1,5})?$/i;
const preset = /^developer$/;

export const allowedHost = z
  .string()
  .max(270)
  .refine(
    (text) => [preset, name, address4, address6].some((kind) => kind.test(text)),
    "a host is a name such as example.org or *.example.org, or an address; :PORT may follow; or it is the list `developer`",
  )
  .refine((text) => !/^\*\.[^.]+$/.test(text.replace(/:\d+$/, "")), "a star stands in front of two names at least")
  .describe("A host name, *.NAME for all names below it, or an address; without :PORT those of the web, 80 and 443.");

export const egressSchema = z.strictObject({
  kind: egressKindSchema,
  allow: z
    .array(allowedHost)
    .max(limits.patternsMax)
    .describe("The allow-list. `developer` stands for the registries of package managers."),
});

export const reachedSchema = z.object({
  host: z.string().describe("* stands for all hosts beyond those that are told apart."),
  port: z.number(),
  connections: z.number().describe("Connections that were made."),
  refusals: z.number().describe("Connections that were not."),
  bytesOut: z.number().describe("Of connections that are over."),
  bytesIn: z.number(),
  address: z.string().nullable().describe("The last address that it led to, also where that was refused."),
  refused: z.string().nullable().describe("Why the last one was not made, in a word."),
  lastAtMs: atMs,
});
