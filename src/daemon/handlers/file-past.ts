// Where what stands on mainline comes from: the lines of a file, and its changes one after the other.

import type { Project } from "../../core/project/project.ts";
import type { Run } from "../../core/run/run-state.ts";
import type { CommitFacts } from "../../ports/mainline.ts";
import { protocolError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { FileChange } from "../../protocol/wire/change.ts";
import type { Context } from "../context.ts";
import { type Room, sideAt, textOf, toChange } from "../views/change-view.ts";

/** Each line of a file with the commit that it comes from, and the run that its trailer names. */
export async function blame(context: Context, project: Project, file: string): Promise<OutputOf<"project.blame">> {
  const mainline = await context.parts.mainlines.of(project);
  const commit = await mainline.head();
  const entry = (await mainline.entriesAt(commit, [file])).get(file) ?? null;
  if (entry === null) throw protocolError("not-found", { kind: "file", id: file });
  const { bytes, size } = await sideAt(mainline, entry);
  if (bytes === null && size !== null)
    throw protocolError("too-large", { why: `${file} has ${size} bytes, and its lines are not traced` });
  const texts = textOf(bytes).split("\n");
  const origins = await mainline.linesOf(file, commit);
  const facts = new Map<string, CommitFacts>();
  for (const { commit: of } of origins) if (!facts.has(of)) facts.set(of, await mainline.factsOf(of));
  const lines = origins.map(({ line, commit: of }) => {
    const { author, message } = facts.get(of) ?? { author: "", message: "" };
    const run = runOf(context, project, of, message);
    return { line, text: texts[line - 1] ?? "", commit: of, author, title: titleOf(message), run };
  });
  return { commit, lines };
}

/** The changes of a file, the newest first. One that is gone has a past as well; one that never was has none. */
export async function historyOf(
  context: Context,
  project: Project,
  { path, skip, limit }: Omit<ParsedInputOf<"project.history">, "project">,
): Promise<OutputOf<"project.history">> {
  const mainline = await context.parts.mainlines.of(project);
  const commit = await mainline.head();
  const past = await mainline.changesOf(path, { commit, skip, count: limit + 1 });
  if (past.length === 0 && skip === 0) throw protocolError("not-found", { kind: "file", id: path });
  const room: Room = { left: limits.diffBytesMax };
  const changes: FileChange[] = [];
  // One after the other: the newest are shown whole.
  for (const { commit: of, wallMs, author, message, before, after } of past.slice(0, limit)) {
    const how = { held: true, theirs: undefined, keepsOwn: false, room };
    const { status, binary, tooLarge, hunks, patch } = await toChange(
      mainline,
      { path, base: before, work: after },
      how,
    );
    const run = runOf(context, project, of, message);
    changes.push({ commit: of, wallMs, author, title: titleOf(message), run, status, binary, tooLarge, hunks, patch });
  }
  return { commit, changes, more: past.length > limit };
}

function titleOf(message: string): string {
  return message.split("\n")[0] ?? "";
}

/** The run that a commit's trailer names, unless it is another daemon's. */
function runOf(context: Context, project: Project, commit: string, message: string): string | null {
  // Ours comes last: what stands above it is somebody's text.
  const named = [...message.matchAll(/^Signalbox-Run: (r_[0-9a-z]+)$/gm)].at(-1)?.[1] ?? "";
  const known = context.state.runs.get(named);
  return named === "" || (known !== undefined && !landedBy(known, project, commit, message)) ? null : named;
}

/** Another daemon, a private one say, has runs of the same names. */
function landedBy(run: Run, { id }: Project, commit: string, message: string): boolean {
  if (run.project !== id) return false;
  return run.landed === commit || message.includes(run.title.replaceAll(/\s+/g, " ").trim());
}
