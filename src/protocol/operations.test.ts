import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { stuckActs as coreStuckActs } from "../core/policy/policy.ts";
import { runStates as coreRunStates } from "../core/run/run-states.ts";
import { attachmentsMax } from "../core/task/task-decide.ts";
import { limits } from "./limits.ts";
import type { Operation } from "./operation.ts";
import { inputSchemaOf, makeOpenApi, outputSchemaOf, pathParameters } from "./openapi.ts";
import { findOperation, operationNames, operations } from "./operations.ts";
import { stuckActs } from "./stuck-acts.ts";
import { overStates, runStates } from "./wire/run.ts";
import { claimStates } from "./wire/claim.ts";

type Schema = Record<string, unknown>;

const table = Object.entries(operations) as [string, Operation][];
const readDoc = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, "../../docs/reference", name), "utf8");

/** Every place in a schema where something is without bounds. */
function unbounded(schema: Schema, where: string): string[] {
  const found: string[] = [];
  const walk = (node: Schema, at: string): void => {
    const { type } = node;
    const isFixed = node["enum"] !== undefined || node["const"] !== undefined;
    if (type === "string" && !isFixed && node["maxLength"] === undefined && node["pattern"] === undefined)
      found.push(at);
    if (type === "array" && node["maxItems"] === undefined) found.push(`${at}[]`);
    if ((type === "number" || type === "integer") && node["maximum"] === undefined) found.push(at);
    if (type === "object" && node["additionalProperties"] === undefined) found.push(`${at}{}`);
    for (const [name, child] of Object.entries((node["properties"] ?? {}) as Record<string, Schema>))
      walk(child, `${at}.${name}`);
    for (const child of [node["items"], node["additionalProperties"]]) {
      if (typeof child === "object" && child !== null) walk(child as Schema, `${at}.*`);
    }
    for (const child of [...((node["anyOf"] ?? []) as Schema[]), ...((node["allOf"] ?? []) as Schema[])])
      walk(child, at);
  };
  walk(schema, where);
  return found;
}

describe("the table of operations", () => {
  test.each(table)(
    "%s: every string, list and number that comes in is bounded, and unknown fields are refused",
    (name, operation) => {
      expect(unbounded(inputSchemaOf(operation), name)).toEqual([]);
      expect(inputSchemaOf(operation)["additionalProperties"]).toBe(false);
      expect(operation.input.safeParse({ surelyNotAField: 1 }).success).toBe(false);
    },
  );

  test.each(table)("%s: has one route, a sentence, and the fields that its path names", (name, operation) => {
    expect(name).toMatch(/^[a-z]+(\.[a-z]+(-[a-z]+)*)?$/);
    expect(operation.summary).toMatch(/^[A-Z].*\.$/);
    const fields = Object.keys(inputSchemaOf(operation)["properties"] as object);
    expect(fields).toEqual(expect.arrayContaining(pathParameters(operation.http.path)));
    // A page could make a browser send a GET; it must not be able to change anything by it.
    expect(operation.http.method === "GET").toBe(operation.effect === "read");
    expect(outputSchemaOf(operation)["type"]).toBe("object");
  });

  test("no two operations share a route or a tool", () => {
    const routes = table.map(([, { http }]) => `${http.method} ${http.path}`);
    const tools = table.flatMap(([, { mcp }]) => (mcp === null ? [] : [mcp.tool]));
    expect(new Set(routes).size).toBe(routes.length);
    expect(new Set(tools).size).toBe(tools.length);
  });

  const judging = [
    "inbox.see",
    "run.see",
    "run.raise",
    "unit.clear",
    "run.door",
    "run.approve",
    "run.reject",
    "run.return",
    "trash.purge",
  ];
  const paying = [
    "runner.probe",
    "runner.set",
    "runner.remove",
    "runner.preset",
    "price.set",
    "price.remove",
    "secret.set",
    "secret.list",
    "secret.remove",
  ];
  const logins = ["subscription.set", "subscription.list", "subscription.remove"];
  const forPeople = [
    "agent.join",
    "profile.remove",
    "audit.reap",
    "demo.start",
    "exec.input",
    "exec.output",
    "exec.start",
    "exec.stop",
    "shutdown",
    "terminal.close",
    "terminal.forget",
    "terminal.keyboard",
    "terminal.open",
    "terminal.recording",
    "terminal.rename",
    "terminal.say",
    "terminal.search",
    "login",
    "maintain",
    "gc",
    "image.prune",
    "face.open",
    ...judging,
    ...paying,
    ...logins,
  ];

  test("what is for people only has no tool", () => {
    expect(table.flatMap(([name, { mcp }]) => (mcp === null ? [name] : [])).toSorted()).toEqual(forPeople.toSorted());
  });

  test.each(table.filter(([, { mcp }]) => mcp !== null))(
    "%s: its tool is called after it, and says what to do",
    (name, { mcp }) => {
      expect(mcp?.tool).toBe(name.replaceAll(/[.-]/g, "_"));
      expect(mcp?.description).toMatch(/^[A-Z].{40,}\.$/);
    },
  );

  test("names from the prototype are no operations", () => {
    for (const name of ["constructor", "toString", "__proto__", ""]) expect(findOperation(name)).toBeUndefined();
    expect(findOperation("run.submit")?.name).toBe("run.submit");
  });

  test("speaks of the same states, acts and bounds as the core", () => {
    expect(runStates).toEqual(coreRunStates);
    expect(stuckActs).toEqual(coreStuckActs);
    expect(limits.attachmentsMax).toBe(attachmentsMax);
    expect(overStates).toEqual(["done", "failed", "rejected", "terminated"]);
    expect(claimStates).toContain("holder-gone");
  });
});

describe("the OpenAPI document", () => {
  const document = makeOpenApi("1.2.3") as {
    openapi: string;
    info: { version: string };
    paths: Record<string, Record<string, Schema>>;
    components: { schemas: Record<string, Schema>; responses: Record<string, Schema>; securitySchemes: Schema };
  };
  const entries = Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route, method, operation })),
  );

  test("is of version 3.1 and has every operation exactly once", () => {
    expect([document.openapi, document.info.version]).toEqual(["3.1.0", "1.2.3"]);
    expect(entries.map(({ operation }) => String(operation["operationId"])).toSorted()).toEqual(
      [...operationNames].toSorted(),
    );
  });

  test.each(entries)("$method $route is whole: parameters, body, answers", ({ route, method, operation }) => {
    expect(["get", "post", "put", "patch", "delete"]).toContain(method);
    const parameters = (operation["parameters"] ?? []) as {
      name: string;
      in: string;
      required: boolean;
      schema: Schema;
    }[];
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    expect(inPath.map(({ name }) => name)).toEqual(pathParameters(route));
    expect(inPath.every(({ required }) => required)).toBe(true);
    for (const parameter of parameters) expect(parameter.schema).toBeTypeOf("object");
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(operation["requestBody"] !== undefined).toBe(!["get", "delete"].includes(method));
    const responses = operation["responses"] as Record<string, { content?: Schema; $ref?: string }>;
    expect(responses["200"]?.content).toHaveProperty(["application/json", "schema", "type"], "object");
    expect(responses["default"]?.$ref).toBe("#/components/responses/Error");
  });

  test("refers only to what is there, and is plain JSON", () => {
    const text = JSON.stringify(document);
    expect(JSON.parse(text)).toEqual(document);
    const refs = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? "");
    for (const ref of refs) expect(document).toHaveProperty(ref.split("/"));
    expect(text).not.toContain("$schema");
  });
});

describe("the reference pages", () => {
  test("api.md names every operation with its route, and no other", () => {
    const rows = [...readDoc("api.md").matchAll(/^\| `([a-z.-]+)` \| (\w+ \S+) \| .* \| (.*) \|$/gm)];
    const listed = rows.map(([, name, route, summary]) => `${name} ${route} ${summary}`);
    const wanted = table.map(([name, { http, summary }]) => `${name} ${http.method} ${http.path} ${summary}`);
    expect(listed.toSorted()).toEqual(wanted.toSorted());
  });

  test("mcp.md names every tool with its description, and no other", () => {
    const rows = [...readDoc("mcp.md").matchAll(/^\| `([a-z_]+)` \| (.*) \|$/gm)].map((row) => `${row[1]} ${row[2]}`);
    const wanted = table.flatMap(([, { mcp }]) => (mcp === null ? [] : [`${mcp.tool} ${mcp.description}`]));
    expect(rows.toSorted()).toEqual(wanted.toSorted());
  });
});
