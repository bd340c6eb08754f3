// Events by what they are about, and the command that shows the same ones.

import type { InputOf } from "../../protocol/operations.ts";
import { toShell } from "./shell-text.ts";

/** Each kind as the beginnings of its types. */
export const eventKinds: readonly { readonly label: string; readonly types: readonly string[] }[] = [
  { label: "Runs", types: ["run.", "outputs.", "task."] },
  { label: "Calls at the door", types: ["call."] },
  { label: "Leases and queues", types: ["lease.", "claim.", "family.", "unit."] },
  {
    label: "Changes and landing",
    types: [
      "landing.",
      "mainline.",
      "run.landed",
      "run.approved",
      "run.conflicted",
      "paths.",
      "works.",
      "trash.",
      "rewind.",
    ],
  },
  { label: "Agents and services", types: ["agent.", "service.", "hook.", "assistant.", "warning."] },
  { label: "Models and cost", types: ["model.", "price."] },
  { label: "Network", types: ["egress."] },
  { label: "Terminals", types: ["terminal."] },
  { label: "Settings", types: ["project.", "policy.", "profile.", "runner.", "preset."] },
  { label: "The daemon", types: ["engine.", "room."] },
];

/** Which events are shown, as the address says it. */
export type EventFilter = {
  /** Name of a project. */
  readonly project: string | null;
  readonly types: readonly string[];
  /** A run's id, or an agent's name or id. */
  readonly of: string | null;
  readonly unit: string | null;
  readonly find: string;
};

export function isFiltered({ project, types, of, unit, find }: EventFilter): boolean {
  return project !== null || types.length > 0 || of !== null || unit !== null || find.trim() !== "";
}

/** What the daemon is asked for. */
export function toEventInput({ project, types, of, unit, find }: EventFilter): InputOf<"events.read"> {
  return {
    ...(project === null ? {} : { project }),
    ...(types.length === 0 ? {} : { types: [...types] }),
    ...(of === null ? {} : isRun(of) ? { run: of } : { agent: of }),
    ...(unit === null ? {} : { unit }),
    ...(find.trim() === "" ? {} : { find: find.trim() }),
  };
}

/** The command that shows the same events; following, it goes on. */
export function toEventsCommand(filter: EventFilter, isFollowing: boolean): string {
  const { project, types, of, unit, find } = filter;
  return [
    "signalbox events",
    ...(isFollowing ? ["-f"] : []),
    "-n 100",
    ...types.map((type) => `--type ${type}`),
    ...(of === null ? [] : [`--${isRun(of) ? "run" : "agent"} ${toShell(of)}`]),
    ...(unit === null ? [] : [`--unit ${toShell(unit)}`]),
    ...(find.trim() === "" ? [] : [`--find ${toShell(find.trim())}`]),
    ...(project === null ? [] : [`--project ${toShell(project)}`]),
  ].join(" ");
}

function isRun(id: string): boolean {
  return /^r_[0-9a-z]+$/.test(id);
}
