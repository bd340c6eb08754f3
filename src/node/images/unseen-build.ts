// Building an image executes what the project says, outside of every cage. So a change to it lands with a person's approval.

import { Fault } from "../../base/fault.ts";
import type { Project } from "../../core/project/project.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { readContext } from "./build-context.ts";

/** Why a person has to look at a candidate that nobody has approved; undefined where its image stays as it is (IM7). */
export async function unseenBuild(
  { image }: Project,
  mainline: Mainline,
  { parent, candidate }: { readonly parent: string; readonly candidate: string },
): Promise<string | undefined> {
  if (image === null || !("dockerfile" in image)) return undefined;
  const { dockerfile } = image;
  const [before, after] = [await keyAt(mainline, parent, dockerfile), await keyAt(mainline, candidate, dockerfile)];
  if (before === after) return undefined;
  return `it changes what ${dockerfile} is built of, and building happens outside of every cage: a person looks at it first`;
}

/** Null where nothing can be built of it, which whoever needs the image will hear. */
async function keyAt(mainline: Mainline, commit: string, dockerfile: string): Promise<string | null> {
  try {
    return (await readContext(mainline, commit, dockerfile)).key;
  } catch (error) {
    if (error instanceof Fault && error.code === "image-failed") return null;
    throw error;
  }
}
