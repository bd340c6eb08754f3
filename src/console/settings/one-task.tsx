import { type ReactNode, useMemo, useState } from "react";
import type { InputOf } from "../../protocol/operations.ts";
import type { Task } from "../../protocol/wire/task.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { toMany } from "../model/format.ts";
import { toShell } from "../model/shell-text.ts";
import { toTaskChangeCommand } from "../model/told-commands.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { TaskWords } from "../run/task-words.tsx";
import { goTo } from "../shell/address.ts";
import { AttachForm } from "./attach-form.tsx";
import { Editor } from "./editor.tsx";
import { useFields } from "./use-schema.ts";
import { useSettingActs } from "./use-setting-acts.ts";

/** What a task says and what comes along with it, and both to be changed. */
export function OneTask({ task }: { readonly task: Task }): ReactNode {
  const { client } = useBox();
  const isLive = useIsLive();
  const { fields, trouble, again } = useFields("task.change");
  const { say, attempt } = useSettingActs();
  const [isAsked, setAsked] = useState(false);
  const own = useMemo(() => fields?.filter(({ path }) => path !== "task") ?? null, [fields]);
  const change = async (value: Record<string, unknown>): Promise<void> => {
    const before = Object.fromEntries(Object.keys(value).map((key) => [key, task[key as keyof Task]]));
    const set = (words: object): Promise<unknown> => client.call("task.change", { ...words, task: task.id });
    await set(value);
    say({
      title: `${task.id}: ${Object.keys(value).join(", ")} changed`,
      command: toTaskChangeCommand(task.id, value),
      undo: () => set(before),
    });
  };
  const detach = (name: string): void =>
    attempt(`take ${name} away`, async () => {
      const { base64 } = await client.call("task.attachment", { task: task.id, name });
      await client.call("task.detach", { task: task.id, name });
      const gone = task.attachments.find((each) => each.name === name);
      const attachment = gone === undefined ? undefined : toAttachment(gone, base64);
      say({
        title: `${name} does not come along with ${task.id} any more`,
        command: `signalbox task detach ${task.id} ${toShell(name)}`,
        ...(attachment === undefined ? {} : { undo: () => client.call("task.attach", { task: task.id, attachment }) }),
      });
    });
  return (
    <Panel
      name="setting"
      title={toVisible(task.title)}
      meta={`${task.id} · ${task.projectName}`}
      end={<CopyButton text={`signalbox task show ${task.id}`} label="Copy the command that shows it" />}
    >
      <div role="group" aria-label="What the task says">
        <TaskWords task={task} onDetach={isLive ? detach : undefined} />
        <AttachForm task={task} />
        {own === null ? (
          <Awaited what="Reading which fields there are" trouble={trouble} again={again} />
        ) : (
          <Editor
            fields={own}
            value={task}
            isChange
            save="Save"
            onSave={change}
            end={<EndTask task={task} onCancel={() => setAsked(true)} />}
          />
        )}
      </div>
      {isAsked ? <CancelDialog task={task} onClose={() => setAsked(false)} /> : null}
    </Panel>
  );
}

/** As it was given, so that it can come along again. */
function toAttachment(
  { kind, name, text }: Task["attachments"][number],
  base64: string,
): InputOf<"task.attach">["attachment"] {
  if (kind === "file") return { kind, name, base64 };
  return kind === "link" ? { kind, name, url: text ?? "" } : { kind, name, text: text ?? "" };
}

/** One without a run is removed; one that has runs is cancelled, and they end with it. */
function EndTask({ task, onCancel }: { readonly task: Task; readonly onCancel: () => void }): ReactNode {
  const { client } = useBox();
  const isLive = useIsLive();
  const { say, attempt } = useSettingActs();
  const { id } = task;
  const remove = (): void =>
    attempt(`remove ${id}`, async () => {
      await client.call("task.remove", { task: id });
      say({ title: `${id} is removed`, command: `signalbox task remove ${id}` });
      goTo({ item: null }, "replace");
    });
  if (task.runs.length === 0)
    return (
      <Button look="danger" disabled={!isLive} onClick={remove}>
        Remove
      </Button>
    );
  if (task.cancelled) return <span className="dim">Cancelled; its runs are kept</span>;
  return (
    <Button look="danger" disabled={!isLive} onClick={onCancel}>
      Cancel the task…
    </Button>
  );
}

function CancelDialog({ task, onClose }: { readonly task: Task; readonly onClose: () => void }): ReactNode {
  const { client } = useBox();
  const { say, attempt } = useSettingActs();
  const { id } = task;
  const command = `signalbox cancel ${id}`;
  const cancel = (): void => {
    onClose();
    attempt(`cancel ${id}`, async () => {
      await client.call("task.cancel", { task: id });
      say({ title: `${id} is cancelled`, command });
    });
  };
  return (
    <ConfirmDialog
      title={`Cancel ${id}?`}
      what={toVisible(task.title)}
      command={command}
      keep="Keep it"
      go={`Cancel ${id}`}
      onClose={onClose}
      onGo={cancel}
    >
      <p>
        It has had {toMany(task.runs.length, "run")}. Those that are not over end as terminated, and it is not run
        again. What they wrote is kept.
      </p>
    </ConfirmDialog>
  );
}
