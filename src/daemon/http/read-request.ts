// From an HTTP request to the input of an operation: path, query and body, each field from exactly one of them.

import type { Context } from "hono";
import { ok, refuse, type Result } from "../../base/result.ts";
import { type ErrorCode, type ErrorData } from "../../protocol/errors.ts";
import { parseJson } from "../../protocol/json.ts";
import { limits } from "../../protocol/limits.ts";
import { inputSchemaOf, pathParameters } from "../../protocol/openapi.ts";
import type { Operation } from "../../protocol/operation.ts";

type Bad = { readonly code: ErrorCode; readonly data: ErrorData };
type FieldKind = "text" | "number" | "boolean" | "list";
type Fields = Record<string, unknown>;

/** How the fields of an operation are read from a query, worked out once. */
export type Reader = {
  readonly inPath: readonly string[];
  readonly inQuery: boolean;
  readonly kinds: ReadonlyMap<string, FieldKind>;
};

export function makeReader(operation: Operation): Reader {
  const fields = (inputSchemaOf(operation)["properties"] ?? {}) as Record<string, { type?: unknown }>;
  const kinds = Object.entries(fields).map(([name, { type }]) => [name, kindOf(type)] as const);
  const { method, path } = operation.http;
  return { inPath: pathParameters(path), inQuery: method === "GET" || method === "DELETE", kinds: new Map(kinds) };
}

export async function readRequest(reader: Reader, context: Context): Promise<Result<Fields, Bad>> {
  const rest = reader.inQuery ? readQuery(reader, context) : await readBody(context);
  if (!rest.ok) return rest;
  const input = rest.value;
  const queried = reader.inQuery ? undefined : Object.keys(context.req.queries())[0];
  if (queried !== undefined)
    return bad("bad-input", { where: queried.slice(0, 60), why: "this route takes its fields in the body" });
  for (const name of reader.inPath) {
    if (Object.hasOwn(input, name)) return bad("bad-input", { where: name, why: "it stands in the path already" });
    input[name] = context.req.param(name);
  }
  return ok(input);
}

/** Reads a body of JSON, up to the size that is allowed. */
async function readBody(context: Context): Promise<Result<Fields, Bad>> {
  const text = await readText(context);
  if (!text.ok) return text;
  if (text.value.trim() === "") return ok({});
  if (!/^application\/json\s*(;|$)/i.test(context.req.header("content-type") ?? "")) return bad("wrong-media-type", {});
  const parsed = parseJson(text.value);
  if (!parsed.ok) return bad(parsed.refusal.code, { why: parsed.refusal.why });
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return bad("bad-input", { where: "the top", why: "the body is an object" });
  }
  return ok({ ...value });
}

/** Reads a body as text, up to the size that is allowed. */
export async function readText(context: Context): Promise<Result<string, Bad>> {
  const tooLarge = bad("too-large", { why: `at most ${limits.requestBytesMax} bytes` });
  if (Number(context.req.header("content-length") ?? 0) > limits.requestBytesMax) return tooLarge;
  const { body } = context.req.raw;
  if (body === null) return ok("");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > limits.requestBytesMax) return tooLarge;
      text += decoder.decode(chunk, { stream: true });
    }
    return ok(text + decoder.decode());
  } catch {
    return bad("bad-input", { where: "the body", why: "it broke off, or is not UTF-8" });
  }
}

function readQuery(reader: Reader, context: Context): Result<Fields, Bad> {
  const input: Fields = {};
  for (const [name, values] of Object.entries(context.req.queries())) {
    // A field that nobody knows is left to the schema, which says so.
    const kind = reader.kinds.get(name) ?? "text";
    if (kind !== "list" && values.length > 1) return bad("bad-input", { where: name, why: "it is there twice" });
    input[name] = kind === "list" ? values : toValue(kind, values[0] ?? "");
  }
  return ok(input);
}

/** What is not written as its kind stays text; the schema then says what is wrong. */
function toValue(kind: FieldKind, text: string): unknown {
  if (kind === "number") return /^-?\d{1,16}$/.test(text) ? Number(text) : text;
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

function kindOf(type: unknown): FieldKind {
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean") return "boolean";
  return type === "array" ? "list" : "text";
}

function bad(code: ErrorCode, data: ErrorData): Result<never, Bad> {
  return refuse({ code, data });
}
