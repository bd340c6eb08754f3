import type { Project } from "../protocol/wire/project.ts";
import { toSafeLine } from "./text/safe-text.ts";

/** Where what a run has landed is now, in a sentence; where it is not on the branch, also how to get it. */
export function whereItIs(run: string, { branch, notPublished }: Project): string {
  if (notPublished === null) return toSafeLine(`${run} has landed and is on ${branch}.`);
  return `${toSafeLine(`${run} has landed, not published: ${notPublished.why}.`)}\nTo get it: ${toSafeLine(notPublished.how)}`;
}
