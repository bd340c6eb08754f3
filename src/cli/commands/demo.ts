import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { exitCodes, ProtocolError } from "../../protocol/errors.ts";
import type { Project } from "../../protocol/wire/project.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Cli } from "../cli.ts";
import { findDaemon } from "../daemon-info.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { DemoLines } from "../demo/demo-lines.ts";
import { startDetached } from "../detached-daemon.ts";
import { flag, jsonFlag, textFlag } from "../flags.ts";
import { waitForRun } from "../follow-run.ts";
import { Lookout } from "../lookout.ts";
import { withProgress } from "../progress.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { whenPublished } from "../when-published.ts";

export const demo = defineCommand<CommonFlags & { readonly folder?: string; readonly stay: boolean }>({
  usage: "[--folder PATH] [--stay]",
  about: `Makes a sample repository, lets five scripted agents work on it at once, and lands what they did. They want the same
files and the same test, so they queue for them. No key and no model is needed. A daemon is started if none runs, and
stays. Ends with 0 when all five have landed. With --stay it is the demo of the console: three more agents, one that waits for your
review, one that works for a quarter of an hour, and one that waits for what that one holds.`,
  examples: [
    ["demo", "See it happen."],
    ["demo --folder shop", "In a folder that you keep."],
    ["demo --stay", "The same that the console starts: something is left to be looked at."],
  ],
  parameters: {
    flags: {
      folder: textFlag("PATH", "Where to make the repository; a new folder. Left out: a temporary one."),
      stay: flag("Also the three agents of the console's demo that stay."),
      json: jsonFlag,
    },
  },
  async run(cli, { folder, stay, json }) {
    const order = { ...(folder === undefined ? {} : { folder: newFolder(cli, folder) }), stay };
    await ensureDaemon(cli);
    const demo = await withProgress(cli.out, "making a sample repository", cli.link.call("demo.start", order));
    const { project, name, runs, staying, seq, folder: root } = demo;
    if (!json) cli.out.note(`${stay ? "Eight" : "Five"} agents work on ${root} (project ${name}):`);
    cli.interrupt.sayOnLeaving(`Left. The runs go on: signalbox ps --project ${name} shows them.`);
    const { ended, after } = await watch(cli, { project, runs, json, after: seq });
    if (json) cli.out.json({ folder: root, project: after, runs: ended, staying });
    else await tell(cli, { root, runs: ended, staying, project: after });
    return ended.every((run) => run.state === "done") ? exitCodes.ok : exitCodes.failed;
  },
});

type Watch = {
  readonly project: string;
  readonly runs: readonly string[];
  readonly json: boolean;
  readonly after: number;
};

/** Stays until all runs are over and what landed was brought to the branch, and shows what happens meanwhile. */
async function watch(
  cli: Cli,
  { project, runs, json, after: seq }: Watch,
): Promise<{ readonly ended: readonly Run[]; readonly after: Project }> {
  const { signal } = cli.interrupt;
  const watching = new AbortController();
  const lookout = new Lookout(cli);
  const show = json ? undefined : showEvents(cli, project, seq, watching.signal);
  // A policy of this daemon may ask for a person.
  const onLook = (run: Run): void => lookout.look(run);
  try {
    const ended = await Promise.all(runs.map((run) => waitForRun(cli, run, { signal, onLook })));
    const last = byEnd(ended).findLast((run) => run.landed !== null);
    if (last !== undefined) return { ended, after: await whenPublished(cli, last) };
    return { ended, after: (await cli.link.call("project.get", { project })).project };
  } finally {
    watching.abort();
    await show;
  }
}

function byEnd(runs: readonly Run[]): Run[] {
  return runs.toSorted((a, b) => (a.endedAtMs ?? 0) - (b.endedAtMs ?? 0));
}

async function ensureDaemon(cli: Cli): Promise<void> {
  if ((await findDaemon(cli)) !== undefined) return;
  const report = await startDetached(cli, undefined);
  if ("failed" in report) throw new ProtocolError(report.failed);
  cli.out.note(`Started a daemon: ${report.ready.url} (signalbox down ends it).`);
}

/** Looked at here, too: no daemon has to be started to say no. */
function newFolder(cli: Cli, given: string): string {
  const folder = resolve(cli.cwd, given);
  if (existsSync(folder)) throw new UsageError(`--folder "${given}": ${folder} is there already; name a new one.`);
  return folder;
}

async function showEvents(cli: Cli, project: string, after: number, signal: AbortSignal): Promise<void> {
  const lines = new DemoLines(cli.out.colors);
  try {
    for await (const event of cli.link.events({ after, project, signal })) {
      const line = lines.toLine(event);
      if (line !== undefined) cli.out.print(line);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

type Told = {
  readonly root: string;
  readonly runs: readonly Run[];
  /** Ids of those that are not over. */
  readonly staying: readonly string[];
  readonly project: Project;
};

async function tell(cli: Cli, { root, runs, staying, project }: Told): Promise<void> {
  const { branch, notPublished: not } = project;
  const { url } = await cli.link.call("status", {});
  const landed = runs.filter((run) => run.landed !== null);
  cli.out.print("");
  cli.out.table(
    [{ title: "RUN" }, { title: "TITLE", cut: "end" }, { title: "STATE" }, { title: "LANDED AS" }],
    runs.map((run) => [run.id, run.title, run.state, run.landed?.slice(0, 12) ?? ""]),
  );
  const all = landed.length === runs.length;
  cli.out.note(
    "",
    `${landed.length} of ${runs.length} landed, one after the other${all ? ", each tested on top of those before it" : ""}.`,
    not === null
      ? toSafeLine(`They are on the branch ${branch}.`)
      : toSafeLine(`Not published: ${not.why}. To get it: ${not.how}`),
    "",
  );
  const [first] = runs;
  const ways = [
    [`git -C ${root} log --stat`, "what landed; each commit names its run"],
    [`signalbox diff ${first?.id ?? ""}`, "what one of them changed"],
    [`signalbox logs ${byEnd(runs).at(-1)?.id ?? ""}`, "how the last one waited for the others"],
    ...(staying.length === 0
      ? []
      : [
          [`signalbox review ${staying[0] ?? ""}`, "what waits for you"],
          ["signalbox locks", "who holds what, and who waits for it"],
        ]),
    ["signalbox login", `opens the console at ${url}`],
    ["signalbox down", "ends the daemon"],
  ];
  const width = Math.max(...ways.map(([command = ""]) => command.length));
  cli.out.note(...ways.map(([command = "", what]) => `${command.padEnd(width)}  ${what}`));
}
