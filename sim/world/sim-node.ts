// A machine that executes. It freezes, dies and comes back; its journal survives. It does what it is asked, as often as it
// is asked, and says so until somebody has heard it.

import type { Act } from "../../src/core/acts.ts";
import type { Input } from "../../src/core/inputs.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import type { Prng } from "../../src/base/prng.ts";
import type { Depot } from "./depot.ts";
import { SimAgents } from "./sim-agents.ts";
import type { Services } from "./services.ts";
import { SimDriver } from "./sim-driver.ts";
import { SimTerminals } from "./sim-terminals.ts";
import { SimLander } from "./sim-lander.ts";
import { enter, hasEntered, mayHaveLeft } from "./sim-entering.ts";
import { refresh, worksOf } from "./sim-refresh.ts";
import { findWorks, rewind } from "./sim-rewind.ts";
import { hasEnded, placeOf, rootOf } from "./run-model.ts";
import type { Ground } from "./ground.ts";
import type { LogModel } from "./log-model.ts";
import type { Presence, SimBus } from "./sim-bus.ts";
import type { Scheduler } from "./scheduler.ts";
import type { SimLink } from "./sim-link.ts";

export type NodeWorld = {
  readonly scheduler: Scheduler;
  readonly bus: SimBus;
  readonly ground: Ground;
  readonly model: LogModel;
  readonly prng: Prng;
  /** The place that checks fences, while the daemon is there. */
  readonly link: () => SimLink | undefined;
  readonly sometimes: (name: string) => void;
  readonly depot: Depot;
  /** Which runs work in living agents, and what services write there. */
  readonly lodging: Prng;
  /** Likewise, for what services die of. */
  readonly ills: Prng;
  /** Something happens at the worst moment of a landing. */
  readonly trouble: (node: SimNode) => void;
  /** Results that were brought home, by the act that asked for it. */
  readonly landings: Map<string, boolean>;
  readonly validations: Map<string, boolean>;
  /** Acts of stopping that were proven, by act. */
  readonly proofs: Set<string>;
  /** The processes of services. */
  readonly services: Services;
  /** Whether things still go wrong. */
  readonly isHurt: () => boolean;
};

/** What is known of a call after a crash: that it began, and if so how it ended. */
export type JournalEntry = {
  readonly ended: null | { readonly ok: boolean; readonly exit: number | "unknown" | null };
};

const beatEveryMs = 5000;

export class SimNode {
  readonly name: string;
  readonly world: NodeWorld;
  readonly journal = new Map<string, JournalEntry>();
  /** How often everything of a run was ended: a command of before is gone. */
  readonly ends = new Map<string, number>();
  /** How many messages of a run were worked on already. */
  readonly heeded = new Map<string, number>();
  readonly #drivers = new Map<string, SimDriver>();
  readonly #busy = new Set<string>();
  readonly #turns = new Map<string, ((release: () => void) => void)[]>();
  readonly #agents = new SimAgents(this);
  readonly #terminals = new SimTerminals(this);
  #epoch = 0;
  #up = true;
  #frozen = false;
  #thawed: (() => void)[] = [];

  constructor(name: string, world: NodeWorld) {
    this.name = name;
    this.world = world;
    this.#beatLater();
  }

  /** Whether a driver was let through the door and has not acted yet. */
  get isAboutToAct(): boolean {
    return [...this.#drivers.values()].some((driver) => driver.isAboutToAct);
  }

  get isUp(): boolean {
    return this.#up;
  }

  /**
   * Lets one look at a workspace and its report follow the other. Were a report overtaken by a newer one, the log would
   * take what was for what is.
   */
  alone(run: string, look: (release: () => void) => void): void {
    const known = this.world.model.runs.get(run);
    const place = known === undefined ? run : placeOf(this.world.model, known);
    const turns = this.#turns.get(place) ?? [];
    this.#turns.set(place, turns);
    const next = (): void => {
      const [first] = turns;
      if (first === undefined) return;
      const epoch = this.#epoch;
      first(() => {
        if (epoch !== this.#epoch || turns[0] !== first) return;
        turns.shift();
        next();
      });
    };
    turns.push(look);
    if (turns.length === 1) next();
  }

  /** Runs something later, unless the node dies before; a frozen node does it when it wakes. */
  after(delayMs: number, run: () => void): void {
    const epoch = this.#epoch;
    this.world.scheduler.after(delayMs, () => {
      if (epoch !== this.#epoch) return;
      if (this.#frozen) this.#thawed.push(run);
      else run();
    });
  }

  ask(input: Input, onOutcome: (outcome: Outcome) => void, actor = "system"): void {
    const epoch = this.#epoch;
    const presence = (): Presence => (epoch !== this.#epoch ? "gone" : this.#frozen ? "frozen" : "there");
    this.world.bus.ask({ actor, input }, { tries: Number.POSITIVE_INFINITY, onOutcome, presence });
  }

  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    if (!this.#frozen) return;
    this.#frozen = false;
    const waiting = this.#thawed;
    this.#thawed = [];
    for (const run of waiting) run();
  }

  /** Power is gone: drivers and processes with it. The journal stays. */
  crash(): void {
    this.#epoch++;
    this.#up = false;
    this.#frozen = false;
    this.#thawed = [];
    this.#drivers.clear();
    this.#busy.clear();
    this.#turns.clear();
    this.#agents.crash();
    this.#terminals.crash();
    this.world.ground.kill((deed) => deed.node === this.name);
  }

  boot(): void {
    if (this.#up) return;
    this.#up = true;
    this.#beatLater();
    this.#agents.boot();
    this.world.link()?.repeat(this);
  }

  nudge(run: string): void {
    if (this.#up && !this.#frozen) this.#drivers.get(run)?.nudge();
  }

  perform(act: Act): void {
    if (!this.#up) return;
    if (this.#frozen) {
      this.#thawed.push(() => this.perform(act));
      return;
    }
    const { world } = this;
    if (act.type === "drive") return this.#drive(act.run, act.family);
    if (this.#busy.has(act.id)) return;
    this.#busy.add(act.id);
    const forget = (): void => {
      this.#busy.delete(act.id);
      world.link()?.done(act);
    };
    const tell = (input: Input, release?: () => void): void => {
      this.ask(input, () => {
        forget();
        release?.();
      });
      // Somebody finds the report again, long after, and sends it once more.
      const isOutcome = act.type === "land" || act.type === "validate";
      if (isOutcome && world.prng.chance(0.2))
        this.after(world.prng.between(1000, 40_000), () => this.ask(input, () => undefined));
    };
    if ("agent" in act) return this.#agents.perform(act, tell, forget);
    if (act.type === "refresh") {
      const run = world.model.families.get(act.family)?.holder ?? act.family;
      const bring = (): void => this.alone(run, (release) => tell(refresh(world, act), release));
      return this.after(world.prng.between(0, 400), () => enter(this, run, bring));
    }
    if (act.type === "rewind") {
      return this.after(world.prng.between(0, 400), () =>
        this.alone(act.run, (release) =>
          this.ask(findWorks(world, act), (outcome) => {
            if (outcome.ok) return tell(rewind(world, act), release);
            // It comes late: the workspace went back already, and its run has gone on.
            forget();
            release();
          }),
        ),
      );
    }
    if (act.type === "terminal") return this.#terminals.keep(act.terminal, tell);
    if (act.type === "hang-up") return this.#terminals.hangUp(act.terminal, tell);
    if (act.type === "stop") {
      this.end(act.run);
      world.proofs.add(act.id);
      return this.alone(act.run, (release) => {
        const run = world.model.runs.get(act.run);
        // What nobody has looked at is reported with the proof (LD38).
        const isThere = run !== undefined && !run.removed && mayHaveLeft(world.model, run);
        const works = isThere ? worksOf(world, act.run) : [];
        if (works.some(({ base, work }) => base !== work)) world.sometimes("unseen changes at the end");
        tell({ type: "run.stopped", run: act.run, act: act.id, works }, release);
      });
    }
    if (act.type === "land") {
      const chance = (probability: number): boolean => world.prng.chance(probability);
      const lander = new SimLander({ ...world, chance, trouble: () => world.trouble(this) }, this, act, (input) =>
        input === undefined ? forget() : tell(input),
      );
      return this.after(world.prng.between(10, 1500), () => lander.start());
    }
    this.after(world.prng.between(10, 3000), () => {
      const ok = this.#outcome(act);
      const message = ok ? "" : "it did not work";
      tell({ type: "run.validated", run: act.run, ok, message, act: act.id });
    });
  }

  /** Ends whatever this node does for a run. */
  end(run: string): void {
    this.ends.set(run, (this.ends.get(run) ?? 0) + 1);
    this.#drivers.get(run)?.kill();
    this.#drivers.delete(run);
    this.world.ground.kill((deed) => deed.run === run && deed.node === this.name);
  }

  /** A driver found out that its family is over: the run comes back as a new one, once the old one is gone. */
  back(run: string): void {
    const { model } = this.world;
    const known = model.runs.get(run);
    const root = known === undefined ? run : rootOf(model, known).id;
    for (const each of model.runs.values()) if (rootOf(model, each).id === root) this.end(each.id);
    if (this.#busy.has(`back:${root}`)) return;
    this.#busy.add(`back:${root}`);
    this.ask({ type: "run.back", run: root }, () => this.#busy.delete(`back:${root}`));
  }

  /** The run may have gone on before its driver heard that its last word was taken; then nobody else would take it up. */
  driveAgain(id: string, family: string): void {
    if (this.world.model.runs.get(id)?.state === "running") this.#drive(id, family);
  }

  #drive(id: string, family: string): void {
    const known = this.#drivers.get(id);
    const run = this.world.model.runs.get(id);
    if (run === undefined || hasEnded(run) || run.family !== family) return;
    if (known !== undefined && known.family === family && !known.isOver) return known.nudge();
    if (!hasEntered(this.world.model, run)) return this.#enterFirst(id, family);
    known?.kill();
    const driver = new SimDriver(this, run);
    this.#drivers.set(id, driver);
    driver.start();
  }

  #enterFirst(id: string, family: string): void {
    const name = `enter:${id}`;
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    enter(this, id, () => {
      this.#busy.delete(name);
      this.#drive(id, family);
    });
  }

  /** Doing it again gives the same. */
  #outcome(act: Act & { type: "validate" }): boolean {
    const { validations, prng } = this.world;
    const ok = validations.get(act.id) ?? !prng.chance(0.15);
    validations.set(act.id, ok);
    return ok;
  }

  #beatLater(): void {
    this.after(beatEveryMs, () => {
      this.#beatLater();
      this.#beat();
    });
  }

  #beat(): void {
    const live = [...this.#drivers.values()].filter((driver) => !driver.isOver);
    // A run whose driver is gone has nobody who could find out; the others learn it from the answer.
    for (const run of this.world.model.runs.values()) {
      const isMine = run.node === this.name && run.lost && !run.sub && !hasEnded(run);
      if (isMine && !live.some((driver) => driver.family === run.family)) this.back(run.id);
    }
    const families = [...new Set(live.map((driver) => driver.family))];
    if (families.length === 0) return;
    const input = { type: "node.beat", node: this.name, families } as const;
    const epoch = this.#epoch;
    const onOutcome = (outcome: Outcome): void => {
      if (epoch !== this.#epoch || !outcome.ok || outcome.value.of !== "beat") return;
      for (const family of outcome.value.expired) {
        for (const driver of live) if (driver.family === family && !driver.isOver) this.back(driver.run);
      }
    };
    const presence = (): Presence => (epoch !== this.#epoch ? "gone" : this.#frozen ? "frozen" : "there");
    this.world.bus.ask({ actor: "system", input }, { tries: 1, onOutcome, presence });
  }
}
