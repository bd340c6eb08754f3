import { z } from "zod";
import { nothing, projectRef } from "../fields.ts";
import { operation } from "../operation.ts";
import { addProjectSchema, changeProjectSchema, projectSchema } from "../wire/project.ts";

const one = z.strictObject({ project: projectRef });

export const projectOperations = {
  "project.add": operation({
    summary: "Registers a folder that agents work on.",
    effect: "write",
    input: addProjectSchema,
    output: z.object({ project: z.string(), name: z.string(), root: z.string() }),
    http: { method: "POST", path: "/api/v1/projects" },
    mcp: {
      tool: "project_add",
      description:
        "Registers a folder (absolute path) as a project, so that runs and claims can name it. Use it once per repository; if it is there already, the refusal names it and you can use that. Next: run_submit or claim_make.",
    },
  }),
  "project.list": operation({
    summary: "Lists the projects.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({ projects: z.array(projectSchema) }),
    http: { method: "GET", path: "/api/v1/projects" },
    mcp: {
      tool: "project_list",
      description:
        "Lists the projects with their folders and named processes. Use it to find the name or id that other tools want.",
    },
  }),
  "project.get": operation({
    summary: "Shows a project.",
    effect: "read",
    input: one,
    output: z.object({ project: projectSchema }),
    http: { method: "GET", path: "/api/v1/projects/{project}" },
    mcp: { tool: "project_get", description: "Shows one project: its folder, case rule and named processes." },
  }),
  "project.change": operation({
    summary: "Changes a project's case rule or its named processes.",
    effect: "write",
    input: changeProjectSchema,
    output: nothing,
    http: { method: "PATCH", path: "/api/v1/projects/{project}" },
    mcp: {
      tool: "project_change",
      description:
        "Changes a project's named processes (the whole list is replaced) or its case rule. Refused as in-use while units are held whose names would change; try again when `locks` is empty.",
    },
  }),
  "project.remove": operation({
    summary: "Forgets a project. Its folder is not touched.",
    effect: "write",
    input: one,
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/projects/{project}" },
    mcp: {
      tool: "project_remove",
      description:
        "Forgets a project; its folder stays as it is. Refused while runs or claims are active: stop those first (run_stop_all).",
    },
  }),
};
