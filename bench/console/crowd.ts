// A crowd for the console to show: living agents, runs at work and runs long over, and a log of all that they did. The
// engine is the real one; nobody acts on what it decides, so that a thousand agents fit on any machine.

import { assert } from "../../src/base/assert.ts";
import { restartDefaults, type ServiceSpec, stopDefaults } from "../../src/core/agent/agent-spec.ts";
import { agentOf, serviceOf } from "../../src/core/agent/agent-state.ts";
import type { Answer, Input, SubmitRun } from "../../src/core/inputs.ts";
import { runOf, type State } from "../../src/core/state.ts";
import type { Engine } from "../../src/engine/engine.ts";

export type CrowdSize = {
  readonly agents: number;
  readonly runs: number;
  /** Of these runs, so many are at work. */
  readonly atWork: number;
  /** The log has at least so many. */
  readonly events: number;
};

const projectNames = ["atlas-api", "storefront", "infra", "mobile", "search", "billing", "docs", "edge"] as const;
const verbs = ["Cache", "Trace", "Split", "Rename", "Rate-limit", "Retry", "Document", "Test"] as const;
const things = [
  "the session lookup",
  "outgoing calls",
  "the cart badge",
  "checkout",
  "the edge nodes",
  "old shims",
] as const;
const folders = ["api", "cart", "checkout", "edge", "lib", "search"] as const;
/** Of those at work so many have one that waits for what another one holds. */
const waitEvery = 10;
/** Inputs under way at once while the crowd comes together. */
const inFlight = 400;
const firstPort = 20_000;
const ports = 40_000;

const web: ServiceSpec = {
  ...{ name: "web", kind: "application", argv: ["npm", "start"], cwd: null, env: {}, needs: [] },
  ...{ ports: ["http"], restart: restartDefaults, stop: stopDefaults },
  health: { kind: "tcp", port: "http", intervalMs: 1000, timeoutMs: 500, retries: 3, startPeriodMs: 5000 },
};
const worker: ServiceSpec = { ...web, name: "worker", ports: [], health: null };

export class Crowd {
  readonly agents: string[] = [];
  /** Runs that are at work, each with a file that it holds. */
  readonly atWork: string[] = [];
  /** Runs that wait for a file of one of those. */
  readonly waiting: string[] = [];
  readonly #engine: Engine;
  readonly #projects: string[] = [];
  #made = 0;
  #ended = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get state(): State {
    return this.#engine.state;
  }

  async gather({ agents, runs, atWork, events }: CrowdSize): Promise<void> {
    const rules = { maxAgents: agents, maxConcurrent: runs };
    await this.give({ type: "policy.set", policy: { name: "room", priority: 0, enabled: true, scope: {}, rules } });
    for (const name of projectNames) this.#projects.push(await this.#addProject(name));
    await inTurns(agents, (at) => this.#addAgent(at));
    const over = runs - atWork;
    await inTurns(over, async () => this.end(await this.begin(1)));
    const waiting = Math.floor(atWork / waitEvery);
    await inTurns(atWork - waiting, async () => void this.atWork.push(await this.begin(1)));
    // Those in front are left alone by the bustle: who waits for them waits until the end.
    await inTurns(waiting, async (at) => this.waitFor(this.atWork[at % Math.ceil(waiting / 2)] ?? ""));
    // What is missing to the length of the log is said by those at work.
    await inTurns(Math.max(0, events - this.state.seq) / 3, (at) => this.work(this.atWork[at % atWork] ?? ""));
  }

  /** A run that has begun, with a file that it has changed and so many calls behind it. */
  async begin(calls: number): Promise<string> {
    const number = this.#made++;
    const run = await this.#submit(number, this.#projectOf(number));
    await this.#write(run, `src/${folders[number % folders.length]}/part-${number}.ts`);
    for (let call = 0; call < calls; call++) await this.work(run);
    return run;
  }

  /** One more run, which wants what another one has. */
  async waitFor(holder: string): Promise<void> {
    const { project, workspace } = runOf(this.state, holder);
    const [path] = workspace.dirty.keys();
    assert(path !== undefined, "whoever is waited for has changed something");
    const run = await this.#submit(this.#made++, project);
    await this.#ask(run, path);
    this.waiting.push(run);
  }

  async #submit(number: number, project: string): Promise<string> {
    const title = `${verbs[number % verbs.length]} ${things[number % things.length]} ${number}`;
    const run = idOf(await this.give({ ...plainRun, title, project, tags: tagsOf(number) }));
    await this.give({ type: "run.driven", run, family: this.#familyOf(run) }, "system");
    return run;
  }

  /** A file is claimed, brought in step and written. */
  async #write(run: string, path: string): Promise<void> {
    const call = await this.#ask(run, path);
    const claim = runOf(this.state, run).call?.claim ?? "";
    const nothing = { bases: {}, works: [], conflicts: [], moved: [] } as const;
    await this.give({ type: "lease.refreshed", claim, commit: "0".repeat(40), ...nothing }, "system");
    const works = [{ path, base: null, work: `100644:${hashOf(this.state.seq)}` }];
    const done = {
      ok: true,
      exit: null,
      summary: `wrote ${path}`,
      changed: [{ path, bytes: 100 }],
      works,
      output: null,
    };
    await this.give({ type: "call.finish", ...call, ...done }, `agent:${run}`);
  }

  async #ask(run: string, path: string): Promise<{ run: string; family: string; call: number }> {
    const call = { run, family: this.#familyOf(run), call: runOf(this.state, run).callsDone };
    const asked = { tool: "write", units: [`file:${path}`], bytes: 100, other: null } as const;
    await this.give({ type: "call.begin", ...call, ...asked }, `agent:${run}`);
    return call;
  }

  /** One call, from the door and back: three events. */
  async work(run: string): Promise<void> {
    const about = { run, family: this.#familyOf(run), call: runOf(this.state, run).callsDone };
    const asked = { tool: "read", units: [], bytes: 0, other: null } as const;
    await this.give({ type: "call.begin", ...about, ...asked }, `agent:${run}`);
    const done = { ok: true, exit: null, summary: "read src/app.ts", changed: [], works: [], output: null };
    await this.give({ type: "call.finish", ...about, ...done }, `agent:${run}`);
  }

  /** Ends a run in one of the ways in which runs end. */
  async end(run: string): Promise<void> {
    const number = this.#ended++ % 10;
    const ok = number > 0;
    const message = ok ? "" : "npm test ended with exit 1";
    if (number === 1) {
      const select = { by: "run", run } as const;
      await this.give({ type: "run.terminate", select, because: "not wanted any more" });
    } else await this.give({ type: "run.finish", run, family: this.#familyOf(run), ok, message }, `agent:${run}`);
    if (this.state.runs.get(run)?.state === "validating")
      await this.give({ type: "run.validated", run, ok: true, message: "" }, "system");
    if (this.state.runs.get(run)?.state === "landing") await this.#land(run);
    await this.give({ type: "run.stopped", run, works: [] }, "system");
  }

  /** What was approved becomes mainline's, and the person's. */
  async #land(run: string): Promise<void> {
    const { project, approved } = runOf(this.state, run);
    const commit = hashOf(this.state.seq);
    const entries = (approved ?? []).map(({ path, entry }) => ({ path, entry }));
    const how = { how: "landed", commit, entries, tested: "passed", merged: [] } as const;
    await this.give({ type: "run.landed", run, ...how }, "system");
    await this.give({ type: "mainline.publish", project, commit, not: null }, "system");
  }

  /** A run is paused, or goes on again. */
  async toggle(run: string): Promise<void> {
    const type = runOf(this.state, run).state === "paused" ? "run.resume" : "run.pause";
    await this.give({ type, run });
    if (runOf(this.state, run).state === "starting")
      await this.give({ type: "run.driven", run, family: this.#familyOf(run) }, "system");
  }

  /** An agent's server is stopped, or started again. */
  async flip(agent: string): Promise<void> {
    const service = "web";
    const { life, state } = serviceOf(agentOf(this.state, agent), service);
    if (state === "up") {
      await this.give({ type: "service.stop", agent, service });
      const end = { exit: 143, why: "stopped", said: "" } as const;
      await this.give({ type: "service.ended", agent, service, life, end }, "system");
    } else {
      await this.give({ type: "service.start", agent, service });
      await this.#bringUp(agent, service);
    }
  }

  /** Somebody outside holds a unit, and gives it back. */
  async hold(number: number): Promise<void> {
    const how = { priority: 0, key: null, mode: "try", ttlMs: 600_000, waitMs: null } as const;
    const units = [`file:src/part-${number % 97}.ts`];
    const project = this.#projectOf(number);
    const answer = await this.give({ type: "claim.make", project, as: `person-${number % 7}`, units, ...how });
    if (answer.of === "claim" && answer.claim.state === "granted")
      await this.give({ type: "lease.release", claim: answer.claim.claim, units: null });
  }

  /** What its node says of all of them, now and then: whoever is not heard of loses what they hold. */
  async beat(): Promise<void> {
    await this.give({ type: "node.beat", node: "local", families: [...this.state.table.families.keys()] }, "system");
  }

  async give(input: Input, actor = "person:eva"): Promise<Answer> {
    return new Promise((resolve, reject) =>
      this.#engine.submit({ actor, input }, (outcome) => {
        if (outcome.ok) resolve(outcome.value);
        else reject(new Error(`${input.type} was refused: ${JSON.stringify(outcome.refusal)}`));
      }),
    );
  }

  async #addProject(name: string): Promise<string> {
    const source = { kind: "git", branch: "main", author: { name: "Eva", email: "eva@example.org" } } as const;
    const about = { name, root: `/srv/${name}`, foldCase: false, processes: {}, landingTest: null };
    return idOf(await this.give({ type: "project.add", ...about, source, commit: "0".repeat(40) }));
  }

  async #addAgent(at: number): Promise<void> {
    const spec = { template: "shop", env: {}, services: [web, worker], faces: [] } as const;
    const offered = [firstPort + (at % ports)];
    const about = { name: null, project: this.#projectOf(at), node: "local" };
    const answer = await this.give({ type: "agent.create", ...about, spec, offered });
    const [agent] = answer.of === "ids" ? answer.ids : [];
    assert(agent !== undefined, "making an agent is answered by its id");
    await this.give({ type: "agent.made", agent, life: agentOf(this.state, agent).life }, "system");
    for (const service of ["web", "worker"]) await this.#bringUp(agent, service);
    this.agents.push(agent);
  }

  /** Says for the node that a service has begun, and that it is well where it can be asked. */
  async #bringUp(agent: string, service: string): Promise<void> {
    const { life, spec } = serviceOf(agentOf(this.state, agent), service);
    await this.give({ type: "service.began", agent, service, life }, "system");
    const well = { healthy: true, what: "it answers" };
    if (spec.health !== null) await this.give({ type: "service.judge", agent, service, life, ...well }, "system");
  }

  #projectOf(number: number): string {
    return this.#projects[number % this.#projects.length] ?? "";
  }

  #familyOf(run: string): string {
    return runOf(this.state, run).family;
  }
}

const plainRun: Omit<SubmitRun, "project" | "title" | "tags"> = {
  ...{ type: "run.submit", description: "", acceptance: null, runner: "script", profile: null, node: "local" },
  ...{ priority: 0, plan: [], dependsOn: [], script: null, parent: null, sub: false, key: null },
};

function tagsOf(number: number): string[] {
  return number % 5 === 0 ? ["nightly"] : [];
}

function hashOf(number: number): string {
  return number.toString(16).padStart(40, "0");
}

function idOf(answer: Answer): string {
  assert(answer.of === "id", "what is made is answered by its id");
  return answer.id;
}

/** Does something so many times, some at once. */
async function inTurns(times: number, once: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < times) await once(next++);
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, times) }, loop));
}
