// One stretch of a run's work with its assistant: from where it was left to its result. A program that has to wait for
// people or for others is let go, costs nothing meanwhile, and is taken up again in its conversation.

import { mayUse, modelOf } from "../../core/profile/profile.ts";
import type { FailureClass } from "../../core/run/failure.ts";
import type { AssistantJob, HeardInFull, Talk, WishOutcome } from "../../ports/assistant.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Door, RunnerJob, RunnerNews, StopSignal } from "../../ports/runner.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import { Absence } from "./absence.ts";
import type { Surroundings } from "./assistant-runner.ts";
import { Deaths } from "./deaths.ts";
import { failureOf } from "./failure-of.ts";
import { readConventions, toBefore, toFirstPrompt, toNextPrompt, toParts, toPlaced } from "./first-prompt.ts";
import type { GrowingSpeech } from "./growing-speech.ts";
import { howItEnded, leftTurn, type Turn } from "./how-it-ended.ts";
import { toKept, withNames } from "./keep-whole.ts";
import { isLaidOut, layOut } from "./lay-out.ts";
import type { NativeHands } from "./native-hands.ts";
import { aboutMark, markOf, PeoplesWords, personSays, toAnswered } from "./peoples-words.ts";
import { type Line, type Program, programsOf } from "./program.ts";
import { toServers } from "./tool-servers.ts";

export type ConversationOptions = {
  readonly clock: Clock;
  readonly around: Surroundings;
  readonly job: RunnerJob;
  readonly door: Door;
  /** What a person had answered to its last question when its door was opened, and nobody was told; null is nothing. */
  readonly answered: () => string | null;
  /** For tools of its own. */
  readonly hands: NativeHands;
  /** What it is just saying. */
  readonly speech: GrowingSpeech;
  readonly held: string;
  readonly signal: StopSignal;
};

/** How long it may still speak after its last word was taken. */
const partingMs = 5000;
const stopGraceMs = 2000;
/** How much of its last words whoever takes over is told. */
const saidCharsMax = 4000;

export class Conversation {
  readonly #options: ConversationOptions;
  readonly #door: Door;
  readonly #reading = new AbortController();
  /** What it has said up to there and nobody has recorded. */
  readonly #unrecorded: HeardInFull[] = [];
  /** What it has to hear when it is taken up next. */
  readonly #news: string[] = [];
  readonly #words: PeoplesWords;
  #program: Program | undefined;
  #talk: Talk | undefined;
  /** Until it is known whether its program is there: one that is hears by the door what was answered. */
  #isFinding = true;
  /** Set until the talk stands where an earlier daemon left it. */
  #isCatchingUp = false;
  #lastTurn: Turn | undefined;
  /** It was there when a daemon went away, and whatever its model was saying then with it. */
  #wasCutOff = false;
  #life: number;
  #upTo = 0;
  #session: string | null;
  readonly #absence: Absence;
  #lettingGo: Promise<unknown> | undefined;
  /** The last program that was; it may still be there for a moment. */
  #letGo: Program | undefined;
  /** A person wants to be heard at once: it has to leave what it is doing first. */
  #isToLeave = false;
  /** It was told to leave what it is doing, and has not ended that. */
  #isLeaving = false;
  /** It was ended because it had to leave what it was doing. */
  #hasLeft = false;
  /** Turns that it has begun, or was told to, and not ended. */
  #owes = 0;
  readonly #deaths: Deaths;
  /** What tools of its own have asked for and is being done. */
  readonly #wishes = new Set<string>();
  /** The last that it said. */
  #said: readonly string[] = [];

  constructor(options: ConversationOptions) {
    const { job, signal } = options;
    this.#options = options;
    this.#door = options.door;
    this.#life = job.heard?.life ?? 0;
    this.#words = new PeoplesWords(job.messages, job.told);
    this.#owes = job.heard?.owes ?? 0;
    this.#session = job.session;
    this.#deaths = new Deaths(options.clock);
    this.#absence = new Absence(options.clock, job.away, () => {
      this.#letGo = this.#program;
      this.#lettingGo = this.#program?.stop(stopGraceMs).catch(() => undefined);
    });
    signal.addEventListener("abort", () => this.#end(), { once: true });
    if (signal.aborted) this.#end();
    job.listen((news) => this.#hearNews(news));
  }

  /** Talks until the run has its result. */
  async hold(): Promise<void> {
    let isFound = await this.#find();
    this.#isFinding = false;
    if (isFound) this.#news.length = 0;
    else if (this.#news.length === 0) this.#news.push(...toAnswered(this.#options.answered()));
    this.#absence.takeUp(isFound);
    while (!this.#reading.signal.aborted) {
      if (!isFound && this.#absence.over !== undefined) {
        await this.#absence.over;
        continue;
      }
      if (!isFound && !(await this.#mayBegin())) return;
      if (!isFound) await this.#begin();
      isFound = false;
      const end = await this.#listen().catch((error: unknown) => {
        if (this.#reading.signal.aborted) return "over" as const;
        throw error;
      });
      if (end === "over") return;
      if (this.#absence.over !== undefined) continue;
      const often = this.#hasLeft ? null : this.#deaths.note({ owes: this.#owes > 0 });
      if (often === null) continue;
      await this.#fail("crashed", `ended by itself: ${howItEnded(end)}${often}`);
      return;
    }
  }

  /** Its last word was taken: it may finish its sentence. */
  async partSoon(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#options.clock.setTimer(partingMs, resolve);
      this.#reading.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await this.#part();
  }

  /** Whether the program of an earlier life goes on; then it is listened to from where it was left. */
  async #find(): Promise<boolean> {
    const { heard, handed } = this.#options.job;
    if (heard === null) return false;
    const [program, ...others] = this.#programsOf(heard.life);
    // It is the program of whoever worked before, or is spoken to in another way than now.
    const foreign = heard.life <= (handed?.lives ?? 0) ? [program, ...others] : others;
    for (const each of foreign) if (await each.isRunning()) await each.stop(stopGraceMs);
    if (foreign.includes(program) || !(await program.isRunning())) return false;
    this.#talk = this.#options.around.assistant.talk(await this.#job());
    this.#program = program;
    this.#upTo = heard.upTo;
    this.#owes = heard.owes;
    this.#isCatchingUp = heard.upTo > 0;
    this.#wasCutOff = true;
    return true;
  }

  /** Without anybody who pays, its program would ask in vain, some of them for minutes: that is said at once. */
  async #mayBegin(): Promise<boolean> {
    const { whyUnpaid } = this.#options.around;
    if (whyUnpaid === null) return true;
    this.#life++;
    await this.#fail("auth", `auth: ${whyUnpaid}`);
    return false;
  }

  async #begin(): Promise<void> {
    const { keeper, assistant, file, home } = this.#options.around;
    this.#program = undefined;
    this.#hasLeft = false;
    this.#isLeaving = false;
    // What waited for a turn of its own when the last life ended was never heard.
    this.#words.takeBack(Math.max(0, this.#owes - 1));
    await this.#checkSession();
    const job = await this.#job();
    // What is said from now on is not in it.
    this.#words.tellAll();
    this.#life++;
    this.#upTo = 0;
    this.#owes = 1;
    const { args, env, files, cwd } = assistant.begin(job);
    const [program] = this.#programsOf(this.#life);
    this.#talk = assistant.talk(job);
    await layOut(keeper, `${program.call}-files`, home, files);
    const all = { ...this.#options.job.beside.env, ...env };
    await program.begin([file, ...args], { env: all, cwd: cwd === "home" ? home : null, onMachine: true });
    await program.write(this.#talk.open(), "open");
    if (assistant.isOnce === true) await program.endInput();
    this.#program = program;
    this.#news.length = 0;
    await this.#record();
    // With the new life in the log nobody comes back to the one before.
    for (const before of this.#programsOf(this.#life - 1)) await before.forget();
  }

  /** Without its own files it cannot find its conversation: then it begins anew, and is told everything. */
  async #checkSession(): Promise<void> {
    const { around, job } = this.#options;
    if (this.#session === null || this.#life !== (job.heard?.life ?? 0)) return;
    if (!(await isLaidOut(around.keeper, `${job.run}-home-${this.#life}`, around.home))) this.#session = null;
  }

  #programsOf(life: number): [Program, Program] {
    const { keeper, assistant } = this.#options.around;
    return programsOf(keeper, { run: this.#options.job.run, life, isOnce: assistant.isOnce === true });
  }

  async #job(): Promise<AssistantJob> {
    const { around, job } = this.#options;
    const { assistant, home, door, relay } = around;
    const usual = assistant.chooses === true ? (around.presets.smart ?? null) : null;
    const model = modelOf(job.settings, assistant.name, around.presets) ?? usual;
    const anew = await this.#firstPrompt();
    const session = this.#session;
    const prompt = session === null ? anew : this.#nextPrompt();
    const tools = job.settings?.tools ?? "door";
    const subagents = mayUse(job.settings, "start_subrun");
    const servers = toServers(job.settings, relay);
    return { prompt, anew, session, model, tools, subagents, home, door, relay, servers };
  }

  async #firstPrompt(): Promise<string> {
    const { job, held } = this.#options;
    const { title, description, acceptance, attachments, scope, plan } = job;
    const { services } = job.beside;
    const conventions = await readConventions(this.#options.around.keeper);
    const messages = [...this.#words.all, ...this.#news];
    const parts = toParts(job.settings, this.#mark);
    const before = toBefore(job);
    return toFirstPrompt({
      ...{ title, description, acceptance, attachments, scope, plan, parts, conventions, messages, before, services },
      held: held.split("\n").filter((line) => !line.startsWith(`${job.run} `)),
    });
  }

  #nextPrompt(): string {
    const { job } = this.#options;
    const said = this.#words.unsure.map((text) => `A person says: ${text}`);
    const { sentBack } = job;
    const isTakenUp = this.#life === (job.heard?.life ?? 0);
    const isBack = sentBack !== null && isTakenUp && !this.#words.all.includes(sentBack);
    const back = isBack ? [`Your result was sent back: ${sentBack}`] : [];
    // It hears it with the word that it was continued with, and once.
    const placed = isTakenUp && said.length > 0 ? toPlaced(job.placed) : [];
    // Whoever began the conversation may have been spoken to in another way, and was told of no mark.
    const mark = isTakenUp && this.#mark !== null ? [aboutMark(this.#mark)] : [];
    return [toNextPrompt([...back, ...said, ...placed, ...this.#news]), ...mark].join("\n\n");
  }

  /** Hears it until its run has its result, or it has ended. */
  async #listen(): Promise<"over" | CommandEnd> {
    const program = this.#program;
    if (program === undefined) return "over";
    // What an earlier daemon heard is heard again, to know where the talk stands.
    const known = this.#upTo;
    const { speech } = this.#options;
    speech.end();
    for await (const lines of program.read(0, this.#reading.signal)) {
      const items = await this.#hear(program, lines, known);
      if ((lines.at(-1)?.end ?? 0) < known) continue;
      this.#session = items.findLast((item) => item.is === "session")?.session ?? this.#session;
      if (items.some((item) => item.is === "message" || item.is === "tool")) this.#deaths.noteWord();
      this.#said = [...this.#said, ...items.flatMap((item) => (item.is === "message" ? [item.text] : []))].slice(-2);
      const hasTurn = items.some((item) => item.is === "turn");
      this.#isLeaving &&= !hasTurn;
      if (items.length > 0) await this.#record();
      speech.publish();
      // An earlier daemon may have heard the end of a turn, and have ended itself before it drew its conclusion.
      const isNews = hasTurn || (this.#isCatchingUp && this.#owes === 0);
      this.#isCatchingUp = false;
      const last = this.#lastTurn;
      if (isNews && last !== undefined && (await this.#afterTurn(last)) === "over") return "over";
      await this.#passOn();
      this.#serve(program);
    }
    speech.end();
    await this.#lettingGo;
    const end = await program.ended(this.#reading.signal);
    if (this.#hasLeft && this.#owes > 0) {
      this.#owes = 0;
      // One beyond its last byte: its end was heard, too.
      this.#upTo++;
      this.#unrecorded.push(leftTurn);
      await this.#record();
    }
    return end;
  }

  /** What lines mean that nobody has heard; what they want written is written once, however often they are read. */
  async #hear(program: Program, lines: readonly Line[], known: number): Promise<HeardInFull[]> {
    const items: HeardInFull[] = [];
    for (const { text, end } of lines) {
      const { heard, pieces = [], write, joined = 0 } = this.#talk?.read(text) ?? { heard: [], write: "" };
      this.#options.speech.take(heard, pieces);
      this.#lastTurn = heard.findLast((item) => item.is === "turn") ?? this.#lastTurn;
      if (end <= known) continue;
      if (write !== "") await program.write(write, `at-${end}`);
      // It begins where the one before it ended.
      if (heard.length > 0) this.#words.confirm(this.#upTo);
      const named = withNames(heard, { life: this.#life, end });
      items.push(...named);
      this.#unrecorded.push(...named);
      this.#owes = Math.max(0, this.#owes - joined - heard.filter((item) => item.is === "turn").length);
      this.#upTo = end;
    }
    return items;
  }

  async #afterTurn(turn: Turn): Promise<"over" | "goes on"> {
    if (this.#owes > 0 || this.#absence.over !== undefined) return "goes on";
    if (this.#door.isFinished) {
      await this.#part();
      return "over";
    }
    if (turn.why === "forgot" && this.#session !== null) {
      // It begins anew, and is told everything.
      this.#session = null;
      await this.#program?.stop(stopGraceMs);
      return "goes on";
    }
    // What it could not hear in the middle of the turn, it hears now.
    await this.#passOn();
    // People have said something that this life of the program cannot hear.
    const isForNextLife = this.#options.around.assistant.isOnce === true && this.#words.fresh.length > 0;
    if (this.#owes > 0 || isForNextLife) return "goes on";
    if ((turn.why === "error" || turn.why === "outage") && this.#wasCutOff) {
      this.#wasCutOff = false;
      await this.#tell(toNextPrompt([]));
      return "goes on";
    }
    if (!turn.ok) {
      const kind = failureOf(turn.why, this.#options.around.lastNo());
      await this.#fail(kind, `${kind}: ${turn.text}`, turn.text);
    } else {
      const answer = await this.#door.finish(true, turn.text, { unlessSaid: this.#words.given });
      if (!answer.ok && answer.code === "unheard") {
        // Somebody has said something while its result was looked at.
        await this.#passOn();
        return "goes on";
      }
      if (!answer.ok) {
        // Something is still open; it should know, and go on.
        await this.#tell(`The run cannot be finished yet: ${answer.message}`);
        return "goes on";
      }
    }
    await this.#part();
    return "over";
  }

  /** Does what tools of its own ask for, however long that takes. */
  #serve(program: Program): void {
    const hooks = this.#talk?.hooks;
    if (hooks === undefined) return;
    for (const wish of hooks.open()) {
      // The program of the next life may count its requests from the beginning again.
      const name = `${program.call} ${wish.id}`;
      if (this.#wishes.has(name)) continue;
      this.#wishes.add(name);
      const isThere = (): boolean =>
        this.#talk?.hooks === hooks && this.#letGo !== program && hooks.open().some(({ id }) => id === wish.id);
      const tell = async (outcome: WishOutcome): Promise<boolean> => {
        // Who drives the run next is asked again, and answers.
        if (this.#reading.signal.aborted) return false;
        return program.write(hooks.answer(wish.id, outcome), `hook-${wish.id}`);
      };
      void this.#options.hands
        .serve(wish, { isThere, tell })
        .catch(() => undefined)
        .finally(() => this.#wishes.delete(name));
    }
  }

  /** It cannot go on. Whether it is tried again, or somebody else takes over, is decided elsewhere. */
  async #fail(kind: FailureClass, what: string, complaint = ""): Promise<void> {
    const { around } = this.#options;
    const { assistant } = around;
    const retryAfterMs = around.lastNo()?.retryAfterMs ?? null;
    // Some say the error as if it were a word of theirs.
    const said = this.#said.findLast((text) => text !== complaint)?.slice(0, saidCharsMax) ?? "";
    const about = { runner: assistant.name, life: this.#life, retryAfterMs, said };
    await this.#door.finish(false, `${assistant.name}: ${what}`, { failure: { class: kind, ...about } });
  }

  #hearNews(news: RunnerNews): void {
    // What is said after its last word is for whoever takes the run up again.
    if (this.#door.isFinished || this.#reading.signal.aborted) return;
    switch (news.is) {
      case "message":
        this.#words.add(news.text);
        this.#isToLeave ||= news.interrupts;
        void this.#passOn().catch(() => undefined);
        return;
      case "answer":
        if (this.#isFinding || this.#absence.over !== undefined) this.#news.push(...toAnswered(news.text));
        return;
      case "away":
        this.#absence.begin(news.why);
        return;
      case "back":
        this.#absence.end();
    }
  }

  /** By which it knows people's words in answers of the door; null where it hears them otherwise. */
  get #mark(): string | null {
    const { assistant, door } = this.#options.around;
    return assistant.hearsAtDoor === true ? markOf(door.token) : null;
  }

  /** How many words it was given; who hears none at the door is given all that were said so far by its own protocol. */
  get heard(): number {
    return this.#mark === null ? this.#words.all.length : this.#words.given;
  }

  /** What it hears with the next answer of the door. Who has to leave its turn hears it after that: there it would be lost. */
  async takeWords(): Promise<readonly string[]> {
    const [program, mark] = [this.#program, this.#mark];
    if (this.#words.fresh.length === 0 || this.#isDeaf) return [];
    // Who cannot be asked has ended, and hears it in its next life.
    const at = await program?.saidBytes().catch(() => undefined);
    if (at === undefined || mark === null || this.#isDeaf || program !== this.#program) return [];
    return this.#words.putIntoAnswer(at).map((text) => personSays(text, mark));
  }

  /** It hears nothing with an answer of the door. */
  get #isDeaf(): boolean {
    const isBetween = this.#isToLeave || this.#isLeaving || this.#isCatchingUp || this.#owes === 0;
    return this.#mark === null || isBetween || this.#absence.over !== undefined || this.#door.isFinished;
  }

  /** Gives it what people said and it has not heard. */
  async #passOn(): Promise<void> {
    const program = this.#program;
    if (
      this.#words.fresh.length === 0 ||
      this.#absence.over !== undefined ||
      this.#isCatchingUp ||
      program === undefined
    )
      return;
    const isToLeave = this.#isToLeave && this.#owes > 0;
    if (isToLeave && this.#options.around.assistant.isOnce === true) {
      this.#isToLeave = false;
      this.#hasLeft = true;
      await program.stop(stopGraceMs);
      return;
    }
    const leave = isToLeave ? (this.#talk?.interrupt() ?? "") : "";
    if (leave !== "") {
      this.#isToLeave = false;
      this.#isLeaving = true;
      await program.write(leave);
    }
    const { fresh } = this.#words;
    if (fresh.length === 0 || !(await this.#say(fresh.join("\n\n"), fresh.length))) return;
    this.#isToLeave = false;
    await this.#record();
  }

  /** False when it cannot hear now. */
  async #say(text: string, messages = 0): Promise<boolean> {
    const said = this.#talk?.say(text, this.#owes > 0) ?? null;
    if (said === null) return false;
    this.#words.tell(messages);
    if (said.begins) this.#owes++;
    await this.#program?.write(said.write);
    return true;
  }

  /** Says it now, or in its next life where this one hears nobody any more. */
  async #tell(text: string): Promise<void> {
    if (!(await this.#say(text))) this.#news.push(text);
  }

  /** All that is new: what came later with the same byte would count as known. */
  async #record(): Promise<void> {
    const [life, upTo, owes, { told }] = [this.#life, this.#upTo, this.#owes, this.#words];
    await this.#door.record({ life, upTo, told, owes, ...toKept(this.#unrecorded.splice(0)) });
  }

  /** Ends the program, which has nothing more to do here. */
  async #part(): Promise<void> {
    const program = this.#program;
    this.#end();
    await program?.stop(stopGraceMs).catch(() => undefined);
  }

  #end(): void {
    this.#absence.end();
    this.#reading.abort();
    this.#options.speech.end();
  }
}
