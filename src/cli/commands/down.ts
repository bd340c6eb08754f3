import { setTimeout as delay } from "node:timers/promises";
import { exitCodes } from "../../protocol/errors.ts";
import { homePaths } from "../../protocol/home.ts";
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
daemon runs, there is nothing to do, and that is fine.`,
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
    if (json) cli.out.json({ ended: true, pid });
    else cli.out.print(`The daemon (pid ${pid}) has ended.`);
    return exitCodes.ok;
  },
});
