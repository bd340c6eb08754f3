import fs from "node:fs";
import path from "node:path";
import { startPrivately } from "./private-process.ts";

export type BareMcp = { readonly url: string; readonly cpuMs: () => number; readonly stop: () => Promise<void> };

/** An MCP server that reads and writes files in a folder, and does nothing else. */
export async function startBareMcp(parent: string): Promise<BareMcp> {
  const folder = fs.mkdtempSync(path.join(parent, "bare-mcp-"));
  const urlFile = path.join(folder, "url");
  const process_ = await startPrivately({
    file: process.execPath,
    args: [path.join(import.meta.dirname, "bare-mcp-process.ts"), folder],
    cwd: path.dirname(import.meta.dirname),
    isReady: () => Promise.resolve(fs.existsSync(urlFile)),
  });
  return { url: fs.readFileSync(urlFile, "utf8"), cpuMs: process_.cpuMs, stop: process_.stop };
}
