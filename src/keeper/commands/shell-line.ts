// A command as one line for the shell that waits in a seat. The shell sees nothing but quoted words, and then becomes the
// command.

export type Said = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the command reads what comes after the line. */
  readonly stdin: boolean;
  /** Words of our own that come before everything else. */
  readonly first?: string;
};

/**
 * What the shell runs until the line is there. It reads byte by byte, so that what comes after is the command's own; a
 * line end inside a word comes as a variable. An empty line asks whether it is still there, and gets one back.
 */
export const waitForLine = [
  `_signalbox_n='\n'; _signalbox_line=`,
  `while [ -z "$_signalbox_line" ]; do IFS= read -r _signalbox_line || exit 125; [ -n "$_signalbox_line" ] || echo; done`,
  `eval "$_signalbox_line"`,
].join("\n");

/** The handle by which a shell in a terminal is told what to become. The cage's own come before it. */
export const wordsHandle = 7;

/**
 * The same for a terminal. Whoever opens one as the first of its session gets it as its own, so that keys become signals
 * and jobs can be stopped; what is written comes in whole lines by another way, so that it is never seen.
 */
export const waitInTerminal = [
  `_signalbox_n='\n'; IFS= read -r _signalbox_line <&${wordsHandle} || exit 125; exec ${wordsHandle}<&-`,
  `exec <>/proc/self/fd/0 >&0 2>&0`,
  `eval "$_signalbox_line"`,
].join("\n");

/** Variables that some shells do not let anyone set. */
const fixedNames = new Set(["BASHOPTS", "BASH_VERSINFO", "EUID", "OPTIND", "PPID", "SHELLOPTS", "UID", "IFS", "PS4"]);

export function toShellLine({ argv, cwd, env, stdin, first = "" }: Said): string {
  const pairs = Object.entries(env);
  const exported = pairs.filter(([name]) => isForShell(name));
  const others = pairs.filter(([name]) => !isForShell(name)).map(([name, value]) => `${name}=${value}`);
  const words = others.length === 0 ? argv : ["env", ...others, ...argv];
  return [
    ...(first === "" ? [] : [first]),
    `cd -- ${quote(cwd)} || exit 126`,
    ...exported.map(([name, value]) => `export ${name}=${quote(value)}`),
    `exec ${words.map(quote).join(" ")}${stdin ? "" : " < /dev/null"}`,
  ].join("; ");
}

function isForShell(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !fixedNames.has(name);
}

/** As one word, whatever is in it. */
function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`).replaceAll("\n", `'"$_signalbox_n"'`)}'`;
}
