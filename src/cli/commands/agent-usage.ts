import type { UseLimits } from "../../protocol/wire/agent.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { AgentUse, ProcessUse, ServiceUse, Use } from "../../protocol/wire/usage.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";
import type { Cell, Column } from "../text/table.ts";
import { toHeldText } from "../text/limit-text.ts";
import { watchPictures } from "../watch-pictures.ts";
import { showHistories } from "../view/history-view.ts";
import { agentAndService, agentArgument } from "./agent.ts";

type Flags = CommonFlags & { readonly watch: boolean };
type StatsFlags = Flags & { readonly history: boolean; readonly day: boolean };

const watch = flag("Shows it anew every two seconds, until you leave.");
const right = { align: "right" } as const;
const columns = ["CPU", "TIME", "MEMORY", "FILES", "WRITTEN", "THREADS"].map((title): Column => ({ title, ...right }));
/** What takes the disk changes slowly, and looking takes longest. */
const looksPerDisk = 15;

export const agentStats = defineCommand<StatsFlags, string[]>({
  usage: "[AGENT…] [--watch | --history [--day]]",
  about: `Processors in use (100 % is one of them), time that its processes have used, memory (RSS: what processes share counts for
each of them), open files, what they have written to disks, threads and processes, of each agent together and by service, and what the
agent takes of the disk: its workspace, home, temporary files and what its services keep there, since nobody can tell whose a file is. Of a
service only the folders are told that it has for itself, with an image of its own. WRITTEN is what the processes that run now have sent to
disks, each since it began: some of that may be written over, or gone. Beside its services are commands and terminals; what keeps the agent
comes last and is not in its sum. Where something is limited, the limit stands behind it; for memory and the disk that is the agent's share
of the machine where nobody says another.
With --history it is how they did over time: use, checks, health, how they came up, and what will be so if it goes on like this.`,
  examples: [
    ["agent stats", "What each agent takes."],
    ["agent stats shop-1 --watch", "Watch one of them."],
    ["agent stats shop-1 --history", "How it did in the last hour."],
  ],
  parameters: {
    flags: {
      watch,
      history: flag("How they did over time, instead of now."),
      day: flag("With --history: the last day instead of the last hour."),
      json: jsonFlag,
    },
    aliases: { w: "watch" },
    positional: { kind: "array", parameter: agentArgument },
  },
  async run(cli, { watch: isWatched, history, day, json }, ...names) {
    if (history) return await showHistories(cli, names, { day, json });
    const only = names.length === 0 ? {} : { agents: names };
    let looks = 0;
    let disks: ReadonlyMap<string, AgentUse> = new Map();
    const look = async (): Promise<AgentUse[]> => {
      const disk = looks++ % looksPerDisk === 0;
      const { agents } = await cli.link.call("agent.stats", { ...only, disk });
      if (disk) disks = new Map(agents.map((each) => [each.agent, each]));
      return agents.map((each) => {
        const { diskBytes, shares } = disk ? each : (disks.get(each.agent) ?? each);
        return { ...each, diskBytes, shares: { ...each.shares, diskBytes: shares.diskBytes } };
      });
    };
    if (isWatched)
      return await watchPictures(cli, look, (found) => (json ? { agents: found } : statsLines(cli, found)));
    const found = await look();
    if (json) return cli.out.json({ agents: found });
    if (found.length === 0) return cli.out.note("There is no agent.");
    cli.out.print(...statsLines(cli, found));
  },
});

export const agentTop = defineCommand<Flags, [string]>({
  usage: "AGENT [--watch]",
  about: "The processes of an agent, those that use most first. Numbers are those of the machine, not those inside.",
  examples: [["agent top shop-1 --watch", "See what it is busy with."]],
  parameters: {
    flags: { watch, json: jsonFlag },
    aliases: { w: "watch" },
    positional: { kind: "tuple", parameters: [agentArgument] },
  },
  async run(cli, { watch: isWatched, json }, agent) {
    if (isWatched) return watchTop(cli, agent, json);
    tellTop(cli, await cli.link.call("agent.top", { agent }), "Nothing", json);
  },
});

export const serviceStats = defineCommand<Flags, [string, string]>({
  usage: "AGENT SERVICE [--watch]",
  about:
    "What a service uses, or each of its instances, as agent stats shows it; where something is limited, the limit stands behind it.",
  examples: [["service stats shop-1 web --watch", "Watch what it takes."]],
  parameters: { flags: { watch, json: jsonFlag }, aliases: { w: "watch" }, positional: agentAndService },
  async run(cli, { watch: isWatched, json }, agent, service) {
    const look = (): Promise<OutputOf<"service.stats">> => cli.link.call("service.stats", { agent, service });
    const lines = ({ name, services }: OutputOf<"service.stats">): string[] =>
      useLines(
        cli,
        services.map((each) => toServiceUseRow(name, each)),
      );
    if (isWatched) return await watchPictures(cli, look, (found) => (json ? found : lines(found)));
    const found = await look();
    if (json) return cli.out.json(found);
    cli.out.print(...lines(found));
  },
});

export const serviceTop = defineCommand<Flags, [string, string]>({
  usage: "AGENT SERVICE [--watch]",
  about: "The processes of a service, those that use most first. Numbers are those of the machine, not those inside.",
  examples: [["service top shop-1 web --watch", "See what it is busy with."]],
  parameters: { flags: { watch, json: jsonFlag }, aliases: { w: "watch" }, positional: agentAndService },
  async run(cli, { watch: isWatched, json }, agent, service) {
    const look = (): Promise<OutputOf<"service.top">> => cli.link.call("service.top", { agent, service });
    if (isWatched) return await watchPictures(cli, look, (found) => (json ? found : topLines(cli, found.processes)));
    tellTop(cli, await look(), `Nothing of ${service}`, json);
  },
});

function tellTop(cli: Cli, found: OutputOf<"agent.top">, nothing: string, json: boolean): void {
  if (json) return cli.out.json(found);
  if (found.total === 0) return cli.out.note(`${nothing} runs in ${toSafeLine(found.name)}.`);
  cli.out.print(...topLines(cli, found.processes));
  if (found.processes.length < found.total) cli.out.note(`… and ${found.total - found.processes.length} more.`);
}

/** The processes of an agent, looked at again and again until somebody leaves. */
export function watchTop(cli: Cli, agent: string, json: boolean): Promise<void> {
  const look = () => cli.link.call("agent.top", { agent });
  return watchPictures(cli, look, (found) => (json ? found : topLines(cli, found.processes)));
}

function statsLines(cli: Cli, agents: readonly AgentUse[]): string[] {
  return [...useLines(cli, agents.flatMap(toRows)), ...agents.flatMap(toHeldLines)];
}

/** Who says what an agent may use, where that is not its template. */
function toHeldLines({ name, heldBy, limits }: AgentUse): string[] {
  const text = toHeldText(heldBy, limits);
  return text === "" ? [] : [`${toSafeLine(name)}: ${text}`];
}

function useLines(cli: Cli, rows: Cell[][]): string[] {
  const titles = [{ title: "AGENT" }, { title: "SERVICE" }, { title: "STATE" }, ...columns];
  const more: Column[] = [
    { title: "PROCESSES", ...right },
    { title: "DISK", ...right },
    { title: "PORTS", cut: "end" },
  ];
  return cli.out.tableLines([...titles, ...more], rows);
}

function toRows({
  name,
  state,
  diskBytes,
  diskBytesMax,
  services,
  others,
  keeper,
  limits,
  shares,
  heldBy: _,
  ...use
}: AgentUse): Cell[][] {
  const disk = withLimit(diskBytes === null ? "-" : toSize(diskBytes), diskBytesMax ?? shares.diskBytes, toSize);
  return [
    toUseRow(name, { ...use, limits: withShare(limits, shares) }, ["", state, disk, ""]),
    ...services.map((each) => toServiceUseRow(name, each)),
    ...(others.processes === 0 ? [] : [toUseRow(name, others, ["(others)", "", "", ""])]),
    ...(keeper.processes === 0 ? [] : [toUseRow(name, keeper, ["(keeper)", "", "", ""])]),
  ];
}

/** What holds it where nobody said anything stands behind what it uses, too. */
function withShare(limits: UseLimits, { memoryBytes }: AgentUse["shares"]): UseLimits {
  if (memoryBytes === null) return limits;
  return { ...(limits ?? { cpu: null, processes: null, files: null }), memoryBytes };
}

function toServiceUseRow(agent: string, service: ServiceUse): Cell[] {
  const ports = service.ports.map(({ name, address }) => `${name} ${address}`).join(", ");
  const disk = service.dataBytes === null ? "" : toSize(service.dataBytes);
  return toUseRow(agent, service, [toSafeLine(service.name), service.state, disk, ports]);
}

function toUseRow(
  agent: string,
  of: Use & { readonly limits?: UseLimits },
  [service, state, disk, ports]: readonly [string, string, string, string],
): Cell[] {
  const processes = withLimit(String(of.processes), of.limits?.processes, String);
  return [toSafeLine(agent), service, state, ...toCells(of), processes, disk, ports];
}

function topLines(cli: Cli, processes: readonly ProcessUse[]): string[] {
  return cli.out.tableLines(
    [{ title: "PID", ...right }, { title: "SERVICE" }, ...columns, { title: "COMMAND", cut: "end" }],
    processes.map((each) => [
      String(each.pid),
      toSafeLine(each.service ?? "-"),
      ...toCells(each),
      toSafeLine(each.command),
    ]),
  );
}

function toCells({
  cpu,
  cpuMs,
  memoryBytes,
  files,
  writtenBytes,
  threads,
  limits = null,
}: Omit<Use, "processes"> & { readonly limits?: UseLimits }): string[] {
  return [
    withLimit(cpu === null ? "-" : `${(cpu * 100).toFixed(1)} %`, limits?.cpu, (most) => `${Math.round(most * 100)} %`),
    showDuration(cpuMs),
    withLimit(toSize(memoryBytes), limits?.memoryBytes, toSize),
    files === null ? "-" : String(files),
    writtenBytes === null ? "-" : toSize(writtenBytes),
    String(threads),
  ];
}

function withLimit(use: string, limit: number | null | undefined, spell: (limit: number) => string): string {
  return limit === null || limit === undefined ? use : `${use} / ${spell(limit)}`;
}
