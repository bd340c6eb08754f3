// What an agent got when it chose an image: kept beside its workspace, so that it gets the same again.

import { readFile } from "node:fs/promises";
import type { ImageChoice } from "../../core/project/image.ts";
import { swapDurably } from "../../os/durable-file.ts";

export type ImagePin = { readonly choice: ImageChoice; readonly id: string };

/** Undefined where an agent has none. */
export async function readPin(path: string): Promise<ImagePin | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as ImagePin);
}

export async function writePin(path: string, pin: ImagePin): Promise<void> {
  await swapDurably(path, JSON.stringify(pin));
}
