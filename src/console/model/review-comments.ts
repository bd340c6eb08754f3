// What a reviewer says of single hunks, and the message that the run gets of it.

/** By the path and the hunk, as `src/a.ts 2`; the empty hunk is the whole file. */
export type Comments = ReadonlyMap<string, string>;

export const noComments: Comments = new Map();

export function commentKey(path: string, part: string): string {
  return `${path} ${part}`;
}

/** Empty words take a comment away. */
export function withComment(comments: Comments, key: string, text: string): Comments {
  const next = new Map(comments);
  if (text.trim() === "") next.delete(key);
  else next.set(key, text);
  return next;
}

/** One paragraph for each hunk that is not wanted as it is. */
export function toMessage(comments: Comments): string {
  const lines = [...comments].map(([key, text]) => {
    const at = key.lastIndexOf(" ");
    const [path, part] = [key.slice(0, at), key.slice(at + 1)];
    return `${path}${part === "" ? "" : `, hunk ${part}`}: ${text.trim()}`;
  });
  return lines.length === 0 ? "" : `Not wanted as it is:\n${lines.join("\n")}`;
}
