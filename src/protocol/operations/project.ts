import { z } from "zod";
import { at, line, nothing, projectRef } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { blamedLineSchema, fileChangeSchema } from "../wire/change.ts";
import { droppedSchema, addProjectSchema, changeProjectSchema, projectSchema } from "../wire/project.ts";

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
        "Registers a folder (absolute path) as a project, so that runs and claims can name it. Its history is taken in, which may take a while; the folder stays as it is. Use it once per repository; if it is there already, the refusal names it and you can use that. Next: run_submit or claim_make.",
    },
  }),
  "project.list": operation({
    summary: "Lists the projects.",
    effect: "read",
    input: z.strictObject({ at }),
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
    output: z.object({
      project: projectSchema,
      dropped: z
        .array(droppedSchema)
        .optional()
        .describe("What had landed before a person took it off their branch; left out where there is nothing."),
    }),
    http: { method: "GET", path: "/api/v1/projects/{project}" },
    mcp: {
      tool: "project_get",
      description:
        "Shows one project: its folder and branch, its named processes, and how far landings have reached the branch.",
    },
  }),
  "project.blame": operation({
    summary: "Shows which run, or whose own commit, each line of a file comes from.",
    effect: "read",
    input: z.strictObject({
      project: projectRef,
      path: line(limits.pathCharsMax).describe("Relative to the project."),
    }),
    output: z.object({ commit: z.string(), lines: z.array(blamedLineSchema) }),
    http: { method: "GET", path: "/api/v1/projects/{project}/blame" },
    mcp: {
      tool: "project_blame",
      description:
        "Shows for each line of a file on mainline which run landed it, or who committed it by hand. Next: run_get or run_diff of that run.",
    },
  }),
  "project.history": operation({
    summary: "Shows which runs, or whose own commits, changed a file, the newest first, each with its diff.",
    effect: "read",
    input: z.strictObject({
      project: projectRef,
      path: line(limits.pathCharsMax).describe("Relative to the project. What it was called before is another file."),
      skip: z.int().min(0).max(limits.linesMax).default(0).describe("Leaves out so many of the newest."),
      limit: z.int().min(1).max(limits.pastMax).default(limits.pastDefault),
    }),
    output: z.object({
      commit: z.string().describe("Where mainline stands."),
      changes: z.array(fileChangeSchema),
      more: z.boolean().describe("Whether there are older ones: ask again with a larger `skip`."),
    }),
    http: { method: "GET", path: "/api/v1/projects/{project}/history" },
    mcp: {
      tool: "project_history",
      description:
        "Shows who changed a file on mainline and how: each commit with its time, diff, and the run that landed it or the person who made it by hand, the newest first. Also of files that are gone. Next: run_get of such a run, or project_blame for single lines.",
    },
  }),
  "project.change": operation({
    summary:
      "Changes a project's case rule, its named processes, its test, what is derived, whom its runs may reach or their image.",
    effect: "write",
    input: changeProjectSchema,
    output: nothing,
    http: { method: "PATCH", path: "/api/v1/projects/{project}" },
    mcp: {
      tool: "project_change",
      description:
        "Changes a project's named processes (the whole list is replaced), the test that results have to pass before they land, or its case rule. Refused as in-use while units are held whose names would change; try again when `locks` is empty.",
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
