// The door of one run as its model uses it. A model asks for several things at once and gives up on what takes long; the
// door takes one call at a time and forgets none. So requests queue here, each is done once, and whoever was told to come
// back finds the same call again: after a lost connection, and after a restart of the daemon too.

import { canonical } from "../../base/canonical.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DoorAnswer, RunnerJob } from "../../ports/runner.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import { DriverOvertaken } from "../tool-host/driver-overtaken.ts";
import { asksPerson, askTool, type DoorTool, type Hands, isHook } from "./door-tools.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { toText } from "./next-steps.ts";
import { type NotedRequest, RequestNote } from "./request-note.ts";

export type ToolAnswer = {
  readonly text: string;
  readonly isError: boolean;
  /** It is not done yet: the same again goes on waiting. */
  readonly waits?: true;
};

export type ModelDoorOptions = {
  readonly hands: Hands;
  readonly clock: Clock;
  readonly tools: ReadonlyMap<string, DoorTool>;
  /** Where the request that is under way is written down. */
  readonly requestFile: string;
  /** Where its last answers are. */
  readonly answersFile: string;
  /** What the model has to hear with its next answer. */
  readonly news: readonly string[];
};

/** Under which name it is asked for and known when it is asked for again, and what the program that asks calls it. */
export type Named = { readonly request?: string | undefined; readonly use?: string | undefined };

type Act = () => Promise<DoorAnswer>;
/** What people say to the run of a model. */
export type People = {
  /** What the model has to hear with its next answer. */
  readonly take: () => Promise<readonly string[]>;
  /** How many words of theirs it was given, or is given otherwise than by the door. */
  readonly heard: () => number | undefined;
};
type Current = {
  readonly key: string;
  readonly tool: string;
  readonly request: string | undefined;
  readonly answer: Promise<DoorAnswer>;
  /** Somebody was told to come back for it. */
  told: boolean;
  /** Set once it is there. */
  done?: DoorAnswer;
};

/** How long a request waits in a queue of claims before it is told its place (well under any assistant's own patience). */
const claimPatienceMs = 20_000;
/** How long it waits for anything else. */
export const patienceMs = 45_000;

export class ModelDoor {
  readonly #options: ModelDoorOptions;
  readonly #hands: Hands;
  readonly #finished = Promise.withResolvers<void>();
  readonly #news: string[];
  /** Ends when everything that was asked for so far is answered. */
  #line: Promise<unknown> = Promise.resolve();
  /** What is under way, or was answered last and not fetched by the one who was told to come back. */
  #current: Current | undefined;
  /** What was asked for under a name and is not answered. */
  readonly #named = new Map<string, Promise<ToolAnswer>>();
  readonly #kept: KeptAnswers;
  readonly #note: RequestNote;
  #people: People = { take: async () => [], heard: () => undefined };
  /** The name of a call that was done when the daemon ended, and not answered. */
  #lost: string | undefined;
  #isClosed = false;

  constructor(options: ModelDoorOptions) {
    this.#options = options;
    this.#kept = new KeptAnswers(options.answersFile);
    this.#note = new RequestNote(options.requestFile);
    this.#hands = options.hands;
    this.#news = [...options.news];
  }

  /** Resolves when the model's last word was taken. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** Gives the model something to hear with its next answer. */
  tell(news: string): void {
    this.#news.push(news);
  }

  /** Asks, with each answer, for what people have said and the model has to hear with it. */
  hearPeople(people: People): void {
    this.#people = people;
  }

  /** Nothing begins here any more: somebody else decides what becomes of the run. */
  close(): void {
    this.#isClosed = true;
  }

  /** What a person has answered, and whoever asked has not fetched; null is nothing. */
  get answered(): string | null {
    const { tool = "", done } = this.#current ?? {};
    return tool === askTool.name && done?.ok === true ? toText(done) : null;
  }

  /** Takes up the call that was under way when the daemon ended. */
  async resume({ callsDone, callBegun, told }: RunnerJob): Promise<void> {
    const { door } = this.#hands;
    await this.#kept.load();
    const saved = await this.#note.read();
    const isAnswered = saved?.request !== undefined && this.#kept.find(saved.request) !== undefined;
    const wasAsked = saved !== undefined && asksPerson(saved.tool) && saved.call === callsDone - 1 && !isAnswered;
    const isIt = saved !== undefined && (wasAsked || (callBegun && saved.call === callsDone));
    const act = isIt ? this.#options.tools.get(saved.tool)?.prepare(saved.args) : undefined;
    if (isIt && act?.ok === true) {
      door.skipTo(saved.call);
      const again = (): Promise<DoorAnswer> => act.value({ ...this.#hands, heard: told });
      this.#line = this.#begin(keyOf(saved.tool, saved.args), saved, again, true).answer.catch(() => undefined);
      return;
    }
    door.skipTo(callsDone);
    if (saved?.call === callsDone - 1 && this.#options.tools.get(saved.tool)?.readsOnly === false)
      this.#lost = saved.request;
    if (!callBegun) return;
    this.tell(lostCall);
    this.#line = door.endLost().catch(() => undefined);
  }

  /** Answers a request. One that is asked again under the same name has the same answer, and is not done again. */
  async call(tool: DoorTool, args: unknown, named: Named = {}): Promise<ToolAnswer> {
    const { request } = named;
    if (request === undefined) return this.#callAndHear(tool, args, named);
    const known = this.#kept.find(request);
    if (known !== undefined) return known;
    if (request === this.#lost) return no(lost);
    const answer = this.#named.get(request) ?? this.#answerTo(request, this.#callAndHear(tool, args, named));
    this.#named.set(request, answer);
    return answer;
  }

  async #answerTo(request: string, asked: Promise<ToolAnswer>): Promise<ToolAnswer> {
    try {
      const answer = await asked;
      await this.#kept.keep(request, answer).catch((error: unknown) => {
        // It is done and told; only whoever asks for it again after a restart hears that its answer is lost.
        if (!isOfTheWorld(error)) throw error;
      });
      return answer;
    } finally {
      this.#named.delete(request);
    }
  }

  /** With what people have said at its head. Who would be done without having heard it is not done yet. */
  async #callAndHear(tool: DoorTool, args: unknown, named: Named): Promise<ToolAnswer> {
    if (isHook(tool.name)) return this.#call(tool, args, named);
    const unheard = tool.name === "finish" ? await this.#people.take() : [];
    if (unheard.length > 0) return no([...unheard, notFinished].join("\n\n"));
    const answer = await this.#call(tool, args, named);
    return { ...answer, text: [...(await this.#people.take()), answer.text].join("\n\n") };
  }

  async #call(tool: DoorTool, args: unknown, named: Named): Promise<ToolAnswer> {
    if (!this.#options.tools.has(tool.name))
      return no(
        `The profile of this run does not allow ${tool.name}. Do it with the tools of your list, or ask a person.`,
      );
    const prepared = tool.prepare(args);
    if (!prepared.ok)
      return no(`bad-input: ${prepared.refusal}. Mend the arguments of ${tool.name} and call it again.`);
    const untilMs = this.#options.clock.monotonicMs() + patienceMs;
    // What is said from now on it had not heard when it asked.
    const hands = { ...this.#hands, heard: this.#people.heard() };
    const act = (): Promise<DoorAnswer> => prepared.value(hands);
    try {
      if (tool.isAside(args)) return this.#tell(await act());
      const key = keyOf(tool.name, args);
      // Whoever was told to come back has come.
      if (this.#current?.told === true && this.#current.key === key) return await this.#wait(this.#current, untilMs);
      return await this.#inTurn(key, { tool: tool.name, args, ...named }, act, untilMs);
    } catch (error) {
      if (isOfTheWorld(error)) return no(toBroken(error));
      if (!(error instanceof DriverOvertaken)) throw error;
      return no(
        "The run was interrupted: it was ended, or its node was away. Call again, and you are told how it stands.",
      );
    }
  }

  /** Waits until everything before it is answered, and then does it, unless that takes too long. */
  async #inTurn(key: string, request: Omit<NotedRequest, "call">, act: Act, untilMs: number): Promise<ToolAnswer> {
    let how: "waits" | "begun" | "gone" = "waits";
    const begun = this.#line.then(async () => {
      if (how === "gone") return undefined;
      how = "begun";
      if (this.#isClosed) throw new DriverOvertaken();
      this.#note.write({ call: this.#hands.door.nextCall, ...request });
      return this.#begin(key, request, act, false);
    });
    // The next in line waits for the answer, and not for whoever hears it.
    this.#line = begun.then((current) => current?.answer).catch(() => undefined);
    await this.#within(begun, untilMs);
    if ((how as string) === "waits") {
      how = "gone";
      return this.#notBegun();
    }
    const current = await begun;
    return current === undefined ? this.#notBegun() : this.#wait(current, untilMs);
  }

  async #notBegun(): Promise<ToolAnswer> {
    const before = this.#current;
    const why = (await this.#hands.door.waiting()) ?? "it is still going on";
    if (before !== undefined) before.told = true;
    return notYet(
      `Not begun, because your ${before?.tool ?? "call"} before it is not done: ${why}. Call that one again with the same arguments, or release with waiting true to give it up; then this one.`,
    );
  }

  #begin(key: string, { tool, request, use }: Omit<NotedRequest, "call">, act: Act, told: boolean): Current {
    this.#hands.door.calledAs(use ?? null);
    const current: Current = { key, tool, request, answer: act(), told };
    this.#current = current;
    void current.answer
      .then((answer) => (current.done = answer))
      .then(({ ok }) => (ok && tool === "finish" ? this.#finished.resolve() : undefined))
      .catch(() => undefined)
      .then(() => (current.told ? undefined : this.#forget(current)));
    return current;
  }

  #forget(current: Current): void {
    if (this.#current === current) this.#current = undefined;
  }

  async #wait(current: Current, untilMs: number): Promise<ToolAnswer> {
    const { answer, tool } = current;
    const soon = await this.#within(answer, Math.min(untilMs, this.#options.clock.monotonicMs() + claimPatienceMs));
    if (soon !== undefined) return this.#deliver(current, soon);
    const queued = await this.#hands.door.waiting();
    if (queued !== null) {
      current.told = true;
      return notYet(
        `Not yet: ${queued}. Nothing was done so far. Call ${tool} again with the same arguments to go on waiting: your place is kept. Or release with waiting true to give it up.`,
      );
    }
    const late = await this.#within(answer, untilMs);
    if (late !== undefined) return this.#deliver(current, late);
    current.told = true;
    return {
      text: `Still going on. Call ${tool} again with the same arguments to wait for its end.`,
      isError: false,
      waits: true,
    };
  }

  /** Answers, and forgets the request: the same one again is another one. */
  #deliver(current: Current, answer: DoorAnswer): ToolAnswer {
    this.#forget(current);
    this.#line = this.#line.then(async () => {
      // Of any other call its number tells that it is over; a question that was answered would be taken up again. One that
      // has a name may be asked for again.
      const isOver = this.#current === undefined && asksPerson(current.tool) && current.request === undefined;
      if (isOver) await this.#note.forget();
    });
    return this.#tell(answer);
  }

  #tell(answer: DoorAnswer): ToolAnswer {
    const news = this.#news.splice(0);
    return { text: [...news, toText(answer)].join("\n\n"), isError: !answer.ok };
  }

  /** What a promise brings, or undefined when that takes until later. */
  async #within<T>(promise: Promise<T>, untilMs: number): Promise<T | undefined> {
    const { clock } = this.#options;
    const late = Promise.withResolvers<undefined>();
    const cancel = clock.setTimer(Math.max(0, untilMs - clock.monotonicMs()), () => late.resolve(undefined));
    try {
      return await Promise.race([promise, late.promise]);
    } finally {
      cancel();
    }
  }
}

const lost =
  "It was done, just before the daemon was restarted, and what it answered is lost. Look at what it left before you do it again.";

const notFinished = "Nothing was finished. Do what this asks for, if it asks for anything, and call finish again.";

const lostCall =
  "A call of yours was under way when the machine went down, and nobody knows how far it came. Look at what it left before you do it again.";

function toBroken(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `workspace-unavailable: nobody knows whether it was done: ${why}. Look at what is there before you do it again.`;
}

function keyOf(tool: string, args: unknown): string {
  return `${tool} ${canonical(args ?? {})}`;
}

function notYet(text: string): ToolAnswer {
  return { text, isError: true, waits: true };
}

function no(text: string): ToolAnswer {
  return { text, isError: true };
}
