// Drives a run with an assistant's program. The program lives under the agent's keeper and has the run's door for hands; here
// it is begun, listened to, spoken to and taken up again, across its own deaths and the daemon's.

import type { PresetModels } from "../../core/runner/presets.ts";
import type { Assistant, RelayPlace } from "../../ports/assistant.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GrowingWords } from "../../ports/growing-words.ts";
import type { Door, Runner, RunnerJob, StopSignal } from "../../ports/runner.ts";
import type { ModelDoors } from "../model-door/model-doors.ts";
import type { ModelNo } from "../relay/model-relay.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { Conversation } from "./conversation.ts";
import { GrowingSpeech } from "./growing-speech.ts";
import { NativeHands } from "./native-hands.ts";

/** What of the machine a run's program is given. */
export type Surroundings = {
  readonly keeper: KeeperLine;
  /** In the way in which the program on this machine is spoken to. */
  readonly assistant: Assistant;
  /** The program's file. */
  readonly file: string;
  /** Where the project is, as it sees it. */
  readonly root: string;
  /** A folder of its own, as it sees it. */
  readonly home: string;
  readonly door: { readonly url: string; readonly token: string };
  readonly relay: RelayPlace;
  /** The models that presets mean to it now. */
  readonly presets: PresetModels;
  /** Why nobody pays for its models; null where somebody does. */
  readonly whyUnpaid: string | null;
  /** How its model's maker last said no; null where it was not, or was not for the last request. */
  readonly lastNo: () => ModelNo | null;
};

export type AssistantRunnerOptions = {
  readonly assistant: Assistant;
  readonly doors: ModelDoors;
  readonly clock: Clock;
  readonly words: GrowingWords;
  readonly surroundings: (run: string) => Promise<Surroundings>;
};

export class AssistantRunner implements Runner {
  readonly name: string;
  readonly #options: AssistantRunnerOptions;

  constructor(options: AssistantRunnerOptions) {
    this.#options = options;
    this.name = options.assistant.name;
  }

  async drive(job: RunnerJob, door: Door, signal: StopSignal): Promise<void> {
    const { assistant, doors, clock, words, surroundings } = this.#options;
    if (job.settings?.tools === "native" && !assistant.can.native) {
      const why = `${assistant.name} has no tools of its own that ask before they write`;
      await door.finish(false, `${why}: give its profile --tools door, or another runner`);
      return;
    }
    const around = await surroundings(job.run);
    const { model, over } = await doors.open(job, door, signal, []);
    const held = await doors.locks(job.run);
    const hands = new NativeHands(model, around.root);
    const speech = new GrowingSpeech(await words.secrets(), (growing) => words.tell(job.run, growing));
    const answered = (): string | null => model.answered;
    const conversation = new Conversation({ clock, around, job, door, answered, hands, held, signal, speech });
    model.hearPeople({ take: () => conversation.takeWords(), heard: () => conversation.heard });
    await Promise.race([conversation.hold(), over.then(() => conversation.partSoon())]);
  }
}
