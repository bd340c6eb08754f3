// The images whose files are kept on this machine.

import type { imageOperations } from "../../protocol/operations/image.ts";
import type { Handlers } from "../context.ts";
import { mustBePerson } from "./must-be-person.ts";

export const imageHandlers: Handlers<keyof typeof imageOperations> = {
  "image.list": (context, _input, _caller, reply) =>
    context.later(
      context.parts.images.list().then((images) => ({ images })),
      reply,
    ),
  "image.prune": (context, _input, caller, reply) => {
    mustBePerson(caller, "taking images away");
    context.later(
      context.parts.images.prune({ all: true }).then((images) => ({ images })),
      reply,
    );
  },
};
