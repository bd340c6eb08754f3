import { describe, expect, test } from "vitest";
import { settle } from "../../../test/support/engine-rig.ts";
import { makeJob } from "../../../test/support/runner-job.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import { toldAssistant, ToldProgram } from "../../../test/support/told-program.ts";
import type { Assistant } from "../../ports/assistant.ts";
import type { Door, DoorAnswer, FinishMore, HeardReport, RunnerJob, RunnerNews } from "../../ports/runner.ts";
import type { Surroundings } from "./assistant-runner.ts";
import { Conversation } from "./conversation.ts";
import { GrowingSpeech } from "./growing-speech.ts";
import type { NativeHands } from "./native-hands.ts";

/** Takes a result as the log does: only where nothing was said that nobody has heard. */
class TestDoor {
  readonly reports: HeardReport[] = [];
  readonly results: string[] = [];
  isFinished = false;
  said = 0;
  /** What happens while a result is looked at. */
  meanwhile: () => void = () => undefined;
  #changed = Promise.withResolvers<void>();

  async finish(_ok: boolean, message: string, { unlessSaid = Infinity }: FinishMore = {}): Promise<DoorAnswer> {
    this.meanwhile();
    await Promise.resolve();
    if (this.said > unlessSaid) return { ok: false, code: "unheard", message: "somebody has said something" };
    this.isFinished = true;
    this.results.push(message);
    return { ok: true, text: "", exit: null };
  }

  record(report: HeardReport): Promise<void> {
    const last = this.reports.at(-1);
    // The log takes what is beyond what it has (RN26).
    const isNew = last === undefined || report.life > last.life || report.upTo > last.upTo || report.told > last.told;
    if (isNew) this.reports.push(report);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
    return Promise.resolve();
  }

  /** Resolves when what it said was recorded. */
  async heard(text: string): Promise<void> {
    const isIt = ({ items }: HeardReport): boolean => items.some((item) => "text" in item && item.text === text);
    while (!this.reports.some(isIt)) await this.#changed.promise;
  }
}

type Kit = {
  readonly door: TestDoor;
  readonly program: ToldProgram;
  readonly conversation: Conversation;
  readonly clock: TestClock;
  readonly tell: (text: string) => void;
  readonly hear: (news: RunnerNews) => void;
};

function kit(more: Partial<RunnerJob> = {}, assistant = toldAssistant(), answered: string | null = null): Kit {
  const [door, program] = [new TestDoor(), new ToldProgram()];
  let listener: (news: RunnerNews) => void = () => undefined;
  const job = makeJob({ listen: (given) => void (listener = given), ...more });
  const around: Surroundings = {
    ...{ keeper: program, assistant, file: "/told", root: "/project", home: "/home" },
    ...{ door: { url: "", token: "t" }, relay: { url: "", token: "", paid: [] }, presets: {} },
    ...{ whyUnpaid: null, lastNo: () => null },
  };
  const { signal } = new AbortController();
  const clock = new TestClock();
  const conversation = new Conversation({
    ...{ clock, around, job, door: door as unknown as Door, held: "", signal },
    answered: () => answered,
    hands: undefined as unknown as NativeHands,
    speech: new GrowingSpeech([], () => undefined),
  });
  const tell = (text: string): void => {
    door.said++;
    listener({ is: "message", text, interrupts: false });
  };
  return { door, program, conversation, clock, tell, hear: (news) => listener(news) };
}

describe("the talk with an assistant", () => {
  test("[RN27] goes on where a person says something while its result is looked at", async () => {
    const { door, program, conversation, tell } = kit();
    const held = conversation.hold();
    await program.wasTold(1);
    door.meanwhile = () => {
      door.meanwhile = () => undefined;
      tell("One more thing.");
    };
    program.say("turn first");
    await program.wasTold(2);
    expect([program.told[1], door.results]).toEqual(["One more thing.", []]);
    program.say("turn second");
    await held;
    expect(door.results).toEqual(["second"]);
  });

  test("[RN27] tells again what was in an answer that the program did not live to read, whatever it had said before", async () => {
    const { door, program, conversation, tell } = kit();
    const held = conversation.hold();
    await program.wasTold(1);
    program.say("session s", "message hello");
    await door.heard("hello");
    tell("Mind the gap.");
    // It is read only after the answer is given, and says nothing of that.
    program.say("tool run_command", "message before");
    const [words] = await conversation.takeWords();
    expect(words).toContain("Mind the gap.");
    await door.heard("before");
    expect(door.reports.at(-1)?.told).toBe(0);
    program.end();
    await program.wasTold(2);
    expect(program.told[1]).toContain("Mind the gap.");
    program.say("message again");
    await door.heard("again");
    tell("And the step.");
    expect(await conversation.takeWords()).toHaveLength(1);
    program.say("message after", "turn done");
    await held;
    expect(door.reports.at(-1)?.told).toBe(2);
    expect(door.results).toEqual(["done"]);
  });

  test("[RN27] names the mark of people's words where it goes on in a conversation that may not know it", async () => {
    const old = { life: 1, upTo: 5, owes: 0 };
    const { program, conversation } = kit({ session: "s", heard: old });
    const held = conversation.hold();
    await program.wasTold(1);
    expect(program.told[0]).toMatch(/^You were interrupted.*A person says \([0-9a-f]{8}\)/s);
    // It knows it now.
    program.end();
    await program.wasTold(2);
    expect(program.told[1]).toMatch(/^You were interrupted.*go on\.$/s);
    program.say("turn done");
    await held;
  });

  test.each(["asking", "parked", "paused"] as const)(
    "[RN49] begins no program for a run that has no slot (%s) when a daemon finds it again, and then tells it what was answered",
    async (away) => {
      const { door, program, conversation, hear } = kit({ away, session: "s", heard: { life: 1, upTo: 5, owes: 1 } });
      const held = conversation.hold();
      await settle();
      hear({ is: "answer", text: "blue" });
      hear({ is: "away", why: "parked" });
      await settle();
      expect([program.told, door.reports]).toEqual([[], []]);
      hear({ is: "back" });
      await program.wasTold(1);
      expect(program.told[0]).toContain("Your question was answered: blue");
      program.say("turn done");
      await held;
      expect(door.results).toEqual(["done"]);
    },
  );

  test("[RN49] tells its program what was answered while nobody knew whether it was there", async () => {
    const listen: RunnerJob["listen"] = (listener) => {
      listener({ is: "answer", text: "blue" });
      listener({ is: "away", why: "parked" });
      listener({ is: "back" });
    };
    const heard = { life: 1, upTo: 5, owes: 1 };
    for (const [job, answered] of [
      [{ away: "asking", listen }, null],
      // It was answered right before the daemon ended that knew of it.
      [{ away: null }, "blue"],
    ] as const) {
      const { door, program, conversation } = kit({ ...job, session: "s", heard }, toldAssistant(), answered);
      const held = conversation.hold();
      await program.wasTold(1);
      expect(program.told[0]).toContain("Your question was answered: blue");
      program.say("turn done");
      await held;
      expect(door.results).toEqual(["done"]);
    }
  });

  test("[RN49] begins at once where its run had a slot again before anybody listened", async () => {
    const { door, program, conversation } = kit({ away: "parked", listen: (listener) => listener({ is: "back" }) });
    const held = conversation.hold();
    await program.wasTold(1);
    program.say("turn done");
    await held;
    expect(door.results).toEqual(["done"]);
  });

  test.each([
    { everyMs: 60_000, lives: 10, result: "told: ended by itself: exit 0, 10 times within an hour" },
    // Who dies now and then is begun anew.
    { everyMs: 600_000, lives: 30, result: "done" },
  ])("[RN31] is over where its program dies too often, whatever it says before: %j", async (each) => {
    const { door, program, conversation, clock } = kit();
    const held = conversation.hold();
    for (let life = 1; life <= each.lives; life++) {
      await program.wasTold(life);
      program.say("session s", "text hello");
      program.end();
      clock.advance(each.everyMs);
    }
    await Promise.race([held, program.wasTold(each.lives + 1)]);
    program.say("turn done");
    await held;
    expect(door.results).toEqual([each.result]);
  });

  test("[RN26] loses nothing that it says while it is told something, whichever of both is heard first", async () => {
    const talk: Assistant["talk"] = (job) => ({
      ...toldAssistant().talk(job),
      say: (text) => ({ write: text, begins: true }),
    });
    for (let turns = 0; turns < 20; turns++) {
      const { door, program, conversation, tell } = kit({}, toldAssistant({ hearsAtDoor: false, talk }));
      const held = conversation.hold();
      await program.wasTold(1);
      program.say("message hello");
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      tell("Mind the gap.");
      await program.wasTold(2);
      program.say("turn first");
      await door.heard("first");
      program.say("turn second");
      await held;
      const said = door.reports.flatMap(({ items }) => items.map((item) => ("text" in item ? item.text : "")));
      expect(said).toEqual(["hello", "first", "second"]);
    }
  });
});
