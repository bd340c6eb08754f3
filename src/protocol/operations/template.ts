// Templates as texts: those that come along, those of projects, and what is wrong with one.

import { z } from "zod";
import { text } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { templateLimits } from "../template/template-schema.ts";

const problemSchema = z.object({
  line: z.int().describe("Counted from 1."),
  column: z.int(),
  path: z.string().describe("Such as services.web.ports; empty for the whole."),
  message: z.string(),
});

export const templateOperations = {
  "template.list": operation({
    summary: "Lists templates: those of projects (signalbox.yaml on mainline) and those that come along.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({
      templates: z.array(
        z.object({
          name: z.string(),
          about: z.string().describe("What it is for, in a sentence."),
          project: z.string().nullable().describe("Whose it is, by id; null for one that comes along."),
          text: z.string().describe("The template itself, as YAML."),
          file: z
            .object({
              path: z.string().describe("Relative to the project."),
              hash: z.string().describe("What `seen` of a write wants, so that nobody's change is lost."),
            })
            .nullable()
            .describe("The file of the project that it is; null for one that comes along."),
        }),
      ),
    }),
    http: { method: "GET", path: "/api/v1/templates" },
    mcp: {
      tool: "template_list",
      description:
        "Lists templates that agents can be made from, with their texts: those of projects, and some to begin with. Next: template_check after a change, then agent_create.",
    },
  }),
  "template.check": operation({
    summary: "Says what is wrong with a template, each with its line, and what an agent of it would have.",
    // It changes nothing, but a template is too long for an address.
    effect: "write",
    input: z.strictObject({
      template: text(templateLimits.bytesMax).describe("The template itself, as YAML."),
      file: text(limits.pathCharsMax).optional().describe("What its file is called, for messages about it."),
    }),
    output: z.object({
      ok: z.boolean(),
      problems: z.array(problemSchema).describe("In the order of the text; empty where it is right."),
      warnings: z.array(problemSchema),
      name: z.string().nullable().describe("What it is called; null where it is not right."),
      project: z.string().nullable().describe("The project that it names, by id or name; null where it names none."),
      services: z.array(z.object({ name: z.string(), ports: z.array(z.string()), needs: z.array(z.string()) })),
      values: z
        .array(z.object({ name: z.string(), value: z.string().nullable().describe("Null where it is made up.") }))
        .describe("Variables at the top, which whoever makes an agent may give other values."),
    }),
    http: { method: "POST", path: "/api/v1/templates/check" },
    mcp: {
      tool: "template_check",
      description:
        "Looks at a template without making anything: every problem with its line and what to do, or what an agent of it would have. Next: agent_create.",
    },
  }),
};
