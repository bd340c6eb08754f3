// What runs did, as a whole.

import type { storyOperations } from "../../protocol/operations/story.ts";
import type { Handlers } from "../context.ts";

export const storyHandlers: Handlers<keyof typeof storyOperations> = {
  "run.story": (context, input, _caller, reply) => context.later(context.stories.tell(input), reply),
};
