import { z } from "zod";
import { operation } from "../operation.ts";
import { auditSchema, reapedSchema } from "../wire/audit.ts";

const empty = z.strictObject({});

export const auditOperations = {
  audit: operation({
    summary: "Finds what on this machine is the daemon's and has no owner any more. Changes nothing.",
    effect: "read",
    input: empty,
    output: auditSchema,
    http: { method: "GET", path: "/api/v1/audit" },
    mcp: {
      tool: "audit",
      description:
        "Looks for what is left of runs and agents that are gone: keepers, processes, namespaces, containers, mounts, control groups, ports, workspaces and files, each with the proof that it is this daemon's and what reaping would do. Reaping is for people: signalbox audit --reap.",
    },
  }),
  "audit.reap": operation({
    summary: "Looks like `audit`, takes away what can be taken away, and says what was done.",
    effect: "write",
    input: empty,
    output: reapedSchema,
    http: { method: "POST", path: "/api/v1/audit/reap" },
    mcp: null,
  }),
};
