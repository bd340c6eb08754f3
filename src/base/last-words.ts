const shownChars = 200;
// oxlint-disable-next-line no-control-regex -- control characters are what this finds
const escapes = /\u001B\[[0-?]*[ -/]*[@-~]|[\u0000-\u0008\u000B-\u001F\u007F]/g;
/** What programs add after they have said it: where it was, what else they know of it, and who else was ended by it. */
const noise = new RegExp(
  [
    String.raw`^(?:npm (?:err!|error|notice|warn)\b|at |make(?:\[\d+\])?: \*\*\*|node\.js v\d|error command failed|info visit )`,
    // The properties of an error that Node shows.
    String.raw`^(?:code|errno|syscall|address|port|path|dest|cause|requireStack): \S.*[,[{']?$`,
    // By which files a module was wanted.
    String.raw`^Require stack:$|^- /`,
    // What Node's own runner of tests counts, names again, and shows of an assertion.
    String.raw`^(?:ℹ |✖ |test at |'test failed'$)|^(?:generatedMessage|actual|expected|operator|diff): `,
  ].join("|"),
  "i",
);
/** The first line in which npm speaks of the matter itself. */
const npmReason = /^npm (?:err!|error) (?!code |errno |syscall |path |a complete log )\S/i;

/** The last line of an output that says something, short enough for one. */
export function lastWords(output: string): string {
  const lines = output
    .split(/\r?\n|\r/)
    .map((line) => line.replaceAll(escapes, "").trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const said = lines.findLast((each) => !noise.test(each)) ?? lines.find((each) => npmReason.test(each));
  const line = said ?? lines.at(-1) ?? "";
  return line.length > shownChars ? `${line.slice(0, shownChars - 1).trimEnd()}…` : line;
}
