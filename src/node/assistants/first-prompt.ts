// What an assistant is told first: what is wanted, how this place works, what the project says of itself, and who holds what.

import type { ProfileSettings } from "../../core/profile/profile.ts";
import type { Attachment } from "../../core/task/task-state.ts";
import type { RunnerJob } from "../../ports/runner.ts";
import type { ReadAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { showScope } from "../../protocol/show-scope.ts";
import { artifactOfTask } from "../tool-host/artifacts.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { aboutMark } from "./peoples-words.ts";
import { aboutServers } from "./tool-servers.ts";

export type FirstPrompt = {
  readonly title: string;
  readonly description: string;
  /** A command that has to succeed before the result counts. */
  readonly acceptance: readonly string[] | null;
  /** What comes along with the task. */
  readonly attachments: readonly Attachment[];
  /** Files and folders that it may change; null is everything. */
  readonly scope: readonly string[] | null;
  /** Units that are its own already. */
  readonly plan: readonly string[];
  /** What the profile adds. */
  readonly parts: readonly string[];
  /** Files in which the project says how it wants to be worked on, with their text. */
  readonly conventions: readonly { readonly path: string; readonly text: string }[];
  /** Who holds what, a line each. */
  readonly held: readonly string[];
  /** Services that run beside it, each with where it is. */
  readonly services: readonly string[];
  /** What people said before it began. */
  readonly messages: readonly string[];
  /** What was done before it began; null where nothing was. */
  readonly before: string | null;
};

/** What whoever begins in the middle is told of the work so far; null where there was none. */
export function toBefore(job: Pick<RunnerJob, "handed" | "changed" | "landed" | "placed">): string | null {
  const { handed, landed, placed } = job;
  const changed = job.changed();
  if (handed === null && landed === null && placed === null && changed.length === 0) return null;
  const who =
    handed === null
      ? "You have worked on this before, in a conversation that is not there any more."
      : `${handed.from} worked on this before you and had to stop (${handed.failure}).`;
  const files = changed.length === 0 ? "No file was changed." : `Changed so far:\n${shorten(changed)}`;
  const parts = [
    `${who} The project is as that left it. ${files}`,
    ...(landed === null ? [] : [`It has landed, the last of it as ${landed.slice(0, 12)}.`]),
    ...toPlaced(placed),
    ...(handed === null || handed.said === "" ? [] : [`Its last words: ${handed.said}`]),
    "Look at how things stand, and go on from there.",
  ];
  return parts.join("\n");
}

/** What whoever was continued is told of the workspace. */
export function toPlaced(placed: RunnerJob["placed"]): string[] {
  if (placed === null) return [];
  return [placed === "again" ? aboutPlacedAgain : aboutPlacedFresh];
}

/** What is so for this run alone: how people speak to it, what it has beside the door, and what its profile adds. */
export function toParts(settings: ProfileSettings | null, mark: string | null): string[] {
  return [
    ...(mark === null ? [] : [aboutMark(mark)]),
    ...(settings?.tools === "native" ? [aboutNative] : []),
    ...aboutServers(settings),
    ...(settings?.prompt ?? []),
  ];
}

/** Where projects say it, in the order in which they are shown. */
const conventionFiles = ["AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md"] as const;
const conventionCharsMax = 8000;
const heldMax = 40;

const aboutNative =
  "Your own tools for files and commands work here, beside the door's. A file that somebody else has is waited for before you write to it, and what a command changes there is set aside.";

const aboutPlacedAgain = `This is the workspace as it was left: what was built or installed there is there. The project's own files are
as the project has them now, with what others have changed since.`;
const aboutPlacedFresh = `The workspace of before is gone. This is a fresh one, with the project's own files as the project has them now:
what was built or installed before, and every other file that the project does not track, is not there.`;

const place = `You work in a copy of the project, and only through the tools of the server "door": they read and change files and
run commands. Others work on the same project at the same time. A file is yours once you claimed it; writing claims it for
you. When a tool says that somebody else holds a file, do what it says: wait, or do something else first. Each answer with a
hash means that your change is applied. When the work is done, call finish with a sentence on what you did; a person looks at
it, and it lands.`;

const beside = `These services run in the same place, on the files that you change, and go on when you are done. Your commands
reach them at 127.0.0.1; their ports are in variables such as WEB_PORT and WEB_URL. The tool read_output, with the name of a
service, shows what it says.`;

export function toFirstPrompt(prompt: FirstPrompt): string {
  const { title, description, acceptance, attachments, scope, plan, conventions, held, messages, before, services } =
    prompt;
  const task = description === "" || description === title ? title : `${title}\n\n${description}`;
  const parts = [
    task,
    ...messages,
    ...prompt.parts,
    ...(acceptance === null ? [] : [`The result counts when this command succeeds: ${acceptance.join(" ")}`]),
    ...(scope === null ? [] : [`Change nothing outside of: ${showScope(scope)}. Whatever else you change is refused.`]),
    ...(attachments.length === 0 ? [] : [`# What comes along\n${attachments.map(toAttached).join("\n\n")}`]),
    ...(before === null ? [] : [`# Done so far\n${before}`]),
    `# How this place works\n${place}`,
    ...(services.length === 0 ? [] : [`# Running beside you\n${beside}\n${shorten(services)}`]),
    ...(plan.length === 0 ? [] : [`# Yours already\n${plan.join("\n")}`]),
    ...(held.length === 0 ? [] : [`# Held by others now\n${shorten(held)}`]),
    ...conventions.map(({ path, text }) => `# From the project's ${path}\n${cut(text.trim())}`),
  ];
  return parts.join("\n\n");
}

function toAttached(attachment: Attachment): string {
  const { kind, name } = attachment;
  if (kind === "note") return `${name}:\n${cut(attachment.text.trim(), `read_artifact shows ${artifactOfTask(name)}`)}`;
  if (kind === "link") return `${name}: ${attachment.url}`;
  return `${name}: a file of ${attachment.bytes} bytes; read_artifact shows it as ${artifactOfTask(name)}.`;
}

function shorten(lines: readonly string[]): string {
  const more = lines.length - heldMax;
  return [...lines.slice(0, heldMax), ...(more > 0 ? [`and ${more} more (the tool locks shows them)`] : [])].join("\n");
}

function cut(text: string, more = "read the file for the rest"): string {
  return text.length <= conventionCharsMax ? text : `${text.slice(0, conventionCharsMax)}\n[… ${more}]`;
}

/** What it hears when it is taken up again. */
/** What the project says of how one works in it. */
export async function readConventions(keeper: KeeperLine): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for (const path of conventionFiles) {
    const { bytes } = (await keeper.request({ op: "read", path })) as ReadAnswer;
    if (bytes !== null && "base64" in bytes) found.push({ path, text: Buffer.from(bytes.base64, "base64").toString() });
  }
  return found;
}

export function toNextPrompt(news: readonly string[]): string {
  return news.length === 0
    ? "You were interrupted. What you did so far is kept. Look at how things stand and go on."
    : news.join("\n\n");
}
