// What is wrong with a template, or strange: where, why, and what to do.

/** How one gets to a place of a template from its top. */
export type Path = readonly (string | number)[];

export type TemplateProblem = {
  readonly file: string;
  /** Counted from 1, as editors do. */
  readonly line: number;
  readonly column: number;
  /** Such as `services.web.depends_on`; empty for the whole. */
  readonly path: string;
  readonly message: string;
};

/** A finding before its line is known. */
export type Finding = {
  readonly path: Path;
  /** Whether it is the key that is wrong, or what stands behind it. */
  readonly at: "key" | "value";
  readonly message: string;
};

export type Complain = (path: Path, message: string, at?: "key" | "value") => void;

export function toPathText(path: Path): string {
  return path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : `${at === 0 ? "" : "."}${part.slice(0, 60)}`))
    .join("");
}

/** Reason first, then what to do; as sentences. */
export function toSentence(message: string): string {
  const whole = message.slice(0, 1).toUpperCase() + message.slice(1);
  return /[.?!]$/.test(whole) ? whole : `${whole}.`;
}

/** As compilers and editors write it: `signalbox.yaml:12:5: services.web.ports: …`. */
export function toProblemLine({ file, line, column, path, message }: TemplateProblem): string {
  return `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
}
