// Templates for common stacks, which come along with the program: files that people copy and change.

export type Stack = {
  readonly name: string;
  /** What it is for, in a sentence. */
  readonly about: string;
  readonly text: string;
};

const modeline = /^# yaml-language-server:.*\n/;

/** The schema is not beside a copy of it, so the line that names it stays behind. */
export function toStack(file: string, source: string): Stack {
  const text = source.replace(modeline, "");
  return { name: file.replace(/\.yaml$/, ""), about: /^# (.*)$/m.exec(text)?.[1] ?? "", text };
}
