// What a run begins with beside its workspace: its script, and what comes along with its task.

import { Fault } from "../base/fault.ts";
import type { Attachment } from "../core/task/task-state.ts";
import type { Artifacts } from "./tool-host/artifacts.ts";

export type Materials = {
  readonly readScript: (name: string) => Promise<string>;
  /** Bytes that come along with tasks; null where they are not there. */
  readonly readBlob: (name: string) => Promise<Uint8Array | null>;
};

/** The script of a run, null where it has none; a fault where nobody will ever read it. */
export async function scriptOf({ readScript }: Materials, name: string | null): Promise<string | null | Fault> {
  return name === null ? null : orFault(() => readScript(name));
}

/** Lays out what comes along and nothing else, for the run to read beside its artifacts; answers the fault where that is not possible. */
export async function layOut(
  materials: Materials,
  artifacts: Artifacts,
  attachments: readonly Attachment[],
): Promise<Fault | undefined> {
  await artifacts.detachAllBut(new Set(attachments.map(({ name }) => name)));
  for (const attachment of attachments) {
    const bytes = await orFault(() => bytesOf(materials, attachment));
    if (bytes instanceof Fault) return bytes;
    await artifacts.attach(attachment.name, bytes);
  }
  return undefined;
}

async function bytesOf({ readBlob }: Materials, attachment: Attachment): Promise<Uint8Array> {
  if (attachment.kind === "note") return new TextEncoder().encode(attachment.text);
  if (attachment.kind === "link") return new TextEncoder().encode(attachment.url);
  const bytes = await readBlob(attachment.blob);
  if (bytes !== null) return bytes;
  throw new Fault("blob-missing", { retry: "never", message: `the bytes of ${attachment.name} are not stored here` });
}

async function orFault<T>(read: () => Promise<T>): Promise<T | Fault> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Fault && error.retry === "never") return error;
    throw error;
  }
}
