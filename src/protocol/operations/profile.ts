import { z } from "zod";
import { name, nothing } from "../fields.ts";
import { operation } from "../operation.ts";
import { profileSchema, setProfileSchema } from "../wire/profile.ts";

const one = z.strictObject({ name: name("profile") });

export const profileOperations = {
  "profile.set": operation({
    summary: "Makes a profile, or replaces the one of the same name.",
    effect: "write",
    input: setProfileSchema,
    output: nothing,
    http: { method: "PUT", path: "/api/v1/profiles/{name}" },
    mcp: {
      tool: "profile_set",
      description:
        "Makes a profile; one that is there is changed by people. Runner, fallbacks, model or preset, turns, time, tools, policy, prompt parts, variables, network and cost of the runs that name it. Runs that were submitted before keep what they have. Next: run_submit with `profile`.",
    },
  }),
  "profile.ensure": operation({
    summary: "Makes a profile unless there is one of the name, and answers the one that is there.",
    effect: "write",
    input: setProfileSchema,
    output: z.object({ profile: profileSchema, made: z.boolean().describe("Whether it was made just now.") }),
    http: { method: "POST", path: "/api/v1/profiles/{name}/ensure" },
    mcp: {
      tool: "profile_ensure",
      description:
        "Makes a profile unless there is one of this name already; that one is then left as it is and answered. Use it to be sure that a profile is there before run_submit names it.",
    },
  }),
  "profile.list": operation({
    summary: "Lists the profiles.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({ profiles: z.array(profileSchema) }),
    http: { method: "GET", path: "/api/v1/profiles" },
    mcp: {
      tool: "profile_list",
      description: "Lists the profiles with everything that they say. Use it to choose the `profile` of run_submit.",
    },
  }),
  "profile.get": operation({
    summary: "Shows a profile.",
    effect: "read",
    input: one,
    output: z.object({ profile: profileSchema }),
    http: { method: "GET", path: "/api/v1/profiles/{name}" },
    mcp: {
      tool: "profile_get",
      description: "Shows one profile by name. A person changes or removes it; profile_set makes another one.",
    },
  }),
  "profile.remove": operation({
    summary: "Removes a profile.",
    effect: "write",
    input: one,
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/profiles/{name}" },
    mcp: null,
  }),
};
