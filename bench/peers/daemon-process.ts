// The real daemon, in a process of its own. Everything that it has is on.

import type * as program from "../../src/daemon/main.ts";
import { builtProgram } from "../../test/support/built-program.ts";

const [home = ""] = process.argv.slice(2);
const { startDaemon } = (await import(builtProgram("daemon"))) as typeof program;
const daemon = await startDaemon({ home, port: 0 });
process.once("SIGTERM", () => void daemon.close());
await daemon.ended;
