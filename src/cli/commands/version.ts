import { findDaemon } from "../daemon-info.ts";
import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { ownVersion } from "../own-version.ts";

export const version = defineCommand({
  usage: "",
  examples: [["version", "This program, the daemon, and Node."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const own = ownVersion();
    const daemon = (await findDaemon(cli))?.version ?? null;
    if (json) return cli.out.json({ version: own, daemon, node: process.versions.node, platform: process.platform });
    cli.out.print(`signalbox ${own}`);
    if (daemon !== null && daemon !== own)
      cli.out.print(`daemon ${daemon}: signalbox down and up -d bring it to ${own}`);
  },
});
