import { open } from "node:fs/promises";
import type { SaidBytes } from "./keep-output.ts";

const headBytes = 4 * 1024;
const tailBytes = 8 * 1024;

/** The beginning and the end of what a command said, with a line between them that says how much is missing, and where that is. */
export async function shortenOutput(file: string, { total, leftOut }: SaidBytes, whereIsRest: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const part = async (from: number, length: number): Promise<string> => {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await handle.read(bytes, 0, length, from);
      return bytes.subarray(0, bytesRead).toString("utf8");
    };
    if (size <= headBytes + tailBytes) return await part(0, size);
    const rest = leftOut === 0 ? `all of it: ${whereIsRest}` : `${whereIsRest} has all but ${leftOut} of them`;
    const gap = `\n[… ${total - headBytes - tailBytes} bytes left out; ${rest} …]\n`;
    return `${await part(0, headBytes)}${gap}${await part(size - tailBytes, tailBytes)}`;
  } finally {
    await handle.close();
  }
}
