import { showScope } from "../../protocol/show-scope.ts";
import type { Task } from "../../protocol/wire/task.ts";
import type { Now } from "../now.ts";
import { showDuration } from "../text/duration.ts";
import { toSize } from "../text/size.ts";
import { joinWords } from "../text/split-words.ts";
import type { Field } from "./fields-view.ts";

export function toTaskFields(task: Task, now: Now): Field[] {
  return [
    ["task", task.id],
    ["title", task.title],
    ["description", task.description.split("\n")],
    ["project", `${task.projectName} (${task.project})`],
    ["wanted by", task.by],
    ["accepted by", task.acceptance === null ? "" : joinWords(task.acceptance)],
    ["scope", showScope(task.scope)],
    ["comes along", task.attachments.flatMap(toAttached)],
    ["cancelled", task.cancelled ? "yes" : ""],
    ["runs", task.runs.join(", ")],
    ["added", `${showDuration(now.since(task.atMs))} ago`],
  ];
}

function toAttached({ kind, name, text, bytes }: Task["attachments"][number]): string[] {
  if (kind === "file") return [`${name}, a file of ${toSize(bytes ?? 0)}`];
  return `${name}: ${text ?? ""}`.split("\n");
}
