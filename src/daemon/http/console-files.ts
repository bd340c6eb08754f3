// The built console, as files. Names come from a list made at the start, so no path that somebody sends ever reaches the
// file system.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

type Asset = { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string; readonly fixed: boolean };

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".map": "application/json",
};

export class ConsoleFiles {
  readonly #assets = new Map<string, Asset>();

  constructor(folder: string | null) {
    if (folder === null) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const name = `/${path.relative(folder, file).split(path.sep).join("/")}`;
      const type = types[path.extname(name)] ?? "application/octet-stream";
      // The build names files below assets/ after their content.
      this.#assets.set(name, { bytes: Uint8Array.from(readFileSync(file)), type, fixed: name.startsWith("/assets/") });
    }
  }

  get isEmpty(): boolean {
    return this.#assets.size === 0;
  }

  /** The file, or the page itself for an address inside the console. */
  answer(name: string): Response | undefined {
    const isPage = !/\.\w+$/.test(name);
    const asset = this.#assets.get(name) ?? (isPage ? this.#assets.get("/index.html") : undefined);
    if (asset === undefined) return undefined;
    const cache = asset.fixed ? "private, max-age=31536000, immutable" : "no-cache";
    return new Response(asset.bytes, { headers: { "content-type": asset.type, "cache-control": cache } });
  }
}
