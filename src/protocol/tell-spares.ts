// What went to make room on the disk, in the words that every face has for it.

const words: Readonly<Record<string, readonly [one: string, many: string]>> = {
  workspaces: ["workspace of a run that is done", "workspaces of runs that are done"],
  dependencies: ["warm dependency folder", "warm dependency folders"],
  images: ["image", "images"],
  homes: ["kept home", "kept homes"],
  contents: ["content that nothing refers to", "contents that nothing refers to"],
  scratch: ["dependency folder of a workspace", "dependency folders of workspaces"],
};

/** From the field of an event or an answer; what a later release says is told by its own name. */
export function tellSpares(spares: unknown): string {
  if (!Array.isArray(spares)) return "";
  return spares
    .map((each: { readonly what?: unknown; readonly count?: unknown }) => {
      const [what, count] = [String(each.what), Number(each.count)];
      const [one, many] = words[what] ?? [what, what];
      return `${count} ${count === 1 ? one : many}`;
    })
    .join(", ");
}
