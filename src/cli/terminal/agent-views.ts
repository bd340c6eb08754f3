// Windows of an agent that are no terminals, drawn here: what a service says, what the run in it does, its processes.

import type { View } from "../../protocol/wire/terminal.ts";
import type { Cli } from "../cli.ts";
import { showServices } from "../commands/agent-logs.ts";
import { watchTop } from "../commands/agent-usage.ts";
import { showRunLog } from "../commands/logs.ts";

const tail = 200;

export async function showView(cli: Cli, { kind, agent, of }: View): Promise<void> {
  if (kind === "service")
    await showServices(cli, agent, [of], {
      follow: true,
      tail,
      previous: false,
      lives: false,
      timestamps: false,
      json: false,
    });
  else if (kind === "run") await showRunLog(cli, of, { follow: true, json: false });
  else await watchTop(cli, agent, false);
}
