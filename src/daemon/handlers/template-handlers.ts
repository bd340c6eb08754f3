// Templates as texts. Nothing is made here; what an agent is made from is a copy of the text at that time.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareText } from "../../base/canonical.ts";
import type { Project } from "../../core/project/project.ts";
import { hashOf } from "../../node/tool-host/plan-changes.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { templateOperations } from "../../protocol/operations/template.ts";
import type { TemplateProblem } from "../../protocol/template/problem.ts";
import { readTemplate } from "../../protocol/template/read-template.ts";
import { toStack } from "../../protocol/template/stack.ts";
import { templateLimits } from "../../protocol/template/template-schema.ts";
import { listValues } from "../../protocol/template/with-values.ts";
import type { Context, Handlers } from "../context.ts";
import { sideAt, textOf } from "../views/change-view.ts";

const folder = join(import.meta.dirname, "../../../templates");
const ownFile = "signalbox.yaml";

type Listed = OutputOf<"template.list">["templates"][number];

export const templateHandlers: Handlers<keyof typeof templateOperations> = {
  "template.list": (context, _input, _caller, reply) => context.later(list(context), reply),
  "template.check": (context, { template, file = "the template" }, _caller, reply) =>
    context.later(Promise.resolve(check(template, file)), reply),
};

async function list(context: Context): Promise<OutputOf<"template.list">> {
  const projects = [...context.state.projects.values()].toSorted((a, b) => compareText(a.name, b.name));
  const own = await Promise.all(projects.map((project) => ownTemplate(context, project)));
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml")).toSorted();
  const stacks = files.map(async (file) => ({
    ...toStack(file, await readFile(join(folder, file), "utf8")),
    project: null,
    file: null,
  }));
  return { templates: [...own.filter((each) => each !== null), ...(await Promise.all(stacks))] };
}

/** As mainline has it. A project without one, or whose one is no text of fitting size, has none. */
async function ownTemplate(context: Context, project: Project): Promise<Listed | null> {
  try {
    const mainline = await context.parts.mainlines.of(project);
    const entry = (await mainline.entriesAt(await mainline.head(), [ownFile])).get(ownFile) ?? null;
    if (entry === null) return null;
    const text = textOf((await sideAt(mainline, entry)).bytes);
    if (text.length > templateLimits.bytesMax) return null;
    const name = /^template:\s*["']?([a-z0-9-]+)/m.exec(text)?.[1] ?? project.name;
    const file = { path: ownFile, hash: hashOf(entry) };
    return { name, about: `${ownFile} of ${project.name}`, project: project.id, text, file };
  } catch {
    // A project that cannot be read now has its own way of saying so.
    return null;
  }
}

function check(template: string, file: string): OutputOf<"template.check"> {
  const read = readTemplate(template, { file });
  const nothing = { name: null, project: null, services: [], values: [] };
  if (!read.ok) return { ok: false, problems: toPlaces(read.problems), warnings: [], ...nothing };
  const { spec, warnings } = read;
  return {
    ok: true,
    problems: [],
    warnings: toPlaces(warnings),
    name: spec.template,
    project: spec.project ?? null,
    services: spec.services.map(({ name, ports, needs }) => ({
      name,
      ports: [...ports],
      needs: needs.map(({ service }) => service),
    })),
    values: listValues(spec),
  };
}

function toPlaces(problems: readonly TemplateProblem[]): OutputOf<"template.check">["problems"] {
  return problems.map(({ line, column, path, message }) => ({ line, column, path, message }));
}
