import type { Cli } from "./cli.ts";
import { readText } from "./read-text.ts";
import { UsageError } from "./usage-error.ts";

/** What a file of YAML or JSON says, as plain data. Whether it makes sense, the daemon says; it knows the rules. */
export async function readSettingsFile(cli: Cli, path: string): Promise<Record<string, unknown>> {
  const text = await readText(cli, "--file", path);
  const { readYaml } = await import("../protocol/script/read-yaml.ts");
  const read = readYaml(text);
  if (!read.ok) throw new UsageError(`--file "${path}": ${read.refusal}`);
  const plain = read.value;
  if (typeof plain === "object" && plain !== null && !Array.isArray(plain)) return plain as Record<string, unknown>;
  throw new UsageError(`--file "${path}": it has to be a mapping of names to values.`);
}
