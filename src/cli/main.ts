// The entry of the command line. Everything else is loaded through the cache that is opened here: reading TypeScript
// anew for every command would take longer than the command.

import module from "node:module";
import { join } from "node:path";

module.enableCompileCache(join(import.meta.dirname, "../../.cache/compile"));
const { start } = await import("./start.ts");
await start(import.meta.filename, process.argv.slice(2));
