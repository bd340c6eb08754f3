import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { attachmentNameForm, toAttachmentName } from "../protocol/attachment-name.ts";
import { limits } from "../protocol/limits.ts";
import type { InputOf } from "../protocol/operations.ts";
import type { Cli } from "./cli.ts";
import { several } from "./flags.ts";
import { parseNonEmpty, parseVariable, type Variable } from "./parse-args.ts";
import { UsageError } from "./usage-error.ts";

type Attach = InputOf<"task.attach">["attachment"];

export type AttachFlags = {
  readonly note: readonly Variable[];
  readonly link: readonly Variable[];
  readonly file: readonly string[];
};

export const attachFlags = {
  note: { ...several(parseVariable), placeholder: "NAME=TEXT", brief: "A note that its runs are told." },
  link: { ...several(parseVariable), placeholder: "NAME=URL", brief: "A link that its runs are told." },
  file: { ...several(parseNonEmpty), placeholder: "PATH", brief: "A file that its runs can read." },
} as const;

/** What is to come along with a task. What cannot, by itself or beside the others, is found before the daemon is asked anything. */
export async function readAttachments(cli: Cli, { note, link, file }: AttachFlags): Promise<Attach[]> {
  const files: Attach[] = [];
  for (const path of file) files.push(await readOne(resolve(cli.cwd, path), path));
  const attachments: Attach[] = [
    ...note.map(({ name, value }) => ({ kind: "note" as const, name, text: value })),
    ...link.map(({ name, value }) => ({ kind: "link" as const, name, url: value })),
    ...files,
  ];
  checkNames(attachments);
  return attachments;
}

/** Each is asked for by itself, and what has the name of another would take its place without a word. */
function checkNames(attachments: readonly Attach[]): void {
  const { attachmentsMax: most, attachmentNameCharsMax: longest } = limits;
  if (attachments.length > most)
    throw new UsageError(`${attachments.length} attachments are too many: at most ${most} come along with a task.`);
  const names = attachments.map(({ name }) => name);
  for (const [at, name] of names.entries()) {
    if (!attachmentNameForm.test(name) || name.length > longest)
      throw new UsageError(
        `"${name}" is no name of an attachment: it is one like design.md, of letters, digits, dots and dashes, at most ${longest}.`,
      );
    if (names.indexOf(name) !== at)
      throw new UsageError(`Two attachments would be called ${name}: rename one of them.`);
  }
}

async function readOne(path: string, given: string): Promise<Attach> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--file "${given}": ${error.code === "ENOENT" ? "there is no such file" : error.message}.`);
  });
  if (!found.isFile()) throw new UsageError(`--file "${given}": it is no regular file.`);
  const most = limits.attachmentBytesMax;
  if (found.size > most)
    throw new UsageError(`--file "${given}": it has ${found.size} bytes, and at most ${most} come along with a task.`);
  return { kind: "file", name: toAttachmentName(basename(path)), base64: (await readFile(path)).toString("base64") };
}
