const shownChars = 200;
// oxlint-disable-next-line no-control-regex -- control characters are what this finds
const escapes = /\u001B\[[0-?]*[ -/]*[@-~]|[\u0000-\u0008\u000B-\u001F\u007F]/g;
/** What programs add after they have said it. */
const noise =
  /^(?:npm (?:err!|error|notice|warn)|at |make(?:\[\d+\])?: \*\*\*|node\.js v\d|error command failed|info visit )/i;

/** The last line of an output that says something, short enough for one. */
export function lastWords(output: string): string {
  const lines = output
    .split(/\r?\n|\r/)
    .map((line) => line.replaceAll(escapes, "").trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const line = lines.findLast((each) => !noise.test(each)) ?? lines.at(-1) ?? "";
  return line.length > shownChars ? `${line.slice(0, shownChars - 1).trimEnd()}…` : line;
}
