// The faces of a template: that each has a name that fits into a host name, and a port that is there.

import { didYouMean } from "../../base/did-you-mean.ts";
import { quoted } from "../complaint.ts";
import { faceNameRule, fitsFaceHost, isFaceName } from "../face-host.ts";
import type { Draft, DraftFace } from "./draft.ts";
import { type Complain, toSentence } from "./problem.ts";
import { referencesIn } from "./references.ts";
import { isTemplateName, type Template, templateLimits } from "./template-schema.ts";

export function checkFaces(template: Template, draft: Draft, complain: Complain, warn: Complain): void {
  const { faces } = draft;
  if (faces.length > templateLimits.facesMax)
    complain(
      ["faces"],
      `There are ${faces.length} faces, and a template has at most ${templateLimits.facesMax}. Make two templates of it.`,
      "key",
    );
  if (faces.length > 0 && isTemplateName(template.template) && !fitsFaceHost(template.template))
    complain(
      ["template"],
      `Agents are called after their template, and ${quoted(template.template)} cannot begin the host name of a face. Give it another name.`,
    );
  for (const face of faces) {
    if (!isFaceName(face.name))
      complain(face.path, `${toSentence(faceNameRule)} Call ${quoted(face.name)} something else.`, "key");
    checkPort(draft, face, complain);
    checkComing(draft, face, warn);
    if (referencesIn(face.said.path ?? "").length > 0)
      complain([...face.path, "path"], "Nothing is filled in here, only in commands and variables. Write it out.");
  }
}

/** What comes and goes answers now and then. */
function checkComing(draft: Draft, { said, path }: DraftFace, warn: Complain): void {
  const service = draft.byName.get(said.service);
  if (service?.said.schedule === undefined || !service.isSure("schedule")) return;
  warn(
    [...path, "service"],
    `The service ${service.name} has a schedule, so nothing answers here but while it runs. Name a service that stays.`,
  );
}

function checkPort(draft: Draft, { said, path, isSure }: DraftFace, complain: Complain): void {
  const service = draft.byName.get(said.service);
  if (service === undefined) {
    if (draft.isWhole)
      complain(
        [...path, "service"],
        `There is no service ${quoted(said.service)}.${didYouMean(said.service, [...draft.byName.keys()]) || " Add it, or take the face out."}`,
      );
    return;
  }
  if (!service.isSure("ports") || !isSure("port")) return;
  const ports = service.said.ports ?? [];
  if (ports.length === 0)
    return complain(
      [...path, "service"],
      `The service ${service.name} has no port to answer on. Give it one: ports: [http].`,
    );
  if (said.port === undefined && ports.length > 1)
    return complain(
      [...path, "service"],
      `The service ${service.name} has several ports. Say which: port: ${ports[0] ?? ""}.`,
    );
  if (said.port !== undefined && !ports.includes(said.port))
    complain(
      [...path, "port"],
      `The service ${service.name} has no port ${quoted(said.port)}.${didYouMean(said.port, ports) || ` It has: ${ports.join(", ")}.`}`,
    );
}
