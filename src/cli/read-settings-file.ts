import type { Cli } from "./cli.ts";
import { readText } from "./read-text.ts";
import { UsageError } from "./usage-error.ts";

/** What a file of YAML or JSON says, as plain data. Whether it makes sense, the daemon says; it knows the rules. */
export async function readSettingsFile(cli: Cli, path: string): Promise<Record<string, unknown>> {
  const text = await readText(cli, "--file", path);
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { strict: true, uniqueKeys: true, logLevel: "silent" });
  const [flaw] = document.errors;
  if (flaw !== undefined) throw new UsageError(`--file "${path}": ${flaw.message.trim()}`);
  const plain: unknown = document.toJS({ maxAliasCount: 100 });
  if (typeof plain === "object" && plain !== null && !Array.isArray(plain)) return plain as Record<string, unknown>;
  throw new UsageError(`--file "${path}": it has to be a mapping of names to values.`);
}
