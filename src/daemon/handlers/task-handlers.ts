// Tasks: made, changed, shown, removed. The bytes of a file are durable before the engine hears of it; where it then says no,
// nothing names them, and the collector lets them go (TK11).

import { protocolError } from "../../protocol/errors.ts";
import type { Attachment } from "../../core/task/task-state.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { taskOperations } from "../../protocol/operations/task.ts";
import type { Attach } from "../../protocol/wire/task.ts";
import type { Caller, Context, Handlers } from "../context.ts";
import { from, nextOf } from "../views/page.ts";
import { findProject } from "../views/project-view.ts";
import { findTask, toTask } from "../views/task-view.ts";
import { idOf } from "./id-of.ts";

export const taskHandlers: Handlers<keyof typeof taskOperations> = {
  "task.add": (context, input, caller, reply) => context.later(addTask(context, input, caller), reply),
  "task.change": (context, { task, ...words }, caller, reply) =>
    context.submit(caller, { type: "task.change", task, words }, reply, () => ({})),
  "task.attach": (context, input, caller, reply) => context.later(attach(context, input, caller), reply),
  "task.detach": (context, { task, name }, caller, reply) =>
    context.submit(caller, { type: "task.detach", task, name }, reply, () => ({})),
  "task.attachment": (context, { task, name }, _caller, reply) =>
    context.readThen(
      (state) => findTask(state, task).attachments.find((each) => each.name === name),
      (found) => readAttachment(context, name, found),
      reply,
    ),
  "task.list": (context, { project, kept, limit, after }, _caller, reply) =>
    context.read((state) => {
      const only = project === undefined ? null : findProject(state, project).id;
      const found = [...state.tasks.values()]
        .filter((task) => (only === null || task.project === only) && (kept === undefined || task.kept === kept))
        .toReversed();
      const page = from(found, after).slice(0, limit);
      return { tasks: page.map((task) => toTask(state, task)), next: nextOf(found, page), total: found.length };
    }, reply),
  "task.get": (context, { task }, _caller, reply) =>
    context.read((state) => ({ task: toTask(state, findTask(state, task)) }), reply),
  "task.cancel": (context, { task }, caller, reply) =>
    context.submit(caller, { type: "task.cancel", task }, reply, () => ({})),
  "task.remove": (context, { task }, caller, reply) =>
    context.submit(caller, { type: "task.remove", task }, reply, () => ({})),
};

async function addTask(
  context: Context,
  input: ParsedInputOf<"task.add">,
  caller: Caller,
): Promise<OutputOf<"task.add">> {
  const { title, description, acceptance, scope, key } = input;
  const { id: project } = findProject(context.state, input.project);
  const attachments: Attachment[] = [];
  for (const each of input.attachments) attachments.push(await keep(context, each));
  const words = { title, description, acceptance, scope };
  return { task: idOf(await context.ask(caller, { type: "task.add", project, ...words, attachments, key })) };
}

async function attach(
  context: Context,
  { task, attachment }: ParsedInputOf<"task.attach">,
  caller: Caller,
): Promise<Record<string, never>> {
  findTask(context.state, task);
  await context.ask(caller, { type: "task.attach", task, attachment: await keep(context, attachment) });
  return {};
}

/** What comes along as the log has it: of a file the name of its bytes. */
async function keep({ parts }: Context, attach: Attach): Promise<Attachment> {
  if (attach.kind !== "file") return attach;
  const bytes = Buffer.from(attach.base64, "base64");
  return { kind: "file", name: attach.name, blob: await parts.blobs.put(bytes), bytes: bytes.length };
}

async function readAttachment(
  context: Context,
  name: string,
  found: Attachment | undefined,
): Promise<OutputOf<"task.attachment">> {
  const bytes = found === undefined ? null : await bytesOf(context, found);
  if (bytes === null) throw protocolError("not-found", { kind: "attachment", id: name });
  return { base64: bytes.toString("base64"), bytes: bytes.length };
}

async function bytesOf({ parts }: Context, attachment: Attachment): Promise<Buffer | null> {
  if (attachment.kind !== "file") return Buffer.from(attachment.kind === "note" ? attachment.text : attachment.url);
  const bytes = await parts.blobs.get(attachment.blob);
  return bytes === null ? null : Buffer.from(bytes);
}
