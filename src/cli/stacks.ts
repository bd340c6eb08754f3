// Templates for common stacks, which come along with the program: files that people copy and change.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Stack = {
  readonly name: string;
  /** What it is for, in a sentence. */
  readonly about: string;
  readonly text: string;
};

const folder = join(import.meta.dirname, "../../templates");
const modeline = /^# yaml-language-server:.*\n/;

export function listStacks(): Stack[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  return files.toSorted().map((file) => {
    const text = readFileSync(join(folder, file), "utf8").replace(modeline, "");
    return { name: file.replace(/\.yaml$/, ""), about: /^# (.*)$/m.exec(text)?.[1] ?? "", text };
  });
}

/** For a project: under a name of its own. The schema is not beside it there, so it says how to get that. */
export function toOwnTemplate(stack: Stack, name: string): string {
  return `${howToComplete}${stack.text.replace(/^template: .*$/m, `template: ${name}`)}`;
}

const howToComplete = `# Editors complete this after \`signalbox template schema > template.schema.json\`, with this as the first line:
# \`# yaml-language-server: $schema=./template.schema.json\`
`;
