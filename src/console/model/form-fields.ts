// A form made from the schema of an operation: which fields there are, what stands in them, and which of them a refusal is
// about. What is right or wrong is for the daemon to say; here only what cannot be sent at all is found.

/** The part of JSON Schema that inputs use. */
export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly maxLength?: number;
};

export type FieldKind = "text" | "long" | "number" | "flag" | "choice" | "list" | "pairs" | "data" | "group";

export type Field = {
  /** From the top of the input: `rules.maxFiles`. */
  readonly path: string;
  readonly label: string;
  readonly help: string;
  readonly kind: FieldKind;
  readonly unit: "ms" | "micros" | "bytes" | null;
  /** What a choice is between; of a text, what is known to write there. */
  readonly options: readonly string[];
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly fields: readonly Field[];
};

/** What stands in each field, by its path, as text. */
export type Draft = Readonly<Record<string, string>>;

const longChars = 5000;

export function toFields(schema: JsonSchema, above = ""): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const own = plainOf(inner);
    const path = above === "" ? name : `${above}.${name}`;
    const isRequired = schema.required?.includes(name) === true && inner.default === undefined;
    const kind = kindOf(own);
    return {
      path,
      label: toLabel(name),
      help: inner.description ?? own.description ?? "",
      kind,
      unit: unitOf(name, kind),
      options: kind === "choice" ? (own.enum ?? []).map(String) : [],
      isRequired,
      isNullable: inner !== own,
      // What is left out as a whole has nothing that must be there.
      fields: kind === "group" ? toFields(isRequired ? own : { ...own, required: [] }, path) : [],
    };
  });
}

/** What a value looks like in the fields. */
export function toDraft(fields: readonly Field[], value: Readonly<Record<string, unknown>>): Draft {
  const entries = flat(fields).map((field) => [field.path, toText(field, valueAt(value, field.path))]);
  return Object.fromEntries(entries) as Draft;
}

export type Read = {
  readonly value: Record<string, unknown>;
  /** What cannot be sent, by the path of its field. */
  readonly troubles: ReadonlyMap<string, string>;
};

/** What the fields say. One that is empty is left out. */
export function readDraft(fields: readonly Field[], draft: Draft): Read {
  const value: Record<string, unknown> = {};
  const troubles = new Map<string, string>();
  const read = (inner: readonly Field[], into: Record<string, unknown>): void => {
    for (const field of inner) {
      const name = field.path.slice(field.path.lastIndexOf(".") + 1);
      if (field.kind === "group") {
        const group: Record<string, unknown> = {};
        read(field.fields, group);
        if (Object.keys(group).length > 0 || field.isRequired) into[name] = group;
        continue;
      }
      const text = draft[field.path] ?? "";
      if (text.trim() === "") continue;
      const parsed = fromText(field, text);
      if (parsed.ok) into[name] = parsed.value;
      else troubles.set(field.path, parsed.why);
    }
  };
  read(fields, value);
  return { value, troubles };
}

/** Only what is other than before. What was emptied becomes null, or nothing of its kind. */
export function readChange(fields: readonly Field[], before: Draft, after: Draft): Read {
  const isOther = ({ path }: Field): boolean => (before[path] ?? "") !== (after[path] ?? "");
  const changed = fields.filter((field) => flat([field]).some(isOther));
  const { value, troubles } = readDraft(changed, after);
  for (const field of changed) {
    if (field.kind === "group" || (after[field.path] ?? "").trim() !== "") continue;
    value[field.path] = field.isNullable ? null : emptyOf(field.kind);
  }
  return { value, troubles };
}

function emptyOf(kind: FieldKind): unknown {
  if (kind === "list") return [];
  return kind === "text" || kind === "long" ? "" : {};
}

/** The field that a refusal speaks of, by the place that it names; null where it is about the whole. */
export function fieldAt(fields: readonly Field[], where: string): string | null {
  const sought = where.replaceAll(/\[\d+\]/g, "");
  const found = flat(fields)
    .map(({ path }) => path)
    .filter((path) => sought === path || sought.startsWith(`${path}.`));
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** All fields that something can be written into. */
export function flat(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => (field.kind === "group" ? flat(field.fields) : [field]));
}

function plainOf(schema: JsonSchema): JsonSchema {
  const rest = schema.anyOf?.filter(({ type }) => type !== "null");
  if (rest === undefined || rest.length === schema.anyOf?.length || rest.length !== 1) return schema;
  return rest[0] ?? schema;
}

function kindOf(schema: JsonSchema): FieldKind {
  const { type, items, additionalProperties } = schema;
  if (schema.enum !== undefined) return "choice";
  if (type === "boolean") return "flag";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return (schema.maxLength ?? 0) > longChars ? "long" : "text";
  if (type === "array" && items?.type === "string" && (items.maxLength ?? 0) <= longChars) return "list";
  if (type === "object" && schema.properties !== undefined) return "group";
  if (type === "object" && typeof additionalProperties === "object" && additionalProperties.type === "string")
    return "pairs";
  return "data";
}

function unitOf(name: string, kind: FieldKind): Field["unit"] {
  if (kind !== "number") return null;
  if (name.endsWith("Ms")) return "ms";
  if (name.endsWith("Micros")) return "micros";
  return /^max(Bytes|Disk)$/.test(name) ? "bytes" : null;
}

/** maxTimeMs becomes Max time. */
export function toLabel(name: string): string {
  const words = name.replace(/(Ms|Micros)$/, "").replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce((inner, name) => (inner as Readonly<Record<string, unknown>> | null | undefined)?.[name], value);
}

function toText(field: Field, value: unknown): string {
  if (value === undefined || (value === null && field.kind !== "number")) return "";
  if (field.kind === "flag") return value === true ? "yes" : "no";
  if (field.kind === "list" && Array.isArray(value)) return value.join("\n");
  if (field.kind === "pairs")
    return Object.entries(value as object)
      .map(([name, each]) => `${name}=${String(each)}`)
      .join("\n");
  if (field.kind === "data") return JSON.stringify(value, null, 2);
  return typeof value === "string" ? value : JSON.stringify(value);
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

function fromText(field: Field, text: string): Parsed {
  const good = (value: unknown): Parsed => ({ ok: true, value });
  const lines = (): string[] => text.split("\n").filter((line) => line.trim() !== "");
  switch (field.kind) {
    case "number":
      if (field.isNullable && text.trim() === "null") return good(null);
      return Number.isFinite(Number(text)) ? good(Number(text)) : { ok: false, why: "A number is expected." };
    case "flag":
      return good(text === "yes");
    case "list":
      return good(lines());
    case "pairs": {
      const bad = lines().find((line) => !line.includes("="));
      if (bad !== undefined) return { ok: false, why: `Each line is NAME=value; "${bad}" is not.` };
      return good(
        Object.fromEntries(
          lines().map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1)]),
        ),
      );
    }
    case "data":
      try {
        return good(JSON.parse(text));
      } catch (error) {
        return { ok: false, why: `It is not JSON: ${error instanceof Error ? error.message : String(error)}` };
      }
    default:
      return good(text);
  }
}
