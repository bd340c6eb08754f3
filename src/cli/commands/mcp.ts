import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { ownVersion } from "../own-version.ts";

export const mcp = defineCommand({
  usage: "",
  about: `For the configuration of an assistant: command "signalbox", arguments "mcp". It serves until the other end closes the
pipe. What is for people only, such as approving, is not among its tools. The daemon has to run: signalbox up -d.`,
  examples: [["mcp", "Serve tools on standard input and output."]],
  parameters: { flags: { json: { ...jsonFlag, brief: "Changes nothing: the protocol is JSON already." } } },
  async run(cli) {
    const { serveMcpOnStdio } = await import("../../mcp/stdio.ts");
    await serveMcpOnStdio({ home: cli.home, version: ownVersion() });
  },
});
