// What a DaemonProcess runs: a daemon on a free port that says when it is ready.

import { startDaemon } from "../../src/daemon/main.ts";

const home = process.argv[2];
if (home === undefined) throw new Error("the home of the daemon is missing");
const { url } = await startDaemon({ home, port: 0 });
console.log(url);
