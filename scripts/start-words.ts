// What `npm start` says to `signalbox up`: what it was told, and to open the console where somebody sits who would see that.

type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  readonly platform: NodeJS.Platform;
};

/** Words that say where the link goes, or that nobody sits there for the first time. */
const decided: ReadonlySet<string> = new Set(["--open", "--no-open", "--json", "--watch"]);

export function toUpWords(args: readonly string[], surroundings: Surroundings): string[] {
  const words = args.filter((word) => word !== "--watch" && word !== "--no-open");
  const opens = !args.some((word) => decided.has(word)) && hasScreen(surroundings);
  return opens ? [...words, "--open"] : words;
}

/** A person at a terminal of this machine with a desktop around it; over SSH the browser would open elsewhere. */
function hasScreen({ env, isTerminal, platform }: Surroundings): boolean {
  const has = (name: string): boolean => (env[name] ?? "") !== "";
  if (!isTerminal || has("CI") || has("SSH_CONNECTION") || has("SSH_TTY")) return false;
  return platform === "darwin" || has("DISPLAY") || has("WAYLAND_DISPLAY");
}
