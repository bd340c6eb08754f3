import { z } from "zod";
import { name, nothing, runnerName } from "../fields.ts";
import { operation } from "../operation.ts";
import { modelName } from "../wire/model.ts";
import { setRunnerSchema } from "../wire/own-runner.ts";
import { presetNames, presetsSchema, probeSchema, runnerSchema } from "../wire/runner.ts";

export const runnerOperations = {
  "runner.list": operation({
    summary: "Lists the runners: what is installed, what each can do, and whether a credential is there.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({ runners: z.array(runnerSchema) }),
    http: { method: "GET", path: "/api/v1/runners" },
    mcp: {
      tool: "runner_list",
      description:
        "Lists the runners of this machine: version and path of each program, what it can do, whether a credential is configured, and what to do about one that is missing. Use it before run_submit with a runner you have not used yet.",
    },
  }),
  "runner.set": operation({
    summary: "Defines a runner acp:NAME by its command, or replaces the one of the same name. For people.",
    effect: "write",
    input: setRunnerSchema,
    output: nothing,
    http: { method: "PUT", path: "/api/v1/runners/{name}" },
    mcp: null,
  }),
  "runner.remove": operation({
    summary: "Removes a runner that a person has defined. For people.",
    effect: "write",
    input: z.strictObject({ name: name("runner") }),
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/runners/{name}" },
    mcp: null,
  }),
  "runner.preset": operation({
    summary: "Says which model a preset of profiles means to a runner; null is what is built in. For people.",
    effect: "write",
    input: z.strictObject({
      runner: runnerName,
      preset: z.enum(presetNames),
      model: modelName.nullable().describe("The model, as the runner calls it. Null: the one that is built in."),
    }),
    output: z.object({ presets: presetsSchema }),
    http: { method: "PUT", path: "/api/v1/runners/{runner}/presets/{preset}" },
    mcp: null,
  }),
  "runner.probe": operation({
    summary: "Asks a runner's model for one token, to see whether it answers.",
    effect: "write",
    input: z.strictObject({
      runner: runnerName,
      model: modelName
        .optional()
        .describe("The model to ask. Left out: a small one, where it is known which there are."),
    }),
    output: probeSchema,
    http: { method: "POST", path: "/api/v1/runners/{runner}/probe" },
    mcp: null,
  }),
};
