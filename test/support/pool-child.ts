// Stands for a daemon with one keeper in its pool: `node pool-child.ts FOLDER WHO` says where the keeper is, and waits.

import { KeeperPool } from "../../src/node/keepers/keeper-pool.ts";

const [folder = "", who = ""] = process.argv.slice(2);
const as = who === "user" && process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;
const pool = new KeeperPool({ folder, warm: 0, as, namespaces: true, cache: `${folder}-cache` });
const client = await pool.take();
console.log(client.folder);
setInterval(() => undefined, 1000);
