import type { RunFilter } from "./run-rows.ts";
import { toShell } from "./shell-text.ts";

/** The command line that lists the same runs. The project is given by its name. */
export function toPsCommand({ project, states, runner, tag, find }: RunFilter): string {
  const words = [
    "signalbox ps -a",
    ...(project === null ? [] : [`--project ${toShell(project)}`]),
    ...states.map((state) => `--state ${state}`),
    ...(tag === null ? [] : [`--tag ${toShell(tag)}`]),
    ...(runner === null ? [] : [`--runner ${toShell(runner)}`]),
    ...(find.trim() === "" ? [] : [`--find ${toShell(find.trim())}`]),
  ];
  return words.join(" ");
}
