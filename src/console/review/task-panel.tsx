import type { ReactNode } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { Panel } from "../parts/panel.tsx";
import { TaskWords } from "../run/task-words.tsx";
import { Link } from "../shell/link.tsx";

/** What the run is to do, with what comes along. */
export function TaskPanel({ run }: { readonly run: Run }): ReactNode {
  const newest = useNewest(({ type }) => type.startsWith("task."));
  const { value } = useAsked({
    subject: `task ${run.task}`,
    stamp: `${newest} ${run.state}`,
    ask: (client, signal) => client.call("task.get", { task: run.task }, { signal }),
  });
  if (value === null) return null;
  const { task } = value;
  return (
    <Panel
      name="task"
      title="Task"
      end={
        task.kept ? (
          <Link to={{ place: "section", id: "tasks", item: task.id }} className="btn plain">
            {task.id}
          </Link>
        ) : undefined
      }
    >
      <TaskWords task={task} />
    </Panel>
  );
}
