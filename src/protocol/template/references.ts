// What the texts of a template may name of the agent that is made of it. The core reads the same when it fills them in; a
// test compares the two.

export type Reference =
  | { readonly of: "port" | "url"; readonly service: string; readonly port: string | null }
  | { readonly of: "agent"; readonly field: "name" | "id" };

export type Named = {
  /** As it was written: `${db.port}`. */
  readonly text: string;
  /** What stands in front of the first dot. */
  readonly first: string;
  /** undefined stands for something that names nothing we know. */
  readonly reference: Reference | undefined;
};

const pattern = /\$\{([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+)\}/g;

/** Everything with a dot between `${` and `}`; what has none is the shell's. */
export function referencesIn(text: string): Named[] {
  return [...text.matchAll(pattern)].map(([whole, inner = ""]) => ({
    text: whole,
    first: inner.split(".")[0] ?? "",
    reference: toReference(inner),
  }));
}

function toReference(inner: string): Reference | undefined {
  const [first = "", second = "", third, ...more] = inner.split(".");
  if (more.length > 0) return undefined;
  if (first === "agent")
    return third === undefined && (second === "name" || second === "id") ? { of: "agent", field: second } : undefined;
  if (third === undefined)
    return second === "port" || second === "url" ? { of: second, service: first, port: null } : undefined;
  if (second === "ports") return { of: "port", service: first, port: third };
  return second === "urls" ? { of: "url", service: first, port: third } : undefined;
}
