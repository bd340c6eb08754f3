// The OpenAPI 3.1 document, made from the table of operations.

import { z } from "zod";
import type { Operation } from "./operation.ts";
import { errorCatalogue } from "./errors.ts";
import { operations } from "./operations.ts";

type Json = Readonly<Record<string, unknown>>;

export function makeOpenApi(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const path = (paths[operation.http.path] ??= {});
    path[operation.http.method.toLowerCase()] = toOperation(name, operation);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Signalbox",
      version,
      description:
        "Runtime and control plane for AI agents. The same operations are offered as MCP tools and over a local socket.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: errorSchema() },
      responses: {
        Error: {
          description: "A code, a sentence, nothing changed.",
          content: json({ $ref: "#/components/schemas/Error" }),
        },
      },
    },
  };
}

/** The names in braces of a route. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/** The JSON Schema of what a caller writes. */
export function inputSchemaOf(operation: Operation): Json {
  return withoutDialect(z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" }));
}

export function outputSchemaOf(operation: Operation): Json {
  return withoutDialect(z.toJSONSchema(operation.output, { io: "output", unrepresentable: "any" }));
}

function toOperation(name: string, operation: Operation): Json {
  const input = inputSchemaOf(operation);
  const fields = (input["properties"] ?? {}) as Record<string, Json>;
  const required = new Set((input["required"] ?? []) as string[]);
  const inPath = pathParameters(operation.http.path);
  const rest = Object.keys(fields).filter((field) => !inPath.includes(field));
  const inQuery = operation.http.method === "GET" || operation.http.method === "DELETE";
  const parameters = [
    ...inPath.map((field) => ({ name: field, in: "path", required: true, schema: fields[field] ?? {} })),
    ...(inQuery ? rest : []).map((field) => ({
      name: field,
      in: "query",
      required: required.has(field),
      schema: fields[field] ?? {},
    })),
  ];
  const body = {
    type: "object",
    properties: Object.fromEntries(rest.map((field) => [field, fields[field] ?? {}])),
    required: rest.filter((field) => required.has(field)),
    additionalProperties: false,
  };
  return {
    operationId: name,
    summary: operation.summary,
    tags: [name.split(".")[0] ?? name],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(inQuery ? {} : { requestBody: { required: body.required.length > 0, content: json(body) } }),
    responses: {
      200: { description: "Done.", content: json(outputSchemaOf(operation)) },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

function errorSchema(): Json {
  const error = {
    type: "object",
    required: ["code", "message", "data", "ways"],
    properties: {
      code: { type: "string", enum: Object.keys(errorCatalogue) },
      message: { type: "string", description: "What, where, what to do." },
      data: { type: "object", additionalProperties: true },
      ways: { type: "array", items: { type: "string" }, description: "Ways out." },
      retryAfterMs: { type: "number" },
    },
  };
  return { type: "object", required: ["error"], properties: { error } };
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}

function withoutDialect(schema: Json): Json {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}
