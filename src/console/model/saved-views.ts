// Views that somebody has given a name: what the address of a list says, kept among their preferences.

export type SavedView = {
  readonly name: string;
  /** The query of the address, without its question mark. */
  readonly query: string;
};

export const viewNameCharsMax = 40;
const viewsMax = 50;
const queryCharsMax = 2000;

/** What was kept, as far as it can be read. */
export function parseViews(text: string | null): readonly SavedView[] {
  try {
    const found = JSON.parse(text ?? "[]") as unknown;
    return Array.isArray(found) ? found.filter(isView).slice(0, viewsMax) : [];
  } catch {
    return [];
  }
}

/** A name stands for one view: the newer one. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const name = view.name.trim().slice(0, viewNameCharsMax);
  if (name === "" || view.query.length > queryCharsMax) return views;
  const others = views.filter((each) => each.name !== name);
  return [...others, { name, query: view.query }].toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, viewsMax);
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((each) => each.name !== name);
}

/** What of an address makes a view: which event or run one looks at does not. */
export function queryOf(href: string): string {
  const query = new URL(href, "http://localhost").searchParams;
  for (const field of ["event", "run", "at"]) query.delete(field);
  return query.toString();
}

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === "string" && name !== "" && typeof query === "string" && query.length <= queryCharsMax;
}
