// Leave for what an assistant's program would do by itself: what is asked, and which words of a person give or refuse it.

/** The kind of tool, and what it would do, in a line. */
export type Leave = { readonly tool: string; readonly what: string };

/** All of an act that is too long for a question, and the artifact that has it: `asked-` and the print of it. */
export type WholeAct = { readonly name: string; readonly text: string };

/** A no may say why. */
export type Verdict = { readonly allows: true } | { readonly allows: false; readonly why: string | null };

const yes = /^(?:allow|yes|y|ok)\s*[.!]?$/i;
const no = /^(?:deny|no|n)\s*[.!]?$/i;
const noAndWhy = /^(?:deny|no|n)\s*[,:;.!]\s*(?<why>\S[^]*)$/i;

/** What somebody says as a whole; undefined where it is neither. Whoever says more than yes has not simply allowed it. */
export function readVerdict(text: string): Verdict | undefined {
  const said = text.trim();
  if (yes.test(said)) return { allows: true };
  if (no.test(said)) return { allows: false, why: null };
  const why = noAndWhy.exec(said)?.groups?.["why"];
  return why === undefined ? undefined : { allows: false, why };
}
