import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentWorld, lone, service } from "../../test/support/agent-world.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { compareText } from "../base/canonical.ts";
import type { AgentSpec } from "../core/agent/agent-spec.ts";
import { fineMs, UseHistory } from "../node/usage/use-history.ts";
import type { AgentUse } from "../protocol/wire/usage.ts";
import type { Warning } from "../protocol/wire/health-history.ts";
import { besidesOf, memoryMaxOf, warningsOf } from "./health-outlook.ts";
import { toInbox } from "./views/inbox-view.ts";

const [MiB, GiB] = [1024 ** 2, 1024 ** 3];
const hourMs = 3_600_000;
const none = { cpu: 0, cpuMs: 0, memoryBytes: 0, files: 0, writtenBytes: 0, processes: 1, threads: 1 };

/** What is used, and how much more it is at each look. */
type Uses = {
  readonly memory?: readonly [number, number];
  readonly web?: readonly [number, number];
  readonly disk?: readonly [number, number];
  readonly shares?: Partial<AgentUse["shares"]>;
  readonly free?: readonly [number, number];
  readonly available?: readonly [number, number];
};

/** Agents that were looked at again and again. */
class SeenWorld extends AgentWorld {
  readonly seen = new UseHistory(join(makeTempFolder(), "history.json"), () => this.nowMs);

  /** One that was made a while ago. */
  old(more: Partial<AgentSpec> = {}): string {
    const id = this.running([lone], more);
    this.pass(3 * hourMs);
    return id;
  }

  look(uses: Uses, looks = 60): void {
    const { memory = [0, 0], web = [0, 0], disk, shares, free = [1000 * GiB, 0], available = [8 * GiB, 0] } = uses;
    for (let at = 0; at < looks; at++) {
      this.nowMs += fineMs;
      // Looking at the disk takes longest, so it is done more seldom.
      const onDisk = disk === undefined || at % 20 > 0 ? null : disk;
      const of = ([from, more]: readonly [number, number]): number => from + more * at;
      const all = [...this.state.agents.values()].map(({ id, name, state }): AgentUse => {
        const service = { ...none, name: "web", state: "up" as const, ports: [], limits: null, dataBytes: null };
        return {
          ...{ ...none, agent: id, name, state, limits: null, heldBy: [], memoryBytes: of(memory) },
          ...{ diskBytes: onDisk === null ? null : of(onDisk), diskBytesMax: null },
          shares: { memoryBytes: null, ...shares, diskBytes: onDisk === null ? null : (shares?.diskBytes ?? null) },
          ...{ services: [{ ...service, memoryBytes: of(web) }], others: none, keeper: none },
        };
      });
      const machine = { totalBytes: 16 * GiB, availableBytes: of(available) };
      this.seen.note(all, new Set(this.state.agents.keys()), { diskFreeBytes: of(free), memory: machine });
    }
  }

  warnings(): Warning[] {
    return warningsOf(this.state, this.seen, this.nowMs);
  }

  told(): string[] {
    return this.warnings().map(({ kind, what }) => `${kind}: ${what}`);
  }
}

test("[AU42] an agent that comes to its limit of memory is warned of, with when", () => {
  const world = new SeenWorld();
  const agent = world.old({ limits: { memoryBytes: GiB, cpu: null, processes: null, files: null } });
  world.look({ memory: [600 * MiB, 2 * MiB] });
  expect(world.warnings()).toMatchObject([{ kind: "memory", agent, service: null }]);
  expect(world.told()[0]).toMatch(/has all the memory that it may have in 38 minutes, if it goes on like this$/);
});

test("[AU42] an agent of which nobody said anything is warned of before it comes to its share of the machine", () => {
  const world = new SeenWorld();
  const agent = world.old();
  world.look({ memory: [600 * MiB, 2 * MiB], shares: { memoryBytes: GiB } });
  expect(world.warnings()).toMatchObject([{ kind: "memory", agent, service: null }]);
  expect(memoryMaxOf(world.state, world.agent(agent), world.seen)).toBe(GiB);
  const unbound = new SeenWorld();
  unbound.old();
  unbound.look({ memory: [600 * MiB, 2 * MiB] });
  expect(unbound.told()).toEqual([]);
});

test("[AU42] a service that comes to a limit of its own is warned of, by what this life of it used", () => {
  const world = new SeenWorld();
  const limits = { memoryBytes: GiB, cpu: null, processes: null, files: null };
  const agent = world.running([service("web", { limits })]);
  world.look({ web: [600 * MiB, 2 * MiB] });
  expect(world.warnings()).toMatchObject([{ kind: "memory", agent, service: "web" }]);
  expect(world.told()[0]).toMatch(/^memory: web has all the memory/);
  world.ended(agent, "web");
  world.pass(10_000);
  world.began(agent, "web");
  expect(world.told()).toEqual([]);
});

test("[AU42] an agent that takes all of the disk that it may is warned of, by what is said and by its share", () => {
  const limits = { memoryBytes: null, cpu: null, processes: null, files: null, diskBytes: GiB };
  const ways = [
    { spec: { limits }, share: null },
    { spec: {}, share: GiB },
  ];
  for (const { spec, share } of ways) {
    const world = new SeenWorld();
    const agent = world.old(spec);
    world.look({ disk: [400 * MiB, 0.75 * MiB], shares: { diskBytes: share } }, 600);
    expect(world.warnings()).toMatchObject([{ kind: "disk", agent }]);
    expect(world.told()[0]).toMatch(/takes all of the disk that it may in \d\d minutes, if it goes on like this$/);
  }
});

test("[AU42] a service that fails much more often than before is warned of", () => {
  const world = new SeenWorld();
  const agent = world.old();
  for (const _ of [1, 2]) world.seen.noteFailure(agent, "web");
  expect(world.told()).toEqual([]);
  world.seen.noteFailure(agent, "web");
  expect(world.warnings()).toMatchObject([{ kind: "restarts", agent, service: "web", inMs: null }]);
  expect(world.told()).toEqual(["restarts: web failed 3 times in the last hour, much more often than before"]);
  world.pass(hourMs);
  expect(world.told()).toEqual([]);
});

test("[AU42] the machine's disk and its memory are warned of, each with when it is full", () => {
  const world = new SeenWorld();
  world.look({ free: [1000 * MiB, -10 * MiB], available: [2000 * MiB, -20 * MiB] });
  expect(world.told()).toEqual([
    "disk: the disk that agents live on is full in 10 minutes, if it goes on like this",
    "memory: the memory of this machine is full in 10 minutes, if it goes on like this",
  ]);
  const roomy = new SeenWorld();
  roomy.look({ available: [14 * GiB, -20 * MiB] });
  expect(roomy.told()).toEqual([]);
});

test("[AU44] room for one more at most is told of templates that have several, by what those take", () => {
  const world = new SeenWorld();
  world.old();
  const tight = { memory: [GiB, 0], available: [1.5 * GiB, 0] } as const;
  world.look(tight);
  expect(world.told()).toEqual([]);
  const second = world.old();
  world.look(tight);
  expect(world.warnings()).toMatchObject([{ kind: "room", agent: null, template: "shop", inMs: null }]);
  expect(world.told()).toEqual([
    "room: there is room of memory for one more agent of shop as large as those that there are",
  ]);
  world.look({ ...tight, available: [GiB / 2, 0] });
  expect(world.told()[0]).toMatch(/^room: there is room of memory for no more agent of shop/);
  // It was there within the last ten minutes.
  world.look({ ...tight, available: [4 * GiB, 0] }, 1);
  world.look(tight, 5);
  expect(world.told()).toEqual([]);
  world.look(tight);
  world.ok({ type: "agent.remove", agent: second, force: false });
  world.ended(second, "web");
  world.gone(second);
  expect(world.told()).toEqual([]);
});

test("[AU42, AU44] what is foreseen is in the inbox, each once and with what helps", () => {
  const world = new SeenWorld();
  const agent = world.old();
  world.old();
  for (const _ of [1, 2, 3]) world.seen.noteFailure(agent, "web");
  const shares = { memoryBytes: 2 * GiB, diskBytes: null };
  world.look({ memory: [GiB, 10 * MiB], shares, available: [2 * GiB, -20 * MiB], free: [1000 * MiB, -10 * MiB] });
  const parts = { seen: world.seen, heldUp: { list: () => [] }, kept: { list: () => [] } };
  const items = toInbox(world.state, world.nowMs, besidesOf(parts, world.state, world.nowMs));
  const [one, two] = world.state.agents.values();
  const [first, second] = [one?.name, two?.name];
  const told = items.map(({ id, title, command }) => `${id} (${title}): ${command}`);
  expect(told.toSorted(compareText)).toEqual([
    `${agent}:memory (${first}): signalbox agent stats --history ${first}`,
    `${agent}:web:failures (${first}): signalbox agent stats --history ${first}`,
    `${two?.id}:memory (${second}): signalbox agent stats --history ${second}`,
    "disk (disk): signalbox disk",
    "memory (memory): signalbox agent stats",
    "room:shop (shop): signalbox agent stats",
  ]);
  expect(new Set(items.map(({ canBeSeen }) => canBeSeen))).toEqual(new Set([true]));
});

test("[SV13] a service that was ended for want of disk is told of, also where nobody said how much its agent may take", () => {
  const world = new SeenWorld();
  const agent = world.old();
  world.ended(agent, "web", { exit: "unknown", why: "out-of-disk", said: "" });
  const items = toInbox(world.state, world.nowMs);
  expect(items.find(({ id }) => id === `${agent}:quota`)).toMatchObject({
    what: "web was ended: it took more of the disk than its agent may, its share",
    command: `signalbox agent stats ${world.agent(agent).name}`,
  });
});
