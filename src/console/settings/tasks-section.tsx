import { type ReactNode, useMemo } from "react";
import type { InputOf } from "../../protocol/operations.ts";
import type { Task } from "../../protocol/wire/task.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { goTo, newItem, useAddress } from "../shell/address.ts";
import { toRunPage } from "../shell/link.tsx";
import { TaskWords } from "../run/task-words.tsx";
import { AttachForm } from "./attach-form.tsx";
import { Editor } from "./editor.tsx";
import { SettingList } from "./setting-list.tsx";
import { useFields } from "./use-schema.ts";
import { useSettingActs } from "./use-setting-acts.ts";

const nothing = {};
const cancelled = { word: "Cancelled", icon: "terminated", tone: "rest" } as const;
const startingFields: readonly string[] = ["runner", "profile", "script", "command", "plan", "priority", "tags"];
const empty = "A task says what is wanted, within which paths, and what comes along; it can be run once or often.";

/** What is wanted, apart from who does it when. */
export function TasksSection(): ReactNode {
  const { item } = useAddress();
  const newest = useNewest(
    ({ type }) => type.startsWith("task.") || type === "run.submitted" || type === "run.removed",
  );
  const { value, trouble } = useAsked({
    subject: "tasks",
    stamp: newest,
    ask: (client, signal) => client.call("task.list", { kept: true, limit: 1000 }, { signal }),
  });
  const tasks = value?.tasks ?? null;
  const rows = useMemo(
    () =>
      tasks?.map((task) => ({
        id: task.id,
        name: task.id,
        words: `${task.title} · ${task.projectName}`,
        ...(task.cancelled ? { look: cancelled } : {}),
      })) ?? null,
    [tasks],
  );
  const task = tasks?.find(({ id }) => id === item);
  return (
    <>
      <SettingList title="Tasks" rows={rows} trouble={trouble} one="task" empty={empty} />
      <div className="setting-detail">
        {item === newItem ? (
          <AddTask />
        ) : task === undefined ? (
          <Panel name="setting" title={item ?? "A task"}>
            <Quiet title={item === null ? "Choose a task, or make one" : `There is no task ${item}`}>{empty}</Quiet>
          </Panel>
        ) : (
          <>
            <OneTask key={task.id} task={task} />
            <StartTask key={`start ${task.id}`} task={task} />
          </>
        )}
      </div>
    </>
  );
}

function AddTask(): ReactNode {
  const { client } = useBox();
  const { fields, trouble } = useFields("task.add");
  const { say } = useSettingActs();
  const own = useMemo(() => fields?.filter(({ path }) => path !== "attachments" && path !== "key") ?? null, [fields]);
  const add = async (value: Record<string, unknown>): Promise<void> => {
    const { task } = await client.call("task.add", value as InputOf<"task.add">);
    say({ title: `${task} is made`, undo: () => client.call("task.remove", { task }) });
    goTo({ item: task }, "replace");
  };
  return (
    <Panel name="setting" title="A new task" meta="something can come along once it is made">
      <div className="setting-scroll" tabIndex={0} role="group" aria-label="What is wanted">
        {own === null ? (
          <Quiet title={trouble ?? "Reading which fields there are …"} />
        ) : (
          <Editor fields={own} value={nothing} save="Make the task" onSave={add} />
        )}
      </div>
    </Panel>
  );
}

function OneTask({ task }: { readonly task: Task }): ReactNode {
  const { client } = useBox();
  const isLive = useIsLive();
  const { fields, trouble } = useFields("task.change");
  const { say, attempt } = useSettingActs();
  const own = useMemo(() => fields?.filter(({ path }) => path !== "task") ?? null, [fields]);
  const change = async (value: Record<string, unknown>): Promise<void> => {
    const before = Object.fromEntries(Object.keys(value).map((key) => [key, task[key as keyof Task]]));
    const set = (words: object): Promise<unknown> => client.call("task.change", { ...words, task: task.id });
    await set(value);
    say({ title: `${task.id}: ${Object.keys(value).join(", ")} changed`, undo: () => set(before) });
  };
  const remove = (): void =>
    attempt(`remove ${task.id}`, async () => {
      await client.call("task.remove", { task: task.id });
      say({ title: `${task.id} is removed`, command: `signalbox task rm ${task.id}` });
      goTo({ item: null }, "replace");
    });
  const detach = (name: string): void =>
    attempt(`take ${name} away`, async () => {
      await client.call("task.detach", { task: task.id, name });
      say({ title: `${name} does not come along with ${task.id} any more` });
    });
  return (
    <Panel
      name="setting"
      title={task.id}
      meta={task.projectName}
      end={<CopyButton text={`signalbox task show ${task.id}`} label="Copy the command that shows it" />}
    >
      <div className="setting-scroll" tabIndex={0} role="group" aria-label="What the task says">
        <TaskWords task={task} onDetach={isLive ? detach : undefined} />
        <AttachForm task={task.id} />
        {own === null ? (
          <Quiet title={trouble ?? "Reading which fields there are …"} />
        ) : (
          <Editor
            fields={own}
            value={task}
            isChange
            save="Save"
            onSave={change}
            end={
              <Button look="danger" disabled={!isLive || task.runs.length > 0} onClick={remove}>
                Remove
              </Button>
            }
          />
        )}
      </div>
    </Panel>
  );
}

function StartTask({ task }: { readonly task: Task }): ReactNode {
  const { client } = useBox();
  const { fields, trouble } = useFields("run.submit");
  const { say } = useSettingActs();
  const own = useMemo(() => fields?.filter(({ path }) => startingFields.includes(path)) ?? null, [fields]);
  const start = async (value: Record<string, unknown>): Promise<void> => {
    const request = { ...value, project: task.project, task: task.id } as InputOf<"run.submit">;
    const { run } = await client.call("run.submit", request);
    say({ title: `${run} is submitted`, command: `signalbox logs -f ${run}` });
    goTo(toRunPage(run));
  };
  return (
    <Panel name="start" title="Run it" meta={task.runs.length === 0 ? undefined : `${task.runs.length} so far`}>
      <div className="setting-scroll" tabIndex={0} role="group" aria-label="Who does it">
        {own === null ? (
          <Quiet title={trouble ?? "Reading which fields there are …"} />
        ) : (
          <Editor fields={own} value={nothing} save="Run it" onSave={start} />
        )}
      </div>
    </Panel>
  );
}
