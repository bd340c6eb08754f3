// Stays with an agent until it has come to rest, and says meanwhile how far it is.

import type { AgentView } from "../protocol/wire/agent.ts";
import type { Cli } from "./cli.ts";
import { askPatiently } from "./patience.ts";
import { Progress } from "./progress.ts";
import { isWell } from "./view/agent-view.ts";

/** Null when it is gone. With `service` only until that one, or every instance of it, has. */
export async function stayWithAgent(cli: Cli, { id, name }: AgentView, service?: string): Promise<AgentView | null> {
  const { signal } = cli.interrupt;
  cli.interrupt.sayOnLeaving(`Left. ${name} goes on: signalbox agent show ${name}`);
  const progress = new Progress(cli.out, `waiting for ${name}`);
  let seen: number | undefined;
  try {
    for (;;) {
      const wish = {
        agent: id,
        ...(service === undefined ? {} : { service }),
        ...(seen === undefined ? {} : { seen }),
      };
      const answer = await askPatiently(cli, signal, () => cli.link.call("agent.wait", wish));
      if (answer.rests || answer.agent === null) return answer.agent;
      ({ seen } = answer);
      progress.set(progressOf(answer.agent));
    }
  } finally {
    progress.stop();
  }
}

function progressOf({ name, state, services }: AgentView): string {
  const busy = services.filter((service) => !isWell(service) && service.state !== "down");
  const list = busy.map((service) => `${service.name} ${service.state}`).join(", ");
  return `${name} is ${state}${list === "" ? "" : `: ${list}`}`;
}
