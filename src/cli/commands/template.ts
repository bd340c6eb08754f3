// Templates, without a daemon: they are files of a project, and what they mean is known here.

import { writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { didYouMean } from "../../base/did-you-mean.ts";
import { exitCodeOf, protocolError, type WireError } from "../../protocol/errors.ts";
import { type TemplateProblem, toProblemLine } from "../../protocol/template/problem.ts";
import { makeTemplateSchema } from "../../protocol/template/published-schema.ts";
import { type ReadTemplate, readTemplate } from "../../protocol/template/read-template.ts";
import type { Stack } from "../../protocol/template/stack.ts";
import { isTemplateName, nameRule } from "../../protocol/template/template-schema.ts";
import { writeTemplate } from "../../protocol/template/write-template.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { readText } from "../read-text.ts";
import { reportError, toReport } from "../report-error.ts";
import { listStacks, toOwnTemplate } from "../stacks.ts";
import { toSafeLine, toSafeLines } from "../text/safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { toWriteError } from "../write-error.ts";

const ownFile = "signalbox.yaml";

const file = {
  parse: parseNonEmpty,
  placeholder: "FILE",
  brief: `A template; - is standard input. Left out: ${ownFile}.`,
} as const;

export const templateValidate = defineCommand<CommonFlags, string[]>({
  usage: "[FILE…]",
  about: `Needs no daemon. Each problem is a line on standard output, FILE:LINE:COLUMN: and what to do; warnings are too. Ends with 2
when there is a problem, and with 0 when there are warnings alone.`,
  examples: [
    ["template validate", `Look at ${ownFile} in this folder.`],
    ["template validate a.yaml b.yaml --json", "For a program."],
  ],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "array", parameter: file } },
  async run(cli, { json }, ...files) {
    const templates: object[] = [];
    const errors: (WireError & { readonly file: string })[] = [];
    let firstExitCode = 0;
    for (const path of files.length === 0 ? [ownFile] : new Set(files)) {
      try {
        const read = await readFileOf(cli, path);
        if (!read.ok) firstExitCode ||= exitCodeOf("bad-template");
        templates.push({ file: path, ok: read.ok, problems: read.ok ? [] : read.problems, warnings: warningsOf(read) });
        if (!json) tell(cli, path, read);
      } catch (thrown) {
        const { error, exitCode } = await toReport(cli, thrown);
        firstExitCode ||= exitCode;
        errors.push({ file: path, ...error });
        if (!json) await reportError(cli, thrown, false);
      }
    }
    if (json) cli.out.json({ templates, errors });
    return firstExitCode;
  },
});

export const templateShow = defineCommand<CommonFlags, [string?]>({
  usage: "[FILE]",
  about: `Needs no daemon. The answer is a template that says the same and leaves nothing out. With --json it has spec, which is what
an agent is made of, and warnings.`,
  examples: [
    ["template show", `See what ${ownFile} means.`],
    ["template show shop.yaml --json", "For a program."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: "tuple", parameters: [{ ...file, optional: true }] },
  },
  async run(cli, { json }, path = ownFile) {
    const read = await readFileOf(cli, path);
    if (!read.ok) throw protocolError("bad-template", { problems: read.problems });
    const { spec, warnings } = read;
    if (json) return cli.out.json({ spec, warnings });
    const text = writeTemplate(spec);
    if (cli.out.isScreen) cli.out.print(...toSafeLines(text.trimEnd()));
    else cli.out.raw(text);
    cli.out.note(...warnings.map((warning) => toSafeLine(`warning: ${toProblemLine(warning)}`)));
  },
});

type InitFlags = CommonFlags & { readonly from: Stack };

export const templateInit = defineCommand<InitFlags, [string?]>({
  usage: "[NAME] [--from STACK]",
  about: `Needs no daemon. Writes ${ownFile} into this folder; a file that is there is left as it is. Without NAME the template is
called after the folder. signalbox template list shows the stacks.`,
  examples: [
    ["template init", "Begin with a workspace and nothing else."],
    ["template init shop --from node-postgres", "An application with its database."],
  ],
  parameters: {
    flags: {
      from: {
        kind: "parsed",
        parse: parseStack,
        default: "bare",
        placeholder: "STACK",
        brief: "The stack to begin with. Left out: bare.",
        proposeCompletions: () => listStacks().map(({ name }) => name),
      },
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [{ parse: parseName, placeholder: "NAME", brief: "Name of the template.", optional: true }],
    },
  },
  async run(cli, { from, json }, given) {
    const name = given ?? toName(basename(cli.cwd)) ?? from.name;
    const path = resolve(cli.cwd, ownFile);
    try {
      await writeFile(path, toOwnTemplate(from, name), { flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST")
        throw new UsageError(`${path} is there already, and is left as it is. Move it away first, or change it.`);
      throw toWriteError(error, ownFile, path, "FILE");
    }
    if (json) return cli.out.json({ path, template: name, from: from.name });
    cli.out.print(path);
    cli.out.note("Change it to what your project needs; then: signalbox template validate");
  },
});

export const templateList = defineCommand({
  usage: "",
  about: "Needs no daemon. signalbox template init --from STACK begins with one of them.",
  examples: [["template list", "See which stacks there are."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const stacks = listStacks().map(({ name, about, text }) => {
      const read = readTemplate(text, { file: `${name}.yaml` });
      return { name, about, services: read.ok ? read.spec.services.map((service) => service.name) : [] };
    });
    if (json) return cli.out.json({ stacks });
    cli.out.table(
      [{ title: "STACK" }, { title: "SERVICES" }, { title: "WHAT IT IS", cut: "end" }],
      stacks.map(({ name, about, services }) => [name, services.join(", "), about]),
    );
  },
});

export const templateSchema = defineCommand({
  usage: "",
  about: `Needs no daemon. Editors with the YAML language server take it from a file that the template's first line names:
# yaml-language-server: $schema=./template.schema.json`,
  examples: [["template schema > template.schema.json", "Write it where your editor finds it."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    if (json) cli.out.json(makeTemplateSchema());
    else cli.out.print(JSON.stringify(makeTemplateSchema(), null, 2));
  },
});

async function readFileOf(cli: Cli, path: string): Promise<ReadTemplate> {
  return readTemplate(await readText(cli, "FILE", path), { file: path });
}

function warningsOf(read: ReadTemplate): readonly TemplateProblem[] {
  return read.ok ? read.warnings : [];
}

function tell(cli: Cli, path: string, read: ReadTemplate): void {
  const { green, red, yellow } = cli.out.colors;
  if (!read.ok) cli.out.print(...read.problems.map((problem) => red(toSafeLine(toProblemLine(problem)))));
  for (const warning of warningsOf(read)) cli.out.print(yellow(toSafeLine(`${toProblemLine(warning)} (warning)`)));
  if (read.ok) cli.out.print(green(toSafeLine(`${path}: ok`)));
}

function parseStack(text: string): Stack {
  const stacks = listStacks();
  const found = stacks.find(({ name }) => name === text);
  const names = stacks.map(({ name }) => name);
  if (found === undefined) throw new Error(`it is one of ${names.join(", ")}.${didYouMean(text, names)}`);
  return found;
}

function parseName(text: string): string {
  if (!isTemplateName(text)) throw new Error(`${nameRule}.`);
  return text;
}

/** What is left of a folder's name that a template can be called. */
function toName(folder: string): string | undefined {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return isTemplateName(name) ? name : undefined;
}
