import type { Image } from "../protocol/wire/image.ts";
import { UsageError } from "./usage-error.ts";

/** What --image and --dockerfile say together; undefined where nothing is said. */
export function toImage(flags: { readonly image?: string; readonly dockerfile?: string }): Image | "none" | undefined {
  const { image, dockerfile } = flags;
  if (image !== undefined && dockerfile !== undefined)
    throw new UsageError("--image and --dockerfile cannot both be meant.");
  if (dockerfile !== undefined) return { dockerfile };
  if (image === undefined || image === "none") return image;
  return { name: image };
}
