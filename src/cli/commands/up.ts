import { setTimeout as delay } from "node:timers/promises";
import { homePaths } from "../../protocol/home.ts";
import type { Status } from "../../protocol/wire/status.ts";
import type { Cli } from "../cli.ts";
import { findDaemon, makeLoginLink, type StartedDaemon, tellDaemon } from "../daemon-info.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { reportStart, startDetached } from "../detached-daemon.ts";
import { flag, jsonFlag } from "../flags.ts";
import { endSurely } from "../end-surely.ts";
import { noteHomePort, portAfter, portsToTry, readHomePort, tellMoved } from "../home-port.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { parsePort } from "../parse-args.ts";
import { reportError, toReport } from "../report-error.ts";
import { parseDurationBetween } from "../text/duration.ts";
import { UsageError } from "../usage-error.ts";

/** Taken when nobody says otherwise and it is free. */
const usualPort = 4180;
const otherPatienceMs = 10_000;
const lookMs = 100;
/** Stands in for the flag where a daemon is always started in the same surroundings. */
const maintainVariable = "SIGNALBOX_MAINTAIN";
const maintainMsMin = 60_000;
const maintainMsMax = 30 * 86_400_000;

export type MaintainEvery = number | "off";

function parseMaintain(text: string): MaintainEvery {
  return text === "off" ? "off" : parseDurationBetween(maintainMsMin, maintainMsMax)(text);
}

type Flags = CommonFlags & {
  readonly detach: boolean;
  readonly port?: number;
  readonly maintain?: MaintainEvery;
  readonly open: boolean;
};

export const up = defineCommand<Flags>({
  usage: "[-d] [--port N] [--maintain DURATION|off] [--open]",
  about: `Without -d it stays in the foreground until Ctrl-C. With -d it returns once the daemon is healthy; what the
daemon says then goes to log/daemon.log in its home. When a daemon runs for this home already, it says so and is
content; that one keeps its port, and with --json warning says so when another was asked for. Runs survive the daemon: started again, it takes them up where they were.`,
  examples: [
    ["up -d", "Start in the background."],
    ["up --port 0 --open", "Stay in the foreground, on any free port, and open the console."],
    ["up -d --maintain 6h", "Tidy up four times a day."],
    ["up -d --json", "For scripts: pid, url, loginUrl, version and home."],
  ],
  parameters: {
    flags: {
      detach: flag("Runs in the background."),
      port: {
        kind: "parsed",
        parse: parsePort,
        optional: true,
        placeholder: "N",
        brief: `Port on the loopback address; 0 picks a free one. Left out: the one it has, else ${usualPort}; where that is taken, a free one until it is not.`,
      },
      maintain: {
        kind: "parsed",
        parse: parseMaintain,
        optional: true,
        placeholder: "DURATION",
        brief: `How often the daemon tidies up by itself, or off. Left out: what ${maintainVariable} says, else once in an hour.`,
      },
      open: flag("Opens the console in the browser."),
      json: jsonFlag,
    },
    aliases: { d: "detach", p: "port" },
  },
  async run(cli, flags) {
    const running = await findDaemon(cli);
    if (running !== undefined) return await tellRunning(cli, running, flags);
    return flags.detach ? await startInBackground(cli, flags) : await stayInForeground(cli, flags);
  },
});

async function startInBackground(cli: Cli, flags: Flags): Promise<number> {
  const report = await startDetached(cli, flags.port, flags.maintain);
  if ("ready" in report) return tellAndOpen(cli, "runs", report.ready, flags, report.ready.warning);
  if (report.failed.code === "home-in-use") {
    const other = await waitForOther(cli);
    if (other !== undefined) return await tellRunning(cli, other, flags);
  }
  if (flags.json) cli.out.json({ error: report.failed });
  else {
    const { message, ways } = report.failed;
    const log = homePaths(cli.home).output;
    cli.out.note(`${cli.out.noteColors.red("signalbox:")} ${message}`, ...ways.map((line) => `  | ${line}`));
    if (!message.includes(log)) cli.out.note(`The daemon did not start; its log is ${log}`);
  }
  return report.exitCode;
}

async function stayInForeground(cli: Cli, flags: Flags): Promise<number> {
  const { signal } = cli.interrupt;
  let started: Awaited<ReturnType<typeof start>>;
  try {
    started = await start(cli, flags);
  } catch (error) {
    const { error: failed, exitCode } = await toReport(cli, error);
    if (reportStart(cli, { failed, exitCode })) return exitCode;
    return await reportError(cli, error, flags.json);
  }
  const { daemon, warning } = started;
  const { pid, url, loginUrl, version } = daemon;
  const warned = warning === undefined ? {} : { warning };
  const isHeard = reportStart(cli, { ready: { pid, url, loginUrl, version, ...warned } });
  if (!isHeard) {
    tellAndOpen(cli, "runs", daemon, flags, warning);
    if (!flags.json)
      cli.out.note("Ctrl-C ends the daemon; what its runs have done is kept, and `up` takes them up again.");
  }
  const left = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await Promise.race([left, daemon.ended]);
  await daemon.close();
  endSurely();
  if (!isHeard && !flags.json) cli.out.note("The daemon has ended.");
  return 0;
}

async function start(cli: Cli, { port, maintain }: Flags) {
  const every = maintain ?? maintainIn(cli);
  const options = { home: cli.home, maintainMs: every === "off" ? null : every };
  const { startDaemon } = await import("../../daemon/main.ts");
  const { port: file } = homePaths(cli.home);
  const had = port === undefined ? readHomePort(file) : null;
  // Whoever has the console open finds it where it was.
  for (const each of port === undefined ? [...portsToTry(had, usualPort), 0] : [port]) {
    try {
      const daemon = await startDaemon({ ...options, port: each });
      const has = portAfter(had, Number(new URL(daemon.url).port));
      noteHomePort(file, has);
      return { daemon, warning: tellMoved(has) };
    } catch (error) {
      if (port !== undefined || (error as { code?: unknown }).code !== "port-in-use") throw error;
    }
  }
  throw new Error("no port of this machine is free");
}

function maintainIn(cli: Cli): MaintainEvery | undefined {
  const said = cli.env[maintainVariable] ?? "";
  try {
    return said === "" ? undefined : parseMaintain(said);
  } catch (error) {
    throw new UsageError(`${maintainVariable} "${said}": ${(error as Error).message}`);
  }
}

/** Somebody else started one at the same moment: that one is as good. */
async function waitForOther(cli: Cli): Promise<Status | undefined> {
  const untilMs = performance.now() + otherPatienceMs;
  for (;;) {
    const found = await findDaemon(cli);
    if (found !== undefined || performance.now() > untilMs) return found;
    await delay(lookMs);
  }
}

async function tellRunning(cli: Cli, running: Status, flags: Flags): Promise<number> {
  const { url: loginUrl } = await makeLoginLink(cli);
  return tellAndOpen(cli, "runs already", { ...running, loginUrl }, flags, passedOver(running, flags.port));
}

/** A daemon keeps the port it has; whoever asked for another one should not look for it there. */
function passedOver({ url }: Status, wanted: number | undefined): string | undefined {
  const { port } = new URL(url);
  if (wanted === undefined || wanted === 0 || String(wanted) === port) return undefined;
  return `--port ${wanted} was passed over: the daemon that runs keeps port ${port}. To move it: signalbox down, then signalbox up --port ${wanted}`;
}

function tellAndOpen(cli: Cli, what: string, daemon: StartedDaemon, flags: Flags, warning?: string): number {
  tellDaemon(cli, what, daemon, flags.json, warning);
  if (flags.open) openInBrowser(cli, daemon.loginUrl);
  return 0;
}
