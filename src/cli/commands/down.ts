import { setTimeout as delay } from "node:timers/promises";
import { exitCodes } from "../../protocol/errors.ts";
import { homePaths } from "../../protocol/home.ts";
import { overStates } from "../../protocol/wire/run.ts";
import type { Status } from "../../protocol/wire/status.ts";
import type { Cli } from "../cli.ts";
import { findDaemon } from "../daemon-info.ts";
import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { isAlive } from "../is-alive.ts";
import { Progress } from "../progress.ts";

const patienceMs = 30_000;
const lookMs = 25;

export const down = defineCommand({
  usage: "",
  about: `Waits until it has ended. What its runs have done is kept, and \`signalbox up\` takes them up again. When no
daemon runs, there is nothing to do, and that is fine. Runs that have begun, also those in review, and agents keep their
processes meanwhile; it says how many there are, and how to end them.`,
  examples: [["down", "End the daemon of this home."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const running = await findDaemon(cli);
    if (running === undefined) {
      if (json) cli.out.json({ ended: false, pid: null });
      else cli.out.print(`No daemon runs for ${cli.home}.`);
      return exitCodes.ok;
    }
    const { pid } = running;
    cli.interrupt.sayOnLeaving(`Left. The daemon (pid ${pid}) is ending nevertheless.`);
    const { signal } = cli.interrupt;
    const progress = new Progress(cli.out, `the daemon (pid ${pid}) is ending`);
    const left = await countLeft(cli, running);
    try {
      await cli.link.call("shutdown", {});
      const untilMs = performance.now() + patienceMs;
      while (isAlive(pid) && performance.now() < untilMs) await delay(lookMs, undefined, { signal });
    } finally {
      progress.stop();
    }
    if (isAlive(pid)) {
      const message = `The daemon (pid ${pid}) has not ended after ${patienceMs / 1000} s. Its log is ${homePaths(cli.home).output}; kill -9 ${pid} ends it, and nothing acknowledged is lost.`;
      if (json) cli.out.json({ error: { code: "timed-out", message, data: { pid }, ways: [] } });
      else cli.out.note(`signalbox: ${message}`);
      return exitCodes.timedOut;
    }
    if (json) cli.out.json({ ended: true, pid, left });
    else cli.out.print(`The daemon (pid ${pid}) has ended.`, ...tellLeft(left));
    return exitCodes.ok;
  },
});

type Left = { readonly runs: number; readonly agents: number };

/** Whose keepers outlive the daemon. That nobody can say how many there are keeps no daemon from ending. */
async function countLeft(cli: Cli, { runs }: Pick<Status, "runs">): Promise<Left> {
  const agents = await cli.link.call("agent.list", {}).then(
    (answer) => answer.agents.filter(({ state }) => state !== "stopped").length,
    () => 0,
  );
  const withoutKeeper: readonly string[] = ["queued", ...overStates];
  const begun = Object.entries(runs).filter(([state]) => !withoutKeeper.includes(state));
  return { runs: begun.reduce((sum, [, many]) => sum + many, 0), agents };
}

function tellLeft({ runs, agents }: Left): string[] {
  const all = runs + agents;
  if (all === 0) return [];
  const toMany = (many: number, what: string): string[] =>
    many === 0 ? [] : [`${many} ${what}${many === 1 ? "" : "s"}`];
  const who = [...toMany(runs, "run"), ...toMany(agents, "agent")].join(" and ");
  const stay = all === 1 ? "stays, with the processes that it has" : "stay, with the processes that they have";
  const them = all === 1 ? "it" : "them";
  const ways = [
    ...(runs === 0 ? [] : ["signalbox stop --all"]),
    ...(agents === 0 ? [] : ["signalbox agent stop AGENT"]),
  ];
  return [
    `${who} ${stay}: signalbox up takes ${them} up again. To end ${them} as well: signalbox up -d, then ${ways.join(" and ")}, then down.`,
  ];
}
