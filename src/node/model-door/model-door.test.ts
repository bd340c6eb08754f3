import { truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Door, DoorAnswer, FinishMore } from "../../ports/runner.ts";
import { settle } from "../../../test/support/engine-rig.ts";
import { makeJob } from "../../../test/support/runner-job.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import { doorTools, type DoorTool, permitTool } from "./door-tools.ts";
import { ModelDoor, type ToolAnswer } from "./model-door.ts";

const tools = new Map([...doorTools, permitTool].map((tool) => [tool.name, tool]));
const job = makeJob();

type Pending = { readonly what: string; readonly answer: (answer: Partial<DoorAnswer>) => void };

/** A door whose calls are answered when the test says so. */
class SlowDoor {
  readonly pending: Pending[] = [];
  readonly seen: string[] = [];
  nextCall = 0;
  waits: string | null = null;
  readonly calledAs = (): void => undefined;
  #begun: () => void = () => undefined;

  skipTo(call: number): void {
    this.nextCall = call;
  }

  waiting(): Promise<string | null> {
    return Promise.resolve(this.waits);
  }

  giveUp(): Promise<DoorAnswer> {
    this.pending.shift()?.answer({ ok: false, code: "cancelled", message: "given up" });
    return Promise.resolve({ ok: true, text: "given up", exit: null });
  }

  endLost = (): Promise<DoorAnswer> => this.#take("lost");
  claim = (units: readonly string[]): Promise<DoorAnswer> => this.#take(`claim ${units.join()}`);
  say = (text: string): Promise<DoorAnswer> => this.#take(`say ${text}`);
  ask = (text: string): Promise<DoorAnswer> => this.#take(`ask ${text}`);
  finish = (_ok: boolean, message: string, { unlessSaid }: FinishMore = {}): Promise<DoorAnswer> =>
    this.#take(`finish ${message}${unlessSaid === undefined ? "" : ` unless more than ${unlessSaid} were said`}`);

  /** Resolves when so many calls have begun. */
  async begun(count: number): Promise<void> {
    while (this.seen.length < count) await new Promise<void>((resolve) => (this.#begun = resolve));
  }

  #take(what: string): Promise<DoorAnswer> {
    this.nextCall++;
    this.seen.push(what);
    this.#begun();
    return new Promise((resolve) => {
      const answer = (given: Partial<DoorAnswer>): void =>
        resolve({ ok: true, text: what, exit: null, ...given } as DoorAnswer);
      this.pending.push({ what, answer });
    });
  }
}

type Kit = {
  slow: SlowDoor;
  clock: TestClock;
  model: ModelDoor;
  call: (name: string, args: object, request?: string) => Promise<ToolAnswer>;
  file: string;
};

function kit(file = join(makeTempFolder(), "doors/request.json"), news: readonly string[] = []): Kit {
  const slow = new SlowDoor();
  const clock = new TestClock();
  const control = { locks: async () => "", start: () => slow.say(""), stateOf: () => "" };
  const hands = { run: "r_1", door: slow as unknown as Door, control };
  const model = new ModelDoor({ hands, clock, tools, requestFile: file, answersFile: `${file}.answers`, news });
  const call = (name: string, args: object, request?: string): Promise<ToolAnswer> =>
    model.call(tools.get(name) as DoorTool, args, { request });
  return { slow, clock, model, call, file };
}

/** What a request is answered when only time goes on. */
async function afterTime(clock: TestClock, request: Promise<ToolAnswer>): Promise<ToolAnswer> {
  const waits = Symbol("waits");
  for (;;) {
    const soon = new Promise<typeof waits>((resolve) => setImmediate(() => resolve(waits)));
    const answer = await Promise.race([request, soon]);
    if (answer !== waits) return answer;
    clock.advance(clock.nextMs ?? 0);
  }
}

describe("requests of a model", () => {
  test("[EN36] come all at once, are done one after another, and the same one twice is done twice", async () => {
    const { slow, call } = kit();
    const answers = ["a", "a", "b"].map((text) => call("report_progress", { text }));
    for (const [at, text] of ["a", "a", "b"].entries()) {
      await slow.begun(at + 1);
      expect(slow.pending).toHaveLength(1);
      slow.pending.shift()?.answer({ text });
    }
    expect((await Promise.all(answers)).map(({ text }) => text)).toEqual(["a", "a", "b"]);
    expect(slow.seen).toEqual(["say a", "say a", "say b"]);
  });

  test("[EN36, EN37] that wait for a claim are told their place, come back to the same claim, or give it up", async () => {
    const { slow, call, clock } = kit();
    slow.waits = "r_7 holds file:a; you are queued at position 2";
    const first = call("claim", { units: ["file:a"] });
    const behind = call("report_progress", { text: "later" });
    await slow.begun(1);
    expect(await afterTime(clock, first)).toMatchObject({
      isError: true,
      text: expect.stringContaining("position 2") as unknown,
    });
    expect(await afterTime(clock, call("claim", { units: ["file:a"] }))).toMatchObject({ isError: true });
    expect(await afterTime(clock, behind)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Not begun, .* your claim/) as unknown,
    });
    expect(slow.seen).toEqual(["claim file:a"]);
    const last = call("claim", { units: ["file:a"] });
    slow.pending[0]?.answer({ text: "yours" });
    expect(await last).toEqual({ isError: false, text: "yours" });
    slow.pending.shift();
    const more = call("claim", { units: ["file:b"] });
    await slow.begun(2);
    expect(await call("release", { waiting: true })).toEqual({ isError: false, text: "given up" });
    expect(await more).toMatchObject({ isError: true, text: expect.stringContaining("Nothing was done") as unknown });
  });

  test("[RN27] bring what people said meanwhile with their answers, once, and none is the last before that is heard", async () => {
    const { slow, call, model } = kit();
    const said: string[] = [];
    model.hearPeople({ take: async () => said.splice(0), heard: () => undefined });
    const asked = call("report_progress", { text: "a" }, "one");
    await slow.begun(1);
    said.push("Mind the gap.");
    slow.pending.shift()?.answer({ text: "noted" });
    expect(await asked).toEqual({ isError: false, text: "Mind the gap.\n\nnoted" });
    // Who lost the answer finds the words in it again.
    expect((await call("report_progress", { text: "a" }, "one")).text).toContain("Mind the gap.");
    said.push("One more.");
    const kept = await call("finish", { message: "done" });
    expect(kept).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^One more\..*Nothing was finished/s) as unknown,
    });
    expect(slow.seen).toEqual(["say a"]);
    const finished = call("finish", { message: "done" });
    await slow.begun(2);
    slow.pending.shift()?.answer({ text: "taken" });
    expect(await finished).toEqual({ isError: false, text: "taken" });
  });

  test("[RN27] to finish are for what the model had heard when it asked: what is said meanwhile comes with the no", async () => {
    const { slow, call, model, file } = kit();
    const said: string[] = [];
    let heard = 2;
    const take = async (): Promise<readonly string[]> => {
      heard += said.length;
      return said.splice(0);
    };
    model.hearPeople({ take, heard: () => heard });
    const before = call("report_progress", { text: "a" });
    const finished = call("finish", { message: "done" });
    await slow.begun(1);
    said.push("Mind the gap.");
    slow.pending.shift()?.answer({});
    expect((await before).text).toContain("Mind the gap.");
    await slow.begun(2);
    expect(slow.seen[1]).toBe("finish done unless more than 2 were said");
    said.push("One more.");
    slow.pending.shift()?.answer({ ok: false, code: "unheard", message: "somebody has said something" });
    expect((await finished).text).toMatch(/^One more\..*Nothing was finished.*call finish again/s);
    void call("finish", { message: "done" });
    await slow.begun(3);
    expect(slow.seen[2]).toBe("finish done unless more than 4 were said");
    // Whoever takes it up after a restart knows only what was told for sure.
    const next = kit(file);
    await next.model.resume({ ...job, callsDone: 2, callBegun: true, told: 1 });
    expect(next.slow.seen).toEqual(["finish done unless more than 1 were said"]);
  });

  test("[RN26, RN27] of its program, and not of its model, bring no words of people: those would be taken for the answer", async () => {
    const { slow, model } = kit();
    model.hearPeople({ take: async () => ["deny"], heard: () => 0 });
    const asked = model.call(permitTool, { question: "May it?", leave: { tool: "Bash", what: "ls" } });
    await slow.begun(1);
    slow.pending.shift()?.answer({ text: "allow" });
    expect((await asked).text).toBe("allow");
  });

  test("[EN36] that were under way when the daemon ended are taken up, and answered to whoever repeats them", async () => {
    const { slow, call, file } = kit();
    void call("claim", { units: ["file:a"] });
    await slow.begun(1);
    const next = kit(file);
    await next.model.resume({ ...job, callsDone: 0, callBegun: true });
    expect(next.slow.seen).toEqual(["claim file:a"]);
    next.slow.pending[0]?.answer({ text: "yours" });
    expect(await next.call("claim", { units: ["file:a"] })).toEqual({ isError: false, text: "yours" });
    expect(next.slow.seen).toEqual(["claim file:a"]);
  });

  test("[EN36] that are asked again under their name are done once, whenever the daemon ended", async () => {
    const first = kit();
    const lost = first.call("report_progress", { text: "a" }, "one");
    await first.slow.begun(1);
    // The connection broke, and the daemon did not.
    const again = first.call("report_progress", { text: "a" }, "one");
    first.slow.pending[0]?.answer({ text: "noted" });
    expect(await lost).toEqual({ isError: false, text: "noted" });
    expect(await again).toEqual(await lost);
    expect(first.slow.seen).toEqual(["say a"]);

    // It ended between its answer and whoever waited for that.
    const second = kit(first.file);
    await second.model.resume({ ...job, callsDone: 1, callBegun: false });
    expect(await second.call("report_progress", { text: "a" }, "one")).toEqual({ isError: false, text: "noted" });
    void second.call("report_progress", { text: "b" }, "two");
    await second.slow.begun(1);

    // It ended between the log and the answer.
    const third = kit(first.file);
    await third.model.resume({ ...job, callsDone: 2, callBegun: false });
    const answer = await third.call("report_progress", { text: "b" }, "two");
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("It was done");
    expect(third.slow.seen).toEqual([]);

    // The same words under another name are another request.
    void third.call("report_progress", { text: "b" }, "three");
    await third.slow.begun(1);
    expect(third.slow.seen).toEqual(["say b"]);
  });

  test("[EN36] a question is asked once; a call that nobody knows any more is ended as lost, and the model is told", async () => {
    const { slow, call, file } = kit();
    void call("ask_user", { question: "why?" });
    await slow.begun(1);
    const next = kit(file);
    await next.model.resume({ ...job, callsDone: 1 });
    expect(next.slow.seen).toEqual(["ask why?"]);
    expect(next.model.answered).toBeNull();
    next.slow.pending[0]?.answer({ text: "because" });
    await settle();
    // Whoever asked may not be there any more.
    expect(next.model.answered).toBe("because");
    expect((await next.call("ask_user", { question: "why?" })).text).toBe("because");
    expect(next.model.answered).toBeNull();
    // A power cut has kept the beginning of it.
    truncateSync(file, 100);
    const lost = kit(file);
    await lost.model.resume({ ...job, callsDone: 0, callBegun: true });
    const said = lost.call("report_progress", { text: "x" });
    await lost.slow.begun(1);
    expect(lost.slow.seen).toEqual(["lost"]);
    lost.slow.pending.shift()?.answer({});
    await lost.slow.begun(2);
    lost.slow.pending.shift()?.answer({ text: "said" });
    expect((await said).text).toMatch(/^A call of yours was under way when the machine went down[^]*said$/);
  });

  test("[EN37] that are not right are refused in words, and people's messages come with the next answer", async () => {
    const { slow, call } = kit(undefined, ["A person says: hurry"]);
    expect(await call("read_file", { path: 7 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("path") as unknown,
    });
    expect(await call("finish", {})).toMatchObject({ isError: true });
    expect(slow.seen).toEqual([]);
    const said = call("report_progress", { text: "x" });
    await slow.begun(1);
    slow.pending[0]?.answer({ text: "said" });
    expect(await said).toEqual({ isError: false, text: "A person says: hurry\n\nsaid" });
  });
});
