// What a template's texts may name of the agent that is made of it. `${…}` with a dot in it is ours; everything else with a
// dollar is the shell's.

/** What was written between the braces. */
export type Reference =
  | { readonly of: "port"; readonly service: string; readonly port: string | null }
  | { readonly of: "url"; readonly service: string; readonly port: string | null }
  | { readonly of: "agent"; readonly field: "name" | "id" };

const pattern = /\$\{([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+)\}/g;

/** What a text names; undefined stands for something that names nothing we know. */
export function referencesIn(text: string): { readonly text: string; readonly reference: Reference | undefined }[] {
  return [...text.matchAll(pattern)].map(([whole, inner = ""]) => ({ text: whole, reference: toReference(inner) }));
}

/** The text with everything that it names put in. `self` is the service that it belongs to. */
export function fill(text: string, self: string, valueOf: (reference: Reference) => string): string {
  return text.replaceAll(pattern, (whole, inner: string) => {
    const reference = toReference(inner);
    if (reference === undefined) return whole;
    return valueOf(
      reference.of !== "agent" && reference.service === "self" ? { ...reference, service: self } : reference,
    );
  });
}

/** `db.port`, `db.ports.sql`, `db.url`, `db.urls.sql`, `agent.name`, `agent.id`. */
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
