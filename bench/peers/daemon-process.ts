// The real daemon, in a process of its own. Everything that it has is on.

import { startDaemon } from "../../src/daemon/main.ts";

const [home = ""] = process.argv.slice(2);
const daemon = await startDaemon({ home, port: 0 });
process.once("SIGTERM", () => void daemon.close());
await daemon.ended;
