// Publishes until it is killed.

import { GitMainline } from "../../../src/adapters/git/git-mainline.ts";

const [root = "", repository = "", layers = ""] = process.argv.slice(2);
const mainline = await GitMainline.open({ root, repository, layers: { folder: layers } });
process.stdout.write("ready\n");
await mainline.publish();
await mainline.close();
process.stdout.write("done\n");
