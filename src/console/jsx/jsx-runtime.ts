// What makes elements of our markup (`jsxImportSource` in tsconfig.json and vite.config.ts): React's own, but no element of the page
// is made with text in it that hides or turns. No view can forget it, and none has to think of it.
//
// Left alone are what the page works with (ids, addresses, `data-`) and what a person edits, which has to stay what it is. A
// component that answers with a bare string would go past this: where the string is somebody else's, it stands in a fragment.

import { Fragment, jsx as toElement, jsxs as toElements } from "react/jsx-runtime";
import { toVisibleLines } from "../model/visible-text.ts";

export type { JSX } from "react/jsx-runtime";
export { Fragment };

/** Attributes that somebody reads or hears. */
const said: ReadonlySet<string> = new Set([
  "title",
  "alt",
  "label",
  "placeholder",
  "download",
  "aria-label",
  "aria-description",
  "aria-roledescription",
  "aria-valuetext",
]);

type Make = typeof toElement;

export const jsx: Make = (type, props, key) => toElement(type, isOfPage(type) ? toInert(props as Props) : props, key);
export const jsxs: Make = (type, props, key) => toElements(type, isOfPage(type) ? toInert(props as Props) : props, key);

/** An element of the page, or a group of them. What components get is theirs to use, and comes here when they draw it. */
function isOfPage(type: unknown): boolean {
  return typeof type === "string" || typeof type === "symbol";
}

type Props = Readonly<Record<string, unknown>>;

function toInert(props: Props): Props {
  let changed: Record<string, unknown> | null = null;
  for (const name of Object.keys(props)) {
    const value = props[name];
    const inert = name === "children" ? childrenOf(value) : said.has(name) ? textOf(value) : value;
    if (inert === value) continue;
    changed ??= { ...props };
    changed[name] = inert;
  }
  return changed ?? props;
}

/** The same array where nothing in it had to change. */
function childrenOf(value: unknown): unknown {
  if (!Array.isArray(value)) return textOf(value);
  const inert = value.map(childrenOf);
  return inert.some((each, at) => each !== value[at]) ? inert : value;
}

function textOf(value: unknown): unknown {
  return typeof value === "string" ? toVisibleLines(value) : value;
}
