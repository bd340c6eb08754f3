// Asks the daemon for an act and says how it went. A refusal is a sentence with its ways out, not an alarm.

import type { Client } from "../../client/client.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { type ActName, type RunAct, toCommand, wordsOf } from "../model/run-acts.ts";
import type { Toasts } from "./toasts.ts";

export async function perform(
  { client, toasts }: { readonly client: Client; readonly toasts: Toasts },
  {
    act,
    run,
    text = wordsOf(act.name, run),
  }: { readonly act: RunAct; readonly run: Run; readonly text?: string | undefined },
): Promise<boolean> {
  const { id } = run;
  try {
    const next = await callAct(client, act.name, run, text);
    const { undo } = act;
    toasts.did({
      tone: calm.has(act.name) ? "rest" : "go",
      title: next === undefined ? `${id} ${act.done}` : `${id} ${act.done}, as ${next}`,
      about: id,
      detail: run.title,
      command: toCommand(act.name, id, text),
      undo: undo === undefined ? undefined : () => void takeBack({ client, toasts }, undo, run),
    });
    return true;
  } catch (error) {
    showRefusal(toasts, `${act.label.replace("…", "")} ${id}`, error);
    return false;
  }
}

/** What ends or refuses something is nothing to be cheered. */
const calm: ReadonlySet<ActName> = new Set(["stop", "reject", "remove", "deny"]);

export function showRefusal(toasts: Toasts, what: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const ways = error instanceof ProtocolError ? error.ways : [];
  toasts.note({ tone: "stop", title: `Not done: ${what}`, detail: [message, ...ways].join(" ") });
}

async function takeBack(
  { client, toasts }: { readonly client: Client; readonly toasts: Toasts },
  name: ActName,
  run: Run,
): Promise<void> {
  try {
    await callAct(client, name, run, "");
    toasts.did({ tone: "rest", about: run.id, title: `${run.id}: taken back`, command: toCommand(name, run.id, "") });
  } catch (error) {
    showRefusal(toasts, `undo for ${run.id}`, error);
  }
}

type Call = (
  client: Client,
  run: string,
  text: string,
  question: string | undefined,
) => Promise<{ readonly run?: string } | object>;

const calls: Readonly<Record<ActName, Call>> = {
  answer: (client, run, text, question) => client.call("run.answer", { run, text, question }),
  allow: (client, run, question) => client.call("run.answer", { run, text: "allow", question }),
  deny: (client, run, question) => client.call("run.answer", { run, text: "deny", question }),
  approve: (client, run, seen) => client.call("run.approve", { run, seen }),
  return: (client, run, message) => client.call("run.return", { run, message }),
  reject: (client, run, message) => client.call("run.reject", { run, message }),
  continue: (client, run, message) => client.call("run.continue", { run, message }),
  steer: (client, run, message) => client.call("run.steer", { run, message }),
  interrupt: (client, run, message) => client.call("run.steer", { run, message, interrupt: true }),
  pause: (client, run) => client.call("run.pause", { run }),
  resume: (client, run) => client.call("run.resume", { run }),
  retry: (client, run) => client.call("run.retry", { run }),
  stop: (client, run) => client.call("run.stop", { run }),
  remove: (client, run) => client.call("run.remove", { run }),
};

/** The id of the run that came of it, where one did. */
async function callAct(client: Client, name: ActName, run: Run, text: string): Promise<string | undefined> {
  const answer = await calls[name](client, run.id, text, run.question?.id);
  return "run" in answer && typeof answer.run === "string" ? answer.run : undefined;
}
