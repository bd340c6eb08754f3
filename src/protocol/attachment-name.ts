import { limits } from "./limits.ts";

/** What comes along with a task is called like an artifact, since its runs read it as one. */
export const attachmentNameForm = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * What a file is called when it comes along: dashes stand for what no name has, and what is too much goes before the
 * ending, which says what it is.
 */
export function toAttachmentName(file: string): string {
  const plain = file.replaceAll(/[^A-Za-z0-9._-]/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? "";
  const stem = plain.slice(0, plain.length - ending.length);
  return stem === "" ? "file" : `${stem.slice(0, limits.attachmentNameCharsMax - ending.length)}${ending}`;
}
