// A planted bug: one piece of text in one file, replaced by another. It proves that a checker can see something.

export type Mutant = {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Replaces every place, not the only one. */
  readonly all?: boolean;
};

/** The mutated text. A text that is not found, or found twice, means that the mutant has rotted. */
export function applyMutant(mutant: Mutant, text: string): string {
  const parts = text.split(mutant.find);
  if (parts.length === 1) throw new Error(`mutant "${mutant.name}": ${mutant.file} no longer has the text to replace`);
  if (parts.length > 2 && mutant.all !== true) {
    throw new Error(`mutant "${mutant.name}": ${mutant.file} has the text to replace ${parts.length - 1} times`);
  }
  return parts.join(mutant.replace);
}
