// What a DaemonProcess runs: a daemon that says when it is ready, on a free port unless it is given one.

import type * as daemon from "../../src/daemon/main.ts";
import { builtProgram } from "./built-program.ts";

const [, , home, port = "0"] = process.argv;
if (home === undefined) throw new Error("the home of the daemon is missing");
const { startDaemon } = (await import(builtProgram("daemon"))) as typeof daemon;
const { url } = await startDaemon({ home, port: Number(port) });
console.log(url);
