// What somebody inside reads when they may not go there. It is often a model, which passes it on to a person.

import { unreachable } from "../../base/assert.ts";
import type { RunEgress, Target } from "../../core/egress/egress.ts";
import type { EgressRefusal } from "../../core/egress/egress-events.ts";

/** Whose connections these are, as people call them. */
export type WhoseEgress = {
  readonly kind: "run" | "agent";
  readonly name: string;
  readonly project: () => string;
};

type Refused = { readonly status: number; readonly phrase: string; readonly body: string };

const phrases: Readonly<Record<number, string>> = { 403: "Forbidden", 502: "Bad Gateway", 503: "Service Unavailable" };

export function toRefusal(whose: WhoseEgress, egress: RunEgress, target: Target, why: EgressRefusal): Refused {
  const status = statusOf(why);
  const sentence = sentenceOf(whose, egress, target, why);
  // Most programs show the first line of an answer and nothing else of it.
  const phrase = `${phrases[status] ?? ""}${shortly(target, why)}`;
  return { status, phrase, body: `signalbox: ${sentence}\n` };
}

/** Why, in as few words as there are; nothing where the status says it. */
function shortly(target: Target, why: EgressRefusal): string {
  switch (why) {
    case "not-listed":
      return `: ${spell(target)} is not on the allow-list`;
    case "private-address":
      return `: ${spell(target)} leads to an address that is not public`;
    case "no-network":
      return `: ${spell(target)} is out of reach, there is no network`;
    case "other-name":
      return `: ${spell(target)} was asked for, and another name inside TLS`;
    case "unknown-host":
    case "unreachable":
    case "too-many":
      return "";
    default:
      return unreachable(why);
  }
}

function sentenceOf(whose: WhoseEgress, egress: RunEgress, target: Target, why: EgressRefusal): string {
  const project = whose.project();
  const who = `${whose.kind} ${whose.name}`;
  const allow = (what: string): string => `signalbox project change ${project} --allow ${what}`;
  switch (why) {
    case "not-listed":
      if (whose.kind === "agent" && egress.isOwn === true)
        return `${spell(target)} is not on the list of ${who}. A person can put it there: egress in its template has the list.`;
      return `${spell(target)} is not on the allow-list of project ${project}. A person can allow it, also while this goes on: ${allow(entryOf(target))}`;
    case "private-address":
      return `${target.host} does not lead to a public address. If that is meant, a person can allow that very address as ADDRESS:${target.port}; signalbox egress ${whose.name} shows which one it is.`;
    case "no-network":
      return egress.policy === null
        ? `${who} has no network. A person can give it one: ${whose.kind === "run" ? `signalbox project change ${project} --egress list` : "egress: list in its template"}`
        : `${who} has no network: policy ${egress.policy} allows none.`;
    case "other-name":
      return `the name inside TLS is not ${target.host}.`;
    case "unknown-host":
      return `${target.host} has no address: is the name right, and does this machine reach its name server?`;
    case "unreachable":
      return `${spell(target)} is allowed and does not answer.`;
    case "too-many":
      return `${who} has too many connections at once; close some and try again.`;
    default:
      return unreachable(why);
  }
}

function statusOf(why: EgressRefusal): number {
  if (why === "too-many") return 503;
  return why === "unknown-host" || why === "unreachable" ? 502 : 403;
}

function spell({ host, port }: Target): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** As short as the list takes it. */
function entryOf(target: Target): string {
  return target.port === 443 || target.port === 80 ? spell(target).replace(/:\d+$/, "") : spell(target);
}
