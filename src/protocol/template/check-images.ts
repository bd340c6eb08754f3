// What only makes sense for a service with an image of its own, and what does not there.

import { quoted } from "../complaint.ts";
import type { Draft, DraftService } from "./draft.ts";
import type { Complain } from "./problem.ts";
import { fixedFolders } from "./service-image-schema.ts";

const ofImages = ["entrypoint", "data", "workspace"] as const;

export function checkImages(draft: Draft, complain: Complain): void {
  for (const service of draft.services) {
    if (service.said.image !== undefined) checkImage(service, complain);
    else checkWithout(service, complain);
  }
}

function checkWithout({ said, path, isSure }: DraftService, complain: Complain): void {
  if (said.command === undefined && isSure("command") && isSure("image"))
    complain([...path, "command"], `"command" is missing here. Add it, or an image that says what to start.`, "key");
  if (!isSure("image")) return;
  for (const key of ofImages)
    if (said[key] !== undefined && said[key] !== false)
      complain(
        [...path, key],
        `Without an image of its own a service runs on its agent's system, so ${key} means nothing here. Add an image, or take this out.`,
        "key",
      );
}

function checkImage(service: DraftService, complain: Complain): void {
  const { said, path, name } = service;
  if (said.image === "none")
    complain(
      [...path, "image"],
      "A service without an image of its own runs on its agent's system anyway. Take this out.",
    );
  if (said.entrypoint?.length === 0 && said.command === undefined && service.isSure("command"))
    complain([...path, "entrypoint"], `Nothing would be started. Add a command, or leave the image its entry point.`);
  if (said.cwd !== undefined && said.workspace !== true && service.isSure("workspace"))
    complain(
      [...path, "cwd"],
      `The service ${name} does not see the workspace, so it begins in the folder that its image says. Take this out, or add workspace: true.`,
      "key",
    );
  checkData(service, complain);
}

function checkData({ said, path, name }: DraftService, complain: Complain): void {
  const { data = [], instances = 1, overlap = false } = said;
  if (data.length > 0 && (instances > 1 || overlap))
    complain(
      [...path, "data"],
      `There are several of ${name}, and each would have folders of its own. Leave ${overlap ? "overlap" : "instances"} out, or this.`,
      "key",
    );
  for (const [at, folder] of data.entries()) {
    const where = [...path, "data", at];
    const fixed = fixedFolders.find((each) => isIn(folder, each));
    const other = data.find((each, index) => index !== at && isIn(folder, each) && (each !== folder || index < at));
    if (fixed !== undefined) complain(where, `Nothing stays in ${fixed}. Name another folder.`);
    else if (other !== undefined)
      complain(where, `It is in ${quoted(other)}, which stays already. Take one of them out.`);
  }
}

function isIn(folder: string, other: string): boolean {
  return `${folder}/`.startsWith(`${other}/`);
}
