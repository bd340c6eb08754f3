import { type ReactNode, useMemo } from "react";
import type { InputOf } from "../../protocol/operations.ts";
import type { Task } from "../../protocol/wire/task.ts";
import { useBox } from "../live/live-context.tsx";
import { toStartCommand } from "../model/told-commands.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Panel } from "../parts/panel.tsx";
import { goTo } from "../shell/address.ts";
import { toRunPage } from "../shell/link.tsx";
import { Editor } from "./editor.tsx";
import { useKnownFields } from "./use-known.ts";
import { useFields } from "./use-schema.ts";
import { useSettingActs } from "./use-setting-acts.ts";

const nothing = {};
/** The task says what is wanted; these say who does it, and how. */
const startingFields: readonly string[] = ["runner", "profile", "script", "command", "plan", "priority", "tags"];

/** Runs a task once more. */
export function StartTask({ task }: { readonly task: Task }): ReactNode {
  const { client } = useBox();
  const { fields, trouble, again } = useFields("run.submit");
  const { say } = useSettingActs();
  const starting = useMemo(() => fields?.filter(({ path }) => startingFields.includes(path)) ?? null, [fields]);
  const own = useKnownFields(starting);
  const start = async (value: Record<string, unknown>): Promise<void> => {
    const request = { ...value, project: task.project, task: task.id } as InputOf<"run.submit">;
    const { run } = await client.call("run.submit", request);
    say({ title: `${run} is submitted`, command: toStartCommand(task.id, task.projectName, value) });
    goTo({ ...toRunPage(run), at: null });
  };
  return (
    <Panel name="start" title="Run it" meta={task.runs.length === 0 ? undefined : `${task.runs.length} so far`}>
      <div role="group" aria-label="Who does it">
        {own === null ? (
          <Awaited what="Reading which fields there are" trouble={trouble} again={again} />
        ) : (
          <Editor fields={own} value={nothing} save="Run it" onSave={start} />
        )}
      </div>
    </Panel>
  );
}
