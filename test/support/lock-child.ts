// A process that takes a project and keeps it until it is killed: `node lock-child.ts ROOT`.

import { SocketProjectLock } from "../../src/adapters/lock/socket-project-lock.ts";

const [root = ""] = process.argv.slice(2);
await new SocketProjectLock({ pid: process.pid, home: "/home/of/the/other" }).take(root);
process.stdout.write("taken\n");
setInterval(() => undefined, 60_000);
