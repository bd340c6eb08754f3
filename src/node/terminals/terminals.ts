// The terminals of this node: it sees that those in the log are open, tells the log how they end, and lets people in.

import { Fault } from "../../base/fault.ts";
import { usualPolicy, type ViewerPolicy } from "../../base/viewer-filter.ts";
import type { Act } from "../../core/acts.ts";
import type { Logged } from "../../core/events.ts";
import type { Input } from "../../core/inputs.ts";
import { isOver } from "../../core/run/run-states.ts";
import { viewerRulesOf } from "../../core/terminal/viewer-rules.ts";
import { ownerId } from "../../core/terminal/windows.ts";
import type { Terminal, TerminalOwner, TerminalWhy } from "../../core/terminal/terminal-events.ts";
import type { State } from "../../core/state.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CommandEnd, KeeperOp, ProcessesAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { TerminalScreenAnswer } from "../../protocol/keeper/terminal-wire.ts";
import type { Attach, TerminalWord } from "../../protocol/terminal-stream.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import type { Recordings } from "./recordings.ts";
import { programOf } from "./terminal-program.ts";
import { TerminalRoom } from "./terminal-room.ts";
import { TerminalViewer, type ViewerLink } from "./terminal-viewer.ts";

export type TerminalsOptions = {
  readonly recordings: Recordings;
  readonly clock: Clock;
  readonly onDefect: (error: unknown) => void;
};

export type TerminalsLink = {
  readonly state: () => State;
  readonly submit: (actor: string, input: Input) => Promise<{ readonly ok: boolean }>;
  /** The keeper of whoever has it. */
  readonly keeperOf: (owner: TerminalOwner) => Promise<KeeperLine>;
  /** Variables that their commands see. */
  readonly envOf: (owner: TerminalOwner) => Promise<Readonly<Record<string, string>>>;
  readonly closing: AbortSignal;
};

/** What somebody at a terminal can do. */
export type Seat = {
  readonly type: (number: number, bytes: Uint8Array) => void;
  readonly hear: (word: TerminalWord) => void;
  /** Who leaves for good leaves the keyboard; else it waits for them. */
  readonly leave: (how: { readonly forGood: boolean }) => void;
};

/** Somebody at a terminal, for as long as their connection lasts: also at the one that stands in for it. */
type Sitting = {
  room: TerminalRoom;
  viewer: TerminalViewer;
  readonly actor: string;
  /** They were told that it comes back, and wait. */
  isLed: boolean;
};

type TerminalAct = Extract<Act, { type: "terminal" }>;

const closeGraceMs = 1000;
const endings: ReadonlySet<string> = new Set([
  "ended",
  "stopped",
  "out-of-memory",
  "out-of-disk",
  "lost",
  "not-started",
]);

export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #rooms = new Map<string, TerminalRoom>();
  /** Settled when a terminal is open at its keeper, or has ended: it is in the log before it is either. */
  readonly #openings = new Map<string, PromiseWithResolvers<void>>();
  readonly #sittings = new Set<Sitting>();
  #link: TerminalsLink | undefined;

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  get recordings(): Recordings {
    return this.#options.recordings;
  }

  connect(link: TerminalsLink): void {
    this.#link = link;
  }

  /** Opens a terminal, or finds it open, and stays until it has ended. */
  async keep({ terminal: id }: TerminalAct): Promise<void> {
    const terminal = this.#of(id);
    const { state, closing, submit, envOf } = this.#mustLink();
    if (terminal === undefined || terminal.ended !== null || isGoing(state(), terminal.owner)) return;
    const report = async (end: Omit<Extract<Input, { type: "terminal.end" }>, "type" | "terminal">): Promise<void> => {
      await submit("system", { type: "terminal.end", terminal: id, ...end });
    };
    try {
      const keeper = await this.#keeperOf(id);
      const folder = await this.recordings.make(id);
      const { cols, rows } = terminal;
      const { argv, env } = programOf(terminal);
      await keeper.request({
        op: "terminal-open",
        terminal: id,
        argv,
        env: { ...(await envOf(terminal.owner)), ...env },
        cwd: null,
        cols,
        rows,
        folder,
      });
      this.#openingOf(id).resolve();
      const end = (await keeper.request({ op: "terminal-wait", terminal: id }, closing)) as CommandEnd;
      await report({ exit: end.exit, why: whyOf(end), bytes: end.outputBytes, message: null });
    } catch (error) {
      if (closing.aborted || state().terminals.get(id)?.ended !== null) return;
      if (!(error instanceof Fault) || error.retry !== "never") throw error;
      // Its keeper remembers that it was opened, and nothing else: another one had it.
      if (error.code === "unknown-call") await report({ exit: "unknown", why: "lost", bytes: 0, message: null });
      else await report({ exit: "unknown", why: "not-started", bytes: 0, message: error.message });
    }
  }

  /**
   * Ends one whose agent goes down: what else of that is to go waits for it. Whoever does not go is ended with everything else of
   * its agent, and holds nobody up.
   */
  async hangUp(id: string): Promise<void> {
    const { state, closing, submit } = this.#mustLink();
    if (state().terminals.get(id)?.ended !== null) return;
    const keeper = await this.#keeperOf(id);
    const ask = (op: KeeperOp): Promise<unknown> =>
      keeper.request(op, closing).catch((error: unknown) => {
        if (!(error instanceof Fault) || (error.code !== "unknown-call" && error.code !== "still-running")) throw error;
      });
    const closed = await ask({ op: "terminal-close", terminal: id, graceMs: closeGraceMs });
    const known = closed === undefined ? undefined : ((await ask({ op: "terminal-wait", terminal: id })) as CommandEnd);
    const end =
      known === undefined ? ({ exit: "unknown", bytes: 0 } as const) : { exit: known.exit, bytes: known.outputBytes };
    // Whoever waits for its end may have told it already.
    const why = known === undefined ? "stopped" : whyOf(known);
    await submit("system", { type: "terminal.end", terminal: id, ...end, why, message: null });
  }

  hear(event: Logged): void {
    if (event.type === "terminal.keyboard")
      void this.#rooms
        .get(event.terminal)
        ?.heardKeyboard()
        .catch((error: unknown) => this.#doubt(error));
    if (event.type === "terminal.forgotten") void this.forget().catch((error: unknown) => this.#doubt(error));
    if (event.type === "terminal.opened" && event.after !== undefined) this.#leadOn(event.after);
    if (event.type === "agent.moved" && event.to === "stopped") this.#leadOn();
    if (event.type !== "terminal.ended") return;
    this.#openings.get(event.terminal)?.resolve();
    this.#openings.delete(event.terminal);
    const { atMs, exit, why, bytes, message } = event;
    this.#rooms.get(event.terminal)?.ended({ atMs, exit, why, bytes, message });
  }

  /** What is left of terminals that nobody knows any more. */
  async forget(): Promise<void> {
    await this.recordings.sweep((terminal) => this.#of(terminal) !== undefined);
  }

  presentAt(terminal: string): { readonly name: string; readonly readOnly: boolean }[] {
    return this.#rooms.get(terminal)?.present ?? [];
  }

  /** Lets somebody in. Whatever they do there is done in their name. */
  attach(wish: Attach, link: ViewerLink, actor: string): Seat {
    const sitting = this.#seat(wish, link, actor);
    this.#sittings.add(sitting);
    this.#begin(sitting);
    return {
      type: (number, bytes) => this.#safely(sitting.room.type(sitting.viewer, number, bytes)),
      hear: (word) => this.#safely(sitting.room.hear(sitting.viewer, word)),
      leave: ({ forGood }) => this.#leave(sitting, forGood),
    };
  }

  #seat(wish: Attach, link: ViewerLink, actor: string): Sitting {
    const keeper = (): Promise<KeeperLine> => this.#openedAt(wish.terminal);
    const onOver = (viewer: TerminalViewer): void => {
      const sitting = [...this.#sittings].find((each) => each.viewer === viewer);
      if (sitting !== undefined) this.#over(sitting);
    };
    const policy = (): ViewerPolicy => this.#viewerPolicyOf(wish.terminal);
    const viewer = new TerminalViewer(wish, link, keeper, onOver, policy);
    return { room: this.#roomOf(wish.terminal, actor), viewer, actor, isLed: false };
  }

  /** What reaches beyond the window of whoever looks, as policies say now. */
  #viewerPolicyOf(id: string): ViewerPolicy {
    const state = this.#link?.state();
    const terminal = state?.terminals.get(id);
    return state === undefined || terminal === undefined ? usualPolicy : viewerRulesOf(state, terminal.owner);
  }

  #begin({ room, viewer }: Sitting, from?: TerminalRoom): void {
    this.#safely(room.join(viewer, from));
    this.#safely(viewer.run());
  }

  #safely(act: Promise<void>): void {
    void act.catch((error: unknown) => this.#doubt(error));
  }

  /** Says something to those who look; answers how many that are. Nothing of it is in the terminal. */
  say(terminal: string, name: string, text: string): number {
    const room = this.#rooms.get(terminal);
    room?.say(name, text);
    return room?.present.length ?? 0;
  }

  /** How many processes were started in it and are there, its own program among them. */
  async processes(terminal: string): Promise<number> {
    const answer = (await this.#ask(terminal, { op: "processes" })) as ProcessesAnswer;
    return answer.calls.find(({ call }) => call === terminal)?.processes.length ?? 0;
  }

  /** The lines that it shows now. */
  async lines(terminal: string): Promise<readonly string[]> {
    const answer = await this.#ask(terminal, { op: "terminal-screen", terminal, scrollback: 0 });
    return (answer as TerminalScreenAnswer).lines;
  }

  async close(terminal: string): Promise<void> {
    await this.#ask(terminal, { op: "terminal-close", terminal, graceMs: closeGraceMs });
  }

  async #ask(terminal: string, op: KeeperOp): Promise<unknown> {
    const keeper = await this.#openedAt(terminal);
    return keeper.request(op).catch((error: unknown) => {
      if (!(error instanceof Fault) || error.code !== "unknown-call") throw error;
      throw new Fault("terminal-lost", { retry: "never", cause: error, message: error.message });
    });
  }

  #roomOf(terminal: string, actor: string): TerminalRoom {
    const known = this.#rooms.get(terminal);
    if (known !== undefined) return known;
    const room = new TerminalRoom({
      terminal,
      state: () => this.#of(terminal),
      keeper: () => this.#openedAt(terminal),
      pass: async ({ viewer, name }, act, to) => {
        const other = to === undefined ? {} : { to: { viewer: to.viewer, name: to.name } };
        await this.#mustLink().submit(actor, { type: "terminal.keyboard", terminal, act, viewer, name, ...other });
      },
      setTimer: (ms, act) => this.#options.clock.setTimer(ms, act),
      wallMs: () => this.#options.clock.wallMs(),
    });
    this.#rooms.set(terminal, room);
    return room;
  }

  /** There is nothing more to show to a viewer: they hear how it ended, or are led to the one that stands in for it. */
  #over(sitting: Sitting): void {
    const { viewer } = sitting;
    if (viewer.hasLeft) return;
    // The log comes to know it from the same keeper, in a moment.
    if (!this.#tellOver(sitting)) sitting.room.onEnded(() => void (viewer.hasLeft || this.#tellOver(sitting)));
  }

  /** Answers whether it is known how it ended. */
  #tellOver(sitting: Sitting): boolean {
    const { room, viewer } = sitting;
    const terminal = this.#of(viewer.wish.terminal);
    const ended = terminal?.ended ?? room.end;
    if (ended === undefined) return false;
    if (terminal !== undefined && ended.why === "renewed") {
      const agent = this.#mustLink().state().agents.get(ownerId(terminal.owner));
      if (!sitting.isLed) viewer.link.tell({ comingBack: { because: ended.message ?? agent?.because ?? null } });
      sitting.isLed = true;
      if (terminal.heir !== null) this.#move(sitting, terminal.heir);
    } else {
      viewer.link.tell({ ended });
      viewer.link.close();
      this.#leave(sitting, true);
    }
    return true;
  }

  /** Another one stands in for a terminal, or none does after all: those who waited for it go on (TM25). */
  #leadOn(after?: string): void {
    for (const sitting of this.#sittings) {
      const { terminal } = sitting.viewer.wish;
      if (sitting.isLed && (after === undefined || terminal === after)) this.#tellOver(sitting);
    }
  }

  /** The same connection, the same person, another terminal. */
  #move(sitting: Sitting, terminal: string): void {
    const { room: from, viewer: before, actor } = sitting;
    const { wish, link, size } = before;
    from.hand(before);
    this.#forgetEmpty(from, wish.terminal);
    link.tell({ moved: { terminal } });
    const { room, viewer } = this.#seat({ ...wish, terminal, size, from: undefined, scrollback: 0 }, link, actor);
    Object.assign(sitting, { room, viewer, isLed: false } satisfies Partial<Sitting>);
    this.#begin(sitting, from);
  }

  #leave(sitting: Sitting, forGood: boolean): void {
    const { room, viewer } = sitting;
    this.#sittings.delete(sitting);
    room.leave(viewer, forGood);
    this.#forgetEmpty(room, viewer.wish.terminal);
  }

  #forgetEmpty(room: TerminalRoom, terminal: string): void {
    if (room.isEmpty && this.#rooms.get(terminal) === room) this.#rooms.delete(terminal);
  }

  /** The keeper of a terminal, when it knows the terminal. Whoever asks it sooner would hear that there is none. */
  async #openedAt(terminal: string): Promise<KeeperLine> {
    const keeper = await this.#keeperOf(terminal);
    if (this.#of(terminal)?.ended === null) await this.#openingOf(terminal).promise;
    return keeper;
  }

  #openingOf(terminal: string): PromiseWithResolvers<void> {
    const opening = this.#openings.get(terminal) ?? Promise.withResolvers<void>();
    this.#openings.set(terminal, opening);
    return opening;
  }

  async #keeperOf(terminal: string): Promise<KeeperLine> {
    const owner = this.#of(terminal)?.owner;
    if (owner === undefined)
      throw new Fault("not-found", { retry: "never", message: `there is no terminal ${terminal}` });
    return this.#mustLink().keeperOf(owner);
  }

  #of(terminal: string): Terminal | undefined {
    return this.#mustLink().state().terminals.get(terminal);
  }

  #doubt(error: unknown): void {
    if (!(error instanceof Fault) && !isOfTheWorld(error)) this.#options.onDefect(error);
  }

  #mustLink(): TerminalsLink {
    if (this.#link === undefined) throw new Error("the terminals are not connected");
    return this.#link;
  }
}

/** Of what is over or on its way down everything is being ended, and nothing is opened any more. */
function isGoing(state: State, owner: TerminalOwner): boolean {
  const id = ownerId(owner);
  if ("run" in owner) return isOver(state.runs.get(id)?.state ?? "done");
  const agent = state.agents.get(id);
  return agent === undefined || agent.state === "stopping";
}

function whyOf({ why }: CommandEnd): TerminalWhy {
  return endings.has(why) ? (why as TerminalWhy) : "stopped";
}
