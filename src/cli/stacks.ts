import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Stack, toStack } from "../protocol/template/stack.ts";

const folder = join(import.meta.dirname, "../../templates");

export function listStacks(): Stack[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  return files.toSorted().map((file) => toStack(file, readFileSync(join(folder, file), "utf8")));
}

/** For a project: under a name of its own. The schema is not beside it there, so it says how to get that. */
export function toOwnTemplate(stack: Stack, name: string): string {
  return `${howToComplete}${stack.text.replace(/^template: .*$/m, `template: ${name}`)}`;
}

const howToComplete = `# Editors complete this after \`signalbox template schema > template.schema.json\`, with this as the first line:
# \`# yaml-language-server: $schema=./template.schema.json\`
`;
