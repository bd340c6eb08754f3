import type { Project } from "../protocol/wire/project.ts";
import type { Run } from "../protocol/wire/run.ts";
import { toSafeLine } from "./text/safe-text.ts";
import { joinWords } from "./text/split-words.ts";

/** Where what a run has landed is now, in a sentence, and how to get it from there. */
export function whereItIs({ id, landedOn }: Run, { branch, notPublished, root }: Project): string {
  if (landedOn !== null) {
    const push = joinWords(["git", "-C", root, "push", "-u", "origin", landedOn]);
    return `${toSafeLine(`${id} has landed on the branch ${landedOn}.`)}\nTo push it: ${toSafeLine(push)}`;
  }
  if (notPublished === null) return toSafeLine(`${id} has landed and is on ${branch}.`);
  return `${toSafeLine(`${id} has landed, not published: ${notPublished.why}.`)}\nTo get it: ${toSafeLine(notPublished.how)}`;
}
