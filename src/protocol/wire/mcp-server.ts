import { z } from "zod";
import { line, text } from "../fields.ts";
import { limits } from "../limits.ts";
import { envSchema } from "./env.ts";

const serversMax = 16;
const headersMax = 16;
const wordsMax = 64;

/** Headers that say whom a request is for, how long it is, or what is spoken: those are not a profile's. */
const reserved =
  /^(host|connection|content-.*|transfer-encoding|accept.*|expect|upgrade|te|trailer|keep-alive|proxy-.*|mcp-.*|last-event-id)$/i;

const headerName = z
  .string()
  .max(limits.nameCharsMax)
  .regex(/^[A-Za-z0-9-]+$/, "a header's name has letters, digits and dashes")
  .refine((name) => !reserved.test(name), "this header is not a profile's to set");
const headerValue = line(limits.argCharsMax).regex(/^[\x20-\x7e]*$/, "a header has plain characters only");

const byUrl = z.strictObject({
  url: line(limits.argCharsMax)
    .refine(isPlainUrl, "a server is at an http or https address, without a name, a password or a fragment in it")
    .describe("Where the server is. The daemon asks it, by the rules for the run's network."),
  headers: z
    .record(headerName, headerValue)
    .refine((headers) => Object.keys(headers).length <= headersMax, `there may be ${headersMax} headers at most`)
    .optional()
    .describe("Headers to send. {secret:NAME} stands for a secret, which is put in outside of the cage."),
});

const byFace = z.strictObject({
  face: line(limits.keyCharsMax)
    .regex(/^[a-zA-Z0-9._-]+\/[a-z0-9]+$/, "a face is given as AGENT/FACE")
    .describe("A face of an agent of the run's project: shop-1/tools."),
  path: line(limits.argCharsMax)
    .regex(/^\/[\x21-\x7e]*$/, "a path begins with a slash")
    .optional()
    .describe("Where its tools are at the face; /mcp if left out."),
});

const byCommand = z.strictObject({
  command: z
    .array(text(limits.argCharsMax))
    .min(1, "a command has at least a program")
    .max(wordsMax)
    .describe("Its program and arguments. It runs in the run's cage, and so sees no secret."),
  env: envSchema.optional().describe("Variables that it sees. No secrets: those are refused."),
});

export const mcpServersSchema = z
  .record(
    z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,30}$/, "a server's name has small letters, digits and dashes")
      .refine((name) => name !== "door", "that is the name of the run's own door"),
    z.union([byUrl, byFace, byCommand]),
  )
  .refine((servers) => Object.keys(servers).length <= serversMax, `there may be ${serversMax} servers at most`);

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return url.username === "" && url.password === "" && url.hash === "" && /^[\x21-\x7e]+$/.test(text);
}
