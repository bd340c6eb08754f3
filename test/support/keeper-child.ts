// Stands for a daemon that is killed: `node keeper-child.ts FOLDER CALL SCRIPT` starts a command and waits for it.

import { KeeperClient } from "../../src/node/keepers/keeper-client.ts";

const [folder = "", call = "", script = ""] = process.argv.slice(2);
const client = new KeeperClient(folder);
console.log("here");
await client.start({ call, argv: ["/bin/sh", "-c", script], cwd: null, env: {}, timeoutMs: null });
console.log("started");
await client.wait(call);
