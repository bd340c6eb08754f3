// Units once more, as text: a path with a slash at both ends, so that "contains" is "starts with".

export type ModelUnit = {
  readonly kind: "file" | "dir" | "process";
  readonly text: string;
  /** Kind and key: what one family can hold once. */
  readonly id: string;
  readonly key: string;
};

export function unitFrom(
  text: string,
  project: { readonly foldCase: boolean; readonly own: ReadonlySet<string> },
  family: string,
): ModelUnit {
  const colon = text.indexOf(":");
  const kind = text.slice(0, colon) as ModelUnit["kind"];
  const name = text.slice(colon + 1);
  if (kind === "process") {
    const key = project.own.has(name) ? `${name} of ${family}` : name;
    return { kind, text, id: `process ${key}`, key };
  }
  const path = name === "" ? "/" : `/${name}/`;
  if (path.includes("//") || path.includes("/../") || path.includes("/./")) throw new Error(`${text} is not clean`);
  const key = project.foldCase ? path.toLowerCase() : path;
  return { kind, text, id: `${kind} ${key}`, key };
}

export function conflict(a: ModelUnit, b: ModelUnit): boolean {
  if (a.kind === "process" || b.kind === "process") return a.kind === b.kind && a.key === b.key;
  return a.key.startsWith(b.key) || b.key.startsWith(a.key);
}

/** Whether holding `outer` allows acting on `inner`. */
export function allows(outer: ModelUnit, inner: ModelUnit): boolean {
  if (outer.kind === "process" || inner.kind === "process") return outer.kind === inner.kind && outer.key === inner.key;
  if (outer.kind === "dir") return inner.key.startsWith(outer.key);
  return inner.kind === "file" && inner.key === outer.key;
}
