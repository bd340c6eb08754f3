// What agents use: which process belongs to what, their keepers know; how much it is, the kernel does. All agents are looked
// at together, so that one moment is enough for everybody's rate.

import { type Agent, portKey, type Service } from "../../core/agent/agent-state.ts";
import { nameOf } from "../../core/agent/instances.ts";
import { limitsOf } from "../../core/agent/room.ts";
import type { NumberedProcess, ProcessesAnswer, UsualDisk } from "../../protocol/keeper/keeper-wire.ts";
import { outerHost } from "../../protocol/keeper/outer-host.ts";
import type { AgentUse, ProcessUse, Use } from "../../protocol/wire/usage.ts";
import { identify } from "../supervisor/process-identity.ts";
import { readCommand } from "./process-usage.ts";
import { dataKey } from "./service-data.ts";
import type { MeteredProcess, UsageMeter } from "./usage-meter.ts";

export type AgentUsageOptions = {
  readonly meter: Pick<UsageMeter, "measure">;
  /** What runs in an agent; null where nothing is there to ask. */
  readonly processesOf: (agent: Agent) => Promise<ProcessesAnswer | null>;
  /** What the places of agents take on the disk, by agent. */
  readonly diskOf: (agents: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** What the folders take that services have for themselves, by agent and service; those that have none are left out. */
  readonly dataOf: (agents: readonly Agent[]) => Promise<ReadonlyMap<string, number>>;
  /** What each may use and take, and which policies say so. */
  readonly limitsOf: (agent: Agent) => Pick<AgentUse, "limits" | "heldBy">;
  /** What its keeper holds it to, of memory; null where nothing bounds it. */
  readonly memoryOf: (agent: Agent) => number | null;
  readonly freeBytes: () => Promise<number>;
};

type Belongs = NumberedProcess & { readonly agent: string; readonly call: string; readonly service: string | null };
type Metered = MeteredProcess & Pick<Belongs, "agent" | "call" | "service">;

type Measured = { readonly metered: readonly Metered[]; readonly shares: ReadonlyMap<string, UsualDisk> };
type Asked = { readonly agent: string; readonly belongs: readonly Belongs[]; readonly share: UsualDisk | undefined };

/** How the keeper's own process is called among the calls: no call has such a name. */
const keeperCall = "";

export class AgentUsage {
  readonly #options: AgentUsageOptions;

  constructor(options: AgentUsageOptions) {
    this.#options = options;
  }

  /** Looking at the disk takes longest: at agents as a whole, or only at what services have for themselves. */
  async stats(
    agents: readonly Agent[],
    { disk, data = disk }: { readonly disk: boolean; readonly data?: boolean },
  ): Promise<AgentUse[]> {
    const { metered, shares } = await this.#measure(agents);
    const freeBytes = disk && shares.size > 0 ? await this.#options.freeBytes() : 0;
    const none = new Map<string, number>();
    const sizes = disk ? await this.#options.diskOf(agents.map(({ id }) => id)) : none;
    const own = data ? await this.#options.dataOf(agents) : none;
    return agents.map((agent) => {
      const processes = metered.filter((each) => each.agent === agent.id);
      const inside = processes.filter(({ call }) => call !== keeperCall);
      const may = this.#options.limitsOf(agent);
      const diskBytes = sizes.get(agent.id) ?? null;
      const held = this.#options.memoryOf(agent);
      const isSaid = may.limits?.diskBytes !== undefined;
      return {
        ...{ agent: agent.id, name: agent.name, state: agent.state, ...sumOf(inside) },
        ...may,
        diskBytes,
        diskBytesMax: may.limits?.diskBytes ?? null,
        shares: {
          memoryBytes: held === (may.limits?.memoryBytes ?? null) ? null : held,
          diskBytes: isSaid || diskBytes === null ? null : mayTakeOf(shares.get(agent.id), diskBytes, freeBytes),
        },
        services: [...agent.services.values()].map((service) => toService(agent, service, inside, own)),
        others: sumOf(inside.filter(({ service }) => service === null)),
        keeper: sumOf(processes.filter(({ call }) => call === keeperCall)),
      };
    });
  }

  /** Those that use most first: of everything inside, or of some services alone. */
  async top(
    agent: Agent,
    { limit, services }: { readonly limit: number; readonly services?: ReadonlySet<string> },
  ): Promise<{ readonly total: number; readonly processes: ProcessUse[] }> {
    const isMeant = ({ call, service }: Metered): boolean =>
      services === undefined ? call !== keeperCall : service !== null && services.has(service);
    const inside = (await this.#measure([agent])).metered.filter(isMeant);
    const sorted = inside.toSorted(
      (a, b) => (b.cpu ?? 0) - (a.cpu ?? 0) || b.memoryBytes - a.memoryBytes || a.pid - b.pid,
    );
    const processes = sorted.slice(0, limit).map((process) => {
      const { pid, service, call, cpu, cpuMs, memoryBytes, files, writtenBytes, threads } = process;
      const command = readCommand(process);
      return { pid, command, service, call, cpu: rounded(cpu), cpuMs, memoryBytes, files, writtenBytes, threads };
    });
    return { total: sorted.length, processes };
  }

  async #measure(agents: readonly Agent[]): Promise<Measured> {
    const asked = await Promise.all(agents.map((agent) => this.#ask(agent)));
    const belongs = asked.flatMap((each) => each.belongs);
    const byPid = new Map(belongs.map((each) => [each.pid, each]));
    const metered = (await this.#options.meter.measure(belongs)).flatMap((each) => {
      const owner = byPid.get(each.pid);
      return owner === undefined ? [] : [{ ...each, agent: owner.agent, call: owner.call, service: owner.service }];
    });
    const shares = new Map(asked.flatMap(({ agent, share }) => (share === undefined ? [] : [[agent, share] as const])));
    return { metered, shares };
  }

  async #ask(agent: Agent): Promise<Asked> {
    const answer = await this.#options.processesOf(agent);
    if (answer === null) return { agent: agent.id, belongs: [], share: undefined };
    const keeper = identify(answer.keeper);
    const own = keeper === undefined ? [] : [{ ...keeper, agent: agent.id, call: keeperCall, service: null }];
    const inside = answer.calls.flatMap(({ call, processes }) =>
      processes.map((each) => ({ ...each, agent: agent.id, call, service: serviceOf(agent, call) })),
    );
    return { agent: agent.id, belongs: [...own, ...inside], share: answer.usualDisk };
  }
}

/** Nobody is held to a share while the disk has as much free as was left to the others: so far it may go, if nobody else does. */
function mayTakeOf(share: UsualDisk | undefined, takenBytes: number, freeBytes: number): number | null {
  if (share === undefined) return null;
  const { bytes, spareBytes } = share;
  return spareBytes === null ? bytes : Math.max(bytes, takenBytes + Math.max(0, freeBytes - spareBytes));
}

/** The service whose life a call is. */
function serviceOf(agent: Agent, call: string): string | null {
  const name = call.startsWith(`${agent.id}-`) ? call.slice(agent.id.length + 1).replace(/-\d+$/, "") : "";
  return agent.services.has(name) ? name : null;
}

function toService(
  agent: Agent,
  service: Service,
  inside: readonly Metered[],
  data: ReadonlyMap<string, number>,
): AgentUse["services"][number] {
  const { spec, state } = service;
  // One that is put away has none any more (AW9).
  const ports = (agent.isArchived ? [] : spec.ports).map((name) => {
    return { name, address: `${outerHost}:${agent.ports.get(portKey(nameOf(service), name)) ?? 0}` };
  });
  const use = sumOf(inside.filter((each) => each.service === spec.name));
  const dataBytes = data.get(dataKey(agent.id, spec.name)) ?? null;
  return { name: spec.name, state, ports, limits: limitsOf(agent, service) ?? null, dataBytes, ...use };
}

function sumOf(processes: readonly Metered[]): Use {
  const sum = (of: (process: Metered) => number): number => processes.reduce((total, each) => total + of(each), 0);
  const rates = processes.flatMap(({ cpu }) => cpu ?? []);
  const isSeen = processes.every(({ files }) => files !== null);
  const isCounted = processes.every(({ writtenBytes }) => writtenBytes !== null);
  return {
    cpu: processes.length > 0 && rates.length === 0 ? null : rounded(rates.reduce((total, each) => total + each, 0)),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    memoryBytes: sum(({ memoryBytes }) => memoryBytes),
    files: isSeen ? sum(({ files }) => files ?? 0) : null,
    writtenBytes: isCounted ? sum(({ writtenBytes }) => writtenBytes ?? 0) : null,
    processes: processes.length,
    threads: sum(({ threads }) => threads),
  };
}

function rounded<T extends number | null>(value: T): T {
  return (value === null ? null : Math.round(value * 1000) / 1000) as T;
}
