// What a run of a private daemon wrote and did not land would go with that daemon: it is put where people find it.

import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Cli } from "./cli.ts";
import { toSafeLine } from "./text/safe-text.ts";
import { enumerate } from "./view/event-fields.ts";

/** Writes everything that was set aside of a run into a folder of its own, and says which. */
export async function keepLeft(cli: Cli, run: string): Promise<void> {
  const { items } = await cli.link.call("trash.list", { run });
  if (items.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), "signalbox-left-"));
  const deleted: string[] = [];
  for (const { id, path, work } of items) {
    const { base64 } = await cli.link.call("trash.get", { id });
    if (base64 === null) deleted.push(path);
    else await put(folder, { id, path }, Buffer.from(base64, "base64"), work?.startsWith("100755") === true);
  }
  const paths = enumerate([...new Set(items.map(({ path }) => toSafeLine(path)))]);
  cli.out.note(`What did not land is kept in ${folder}: ${paths}.`);
  if (deleted.length > 0)
    cli.out.note(`Deleted by the run, and so without content: ${enumerate(deleted.map(toSafeLine))}.`);
}

/** Under its own path; where something else of the run has that already, beside it under the name that the trash had for it. */
async function put(
  folder: string,
  { id, path }: { readonly id: string; readonly path: string },
  bytes: Buffer,
  isProgram: boolean,
): Promise<void> {
  const how = { flag: "wx", mode: isProgram ? 0o777 : 0o666 };
  try {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes, how);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["EEXIST", "EISDIR", "ENOTDIR"].includes(code)) throw error;
    await writeFile(join(folder, `${id}-${basename(path)}`), bytes, how);
  }
}
