// Building an image executes what the project says, outside of every cage. So a change to it lands with a person's approval.

import { Fault } from "../../base/fault.ts";
import type { RunImage } from "../../core/project/image.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { readContext } from "./build-context.ts";

/** Why a person has to look at a candidate that nobody has approved; undefined where its images stay as they are (IM7). */
export async function unseenBuild(
  images: readonly (RunImage | null | undefined)[],
  mainline: Mainline,
  { parent, candidate }: { readonly parent: string; readonly candidate: string },
): Promise<string | undefined> {
  for (const dockerfile of dockerfilesOf(images)) {
    const [before, after] = [await keyAt(mainline, parent, dockerfile), await keyAt(mainline, candidate, dockerfile)];
    if (before !== after) return unseen(dockerfile);
  }
  return undefined;
}

function dockerfilesOf(images: readonly (RunImage | null | undefined)[]): ReadonlySet<string> {
  const files = images.map((image) =>
    typeof image === "object" && image !== null && "dockerfile" in image ? [image.dockerfile] : [],
  );
  return new Set(files.flat());
}

function unseen(dockerfile: string): string {
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
