import { type ReactNode, useMemo } from "react";
import type { InputOf } from "../../protocol/operations.ts";
import { useBox, useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import type { Field } from "../model/form-fields.ts";
import { toTaskCommand } from "../model/told-commands.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { goTo, newItem, useAddress } from "../shell/address.ts";
import { Editor } from "./editor.tsx";
import { OneTask } from "./one-task.tsx";
import { SettingList } from "./setting-list.tsx";
import { StartTask } from "./start-task.tsx";
import { useFields } from "./use-schema.ts";
import { useSettingActs } from "./use-setting-acts.ts";

const cancelled = { word: "Cancelled", icon: "terminated", tone: "rest" } as const;
const empty = "A task says what is wanted, within which paths, and what comes along; it can be run once or often.";

/** What is wanted, apart from who does it when. */
export function TasksSection(): ReactNode {
  const { item } = useAddress();
  const newest = useNewest(
    ({ type }) => type.startsWith("task.") || type === "run.submitted" || type === "run.removed",
  );
  const { value, trouble, again } = useAsked({
    subject: "tasks",
    stamp: newest,
    ask: (client, signal) => client.call("task.list", { kept: true, limit: 1000 }, { signal }),
  });
  const tasks = value?.tasks ?? null;
  const rows = useMemo(
    () =>
      tasks?.map((task) => ({
        id: task.id,
        name: toVisible(task.title),
        words: `${task.id} · ${task.projectName}`,
        ...(task.cancelled ? { look: cancelled } : {}),
      })) ?? null,
    [tasks],
  );
  const task = tasks?.find(({ id }) => id === item);
  return (
    <>
      <SettingList title="Tasks" rows={rows} trouble={trouble} again={again} one="task" empty={empty} />
      <div className="setting-detail is-long">
        {item === newItem ? (
          <AddTask />
        ) : task === undefined ? (
          <Panel name={item === null ? "choose" : "setting"} title={item ?? "A task"}>
            <Quiet title={item === null ? "Choose a task, or make one" : `There is no task ${item}`} />
          </Panel>
        ) : (
          <>
            <OneTask key={task.id} task={task} />
            {task.cancelled ? null : <StartTask key={`start ${task.id}`} task={task} />}
          </>
        )}
      </div>
    </>
  );
}

/** What comes along is given once it is made; its project is one of those that are there. */
function toTaskFields(fields: readonly Field[], projects: readonly { readonly name: string }[]): Field[] {
  const options = projects.map(({ name }) => name);
  return fields.flatMap((field): Field[] => {
    if (field.path === "attachments" || field.path === "key") return [];
    return [field.path === "project" ? { ...field, kind: "choice", options, help: "" } : field];
  });
}

function AddTask(): ReactNode {
  const { client } = useBox();
  const { fields, trouble, again } = useFields("task.add");
  const { say } = useSettingActs();
  const { project } = useAddress();
  const projects = useLive((state) => state.projects);
  const own = useMemo(() => (fields === null ? null : toTaskFields(fields, projects)), [fields, projects]);
  // Where there is one project, or one is looked at, it is meant.
  const meant = project ?? (projects.length === 1 ? projects[0]?.name : undefined);
  const value = useMemo(() => ({ project: meant }), [meant]);
  const add = async (words: Record<string, unknown>): Promise<void> => {
    const { task } = await client.call("task.add", words as InputOf<"task.add">);
    say({ title: `${task} is made`, command: toTaskCommand(words), undo: () => client.call("task.remove", { task }) });
    goTo({ item: task }, "replace");
  };
  return (
    <Panel name="setting" title="A new task" meta="something can come along once it is made">
      <div className="setting-scroll" tabIndex={0} role="group" aria-label="What is wanted">
        {own === null ? (
          <Awaited what="Reading which fields there are" trouble={trouble} again={again} />
        ) : (
          <Editor fields={own} value={value} save="Make the task" onSave={add} />
        )}
      </div>
    </Panel>
  );
}
