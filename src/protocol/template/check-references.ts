// What texts name between `${` and `}`: that it is there, and which of several is meant.

import { didYouMean } from "../../base/did-you-mean.ts";
import type { Draft, DraftService } from "./draft.ts";
import type { Complain, Path } from "./problem.ts";
import { type Named, type Reference, referencesIn } from "./references.ts";
import type { Template } from "./template-schema.ts";

/** A text of a template, with the service that `self` is in it. */
type Text = { readonly path: Path; readonly text: unknown; readonly self: DraftService | undefined };

const forms = "${NAME.port}, ${NAME.ports.PORT}, ${NAME.url}, ${NAME.urls.PORT}, ${agent.name} or ${agent.id}";

export function checkReferences(template: Template, draft: Draft, complain: Complain, warn: Complain): void {
  const texts = [...agentTexts(template), ...hookTexts(template), ...draft.services.flatMap(serviceTexts)];
  for (const { path, text, self } of texts) {
    for (const named of referencesIn(String(text))) {
      const { reference } = named;
      if (reference === undefined) tellUnknown(draft, named, path, { complain, warn });
      else if (reference.of !== "agent") checkPort(draft, reference, { path, text: named.text, self }, complain);
    }
  }
  for (const service of draft.services) {
    for (const [at, text] of plainTexts(service)) {
      if (referencesIn(text).length > 0)
        complain([...service.path, ...at], "Nothing is filled in here, only in commands and variables. Write it out.");
    }
  }
}

function agentTexts({ env }: Template): Text[] {
  return Object.entries(env ?? {}).map(([name, text]) => ({ path: ["env", name], text, self: undefined }));
}

function hookTexts({ hooks = {} }: Template): Text[] {
  return Object.entries(hooks).flatMap(([name, said]) => {
    if (said === undefined) return [];
    const isPlain = typeof said === "string" || Array.isArray(said);
    const path: Path = ["hooks", name, ...(isPlain ? [] : ["command"])];
    const command = isPlain ? said : said.command;
    const words = Array.isArray(command)
      ? command.map((text, at) => ({ path: [...path, at], text }))
      : [{ path, text: command }];
    return words.map((word) => ({ ...word, self: undefined }));
  });
}

function serviceTexts(self: DraftService): Text[] {
  const { command, entrypoint, env = {}, health } = self.said;
  const own = (at: Path, text: unknown): Text => ({ path: [...self.path, ...at], text, self });
  const ofCommand = (at: Path, said: typeof command): Text[] => {
    if (said === undefined) return [];
    return Array.isArray(said) ? said.map((text, index) => own([...at, index], text)) : [own(at, said)];
  };
  return [
    ...ofCommand(["entrypoint"], entrypoint),
    ...ofCommand(["command"], command),
    ...ofCommand(["health", "command"], health?.command),
    ...Object.entries(env).map(([name, text]) => own(["env", name], text)),
  ];
}

function plainTexts({ said: { cwd, health } }: DraftService): [Path, string][] {
  const http = typeof health?.http === "string" ? health.http : health?.http?.path;
  const texts: [Path, string | undefined][] = [
    [["cwd"], cwd],
    [["health", "http"], http],
    [["health", "log"], health?.log],
  ];
  return texts.flatMap(([at, text]) => (text === undefined ? [] : [[at, text]]));
}

/** Something that begins like ours was meant for us; anything else may belong to a program that the text is for. */
function tellUnknown(
  draft: Draft,
  { text, first }: Named,
  path: Path,
  { complain, warn }: { readonly complain: Complain; readonly warn: Complain },
): void {
  if (first === "self" || first === "agent" || draft.byName.has(first))
    return complain(path, `${text} names nothing that there is. It can be ${forms}.`);
  warn(
    path,
    `${text} is left as it is, because it names nothing of this template. If it was meant to, it is ${forms}.`,
  );
}

function isGrouped({ said: { instances = 1, overlap = false } }: DraftService): boolean {
  return instances > 1 || overlap;
}

function checkPort(
  draft: Draft,
  { of, service: name, port }: Exclude<Reference, { of: "agent" }>,
  { path, text, self }: Text & { readonly text: string },
  complain: Complain,
): void {
  if (name === "self" && self === undefined)
    return complain(path, `${text} stands at the top, where no service is meant. Name the service instead of self.`);
  const target = name === "self" ? self : draft.byName.get(name);
  if (target === undefined) {
    if (!draft.isWhole) return;
    const meant = didYouMean(name, [...draft.byName.keys(), "self", "agent"]);
    return complain(
      path,
      `${text} names a service that is not there.${meant || " Add the service, or take this out."}`,
    );
  }
  if (name !== "self" && target === self && isGrouped(target))
    return complain(
      path,
      `${text} is the port of all instances of ${name} together, at which none of them can listen. Write ${text.replace(name, "self")}.`,
    );
  if (!target.isSure("ports")) return;
  const ports = target.said.ports ?? [];
  const list = `${of}s`;
  if (ports.length === 0)
    return complain(path, `${text} names a port, and ${target.name} has none. Give it one: ports: [http].`);
  if (port === null && ports.length > 1)
    return complain(
      path,
      `${text} could be any of the ports of ${target.name}. Write ${ports.map((each) => `\${${name}.${list}.${each}}`).join(" or ")}.`,
    );
  if (port !== null && !ports.includes(port))
    complain(
      path,
      `${text} names a port that ${target.name} does not have.${didYouMean(port, ports) || ` It has: ${ports.join(", ")}.`}`,
    );
}
