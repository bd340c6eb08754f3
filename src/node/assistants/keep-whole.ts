// What came of calls that the door knows nothing of may be long: the log has the beginning and the end, and all of it is an
// artifact, named by where its program said it, so that whoever reads it again gives it the same name.

import type { Heard } from "../../core/run/heard.ts";
import type { HeardInFull } from "../../ports/assistant.ts";
import { artifactOfOwn } from "../tool-host/artifacts.ts";

/** What a line meant, with names for what is too long. */
export function withNames(
  heard: readonly HeardInFull[],
  place: { readonly life: number; readonly end: number },
): HeardInFull[] {
  return heard.map((item, at) =>
    item.is === "result" && item.whole !== undefined ? { ...item, output: artifactOfOwn({ ...place, at }) } : item,
  );
}

/** What goes into the log, and what is kept beside it. */
export function toKept(heard: readonly HeardInFull[]): { items: Heard[]; outputs: ReadonlyMap<string, string> } {
  const outputs = new Map<string, string>();
  const items = heard.map(({ whole, ...item }) => {
    if (whole !== undefined && item.is === "result" && item.output !== null) outputs.set(item.output, whole);
    return item;
  });
  return { items, outputs };
}
