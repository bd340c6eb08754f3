// Which commit each line of a file comes from.

import type { LineOrigin } from "../../ports/mainline.ts";
import type { GitRunner } from "./git-runner.ts";

export async function linesOf(git: GitRunner, gitDir: string, file: string, commit: string): Promise<LineOrigin[]> {
  const args = ["blame", "--porcelain", "--no-textconv", commit, "--", file];
  const { out } = await git.run({ gitDir }, args);
  const lines: LineOrigin[] = [];
  const names = new Map<string, string>();
  let current: { commit: string; lineThere: number; line: number } | null = null;
  for (const text of out.toString().split("\n")) {
    if (current === null) {
      const [id = "", lineThere, line] = text.split(" ");
      if (id !== "") current = { commit: id, lineThere: Number(lineThere), line: Number(line) };
    } else if (text.startsWith("\t")) {
      lines.push({ ...current, path: names.get(current.commit) ?? file });
      current = null;
    } else if (text.startsWith("filename ")) {
      names.set(current.commit, unquote(text.slice("filename ".length)));
    }
  }
  return lines;
}

/** Git writes odd names as C would. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes = name.slice(1, -1).replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) => {
    const known: Record<string, string> = { n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b", f: "\f", v: "\v" };
    return /^\d/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (known[code] ?? code);
  });
  return bytes;
}
