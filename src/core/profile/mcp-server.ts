// Servers of tools that a profile gives to its runs' assistants, beside the door.

/** What stands for a secret in a header; the secret itself is put in outside of the cage. */
const secretMark = /\{secret:([A-Za-z_][A-Za-z0-9_]*)\}/g;

export type McpServer =
  /** Asked by the daemon for the run, with these headers; `{secret:NAME}` in one stands for a secret. */
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
  /** A face of an agent of the run's project, as AGENT/FACE. */
  | { readonly face: string; readonly path?: string | undefined }
  /** Started by the assistant's program, inside the cage. */
  | { readonly command: readonly string[]; readonly env?: Readonly<Record<string, string>> | undefined };

/** The names of the secrets that a header wants. */
export function secretsIn(text: string): string[] {
  return [...text.matchAll(secretMark)].map(([, name]) => name ?? "");
}

export function withSecrets(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(secretMark, (_, name: string) => values.get(name) ?? "");
}
