// What policies say of files is asked once more when they are about to land, of what they are by then: a command may have
// made them, and a policy may have come since (LD55).

import { blobOf, kindOf, type Entry } from "../../core/landing/entry.ts";
import { isText } from "../../core/landing/text-merge.ts";
import { textBytesMax } from "../../core/landing/utf8.ts";
import { checkFile, type LandingFile, looksInside, whyNotAuto } from "../../core/policy/file-rules.ts";
import type { Run } from "../../core/run/run-state.ts";
import { policiesOf, type State } from "../../core/state.ts";
import type { Mainline } from "../../ports/mainline.ts";

/** Why it does not land, as a sentence for whoever reviews it; undefined where it may. */
export async function judgeLanding(
  state: State,
  run: Run,
  mainline: Pick<Mainline, "readBlob" | "blobSizes">,
  files: ReadonlyMap<string, Entry>,
): Promise<string | undefined> {
  const policies = policiesOf(state, run);
  const foldCase = state.projects.get(run.project)?.foldCase ?? false;
  const inside = looksInside(policies);
  for (const [path, entry] of files) {
    const file = inside ? await lookAt(mainline, path, entry) : { path, bytes: 0, binary: false };
    const denied = checkFile(policies, file, foldCase);
    if (denied !== undefined)
      return `policy ${denied.policy} does not let ${denied.what} land (${denied.rule}): approve the others, send it back, or change the policy`;
    const unseen = run.approvedBy === null ? whyNotAuto(policies, file) : undefined;
    if (unseen !== undefined) return `${unseen.what}, so policy ${unseen.policy} wants a person to look at it`;
  }
  return undefined;
}

async function lookAt(
  mainline: Pick<Mainline, "readBlob" | "blobSizes">,
  path: string,
  entry: Entry,
): Promise<LandingFile> {
  if (entry === null || kindOf(entry) === "submodule") return { path, bytes: 0, binary: false };
  const size = (await mainline.blobSizes([blobOf(entry)])).get(blobOf(entry)) ?? 0;
  if (size > textBytesMax) return { path, bytes: size, binary: true };
  const bytes = await mainline.readBlob(blobOf(entry));
  return { path, bytes: bytes.length, binary: !isText(bytes) };
}
