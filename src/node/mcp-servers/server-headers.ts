// The headers that a profile has for a server of tools, with the secrets that they want.

import { type McpServer, secretsIn, withSecrets } from "../../core/profile/mcp-server.ts";
import type { SecretStore } from "../../ports/secret-store.ts";
import { ServerNo } from "./server-no.ts";

export type ServerHeaders = {
  readonly headers: Readonly<Record<string, string>>;
  /** What must not come back. */
  readonly values: readonly string[];
};

/** A shorter one could not be told from other text where it comes back. */
const secretCharsMin = 8;

export async function headersFor(
  { headers = {} }: Extract<McpServer, { url: string }>,
  secrets: Pick<SecretStore, "get">,
): Promise<ServerHeaders> {
  const names = new Set(Object.values(headers).flatMap(secretsIn));
  const values = new Map<string, string>();
  for (const name of names) values.set(name, usable(name, await secrets.get(name)));
  const filled = Object.entries(headers).map(([name, text]) => [name.toLowerCase(), withSecrets(text, values)]);
  return { headers: Object.fromEntries(filled) as Record<string, string>, values: [...values.values()] };
}

function usable(name: string, kept: string | null): string {
  const value = kept?.trim() ?? "";
  if (value === "")
    throw new ServerNo(
      403,
      `it wants the secret ${name}, which is not there; keep it with: signalbox secret set ${name}`,
    );
  if (value.length < secretCharsMin)
    throw new ServerNo(
      403,
      `the secret ${name} has fewer than ${secretCharsMin} characters, and could not be kept from coming back`,
    );
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new ServerNo(
      403,
      `the secret ${name} has characters that cannot stand in a header, such as a line break or a space`,
    );
  return value;
}
