// The rows of the tracks: which runs, in which order, grouped by project. The order is kept while a run works, so that no
// row jumps under the pointer: first what is on the line, by its start; then what waits to start; then what ended.

import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Project } from "../../protocol/wire/project.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { agentSignals } from "./agent-signals.ts";
import { isOver, signals, type Tone } from "./signals.ts";

export type LaneFilter = { readonly project: string | null; readonly tone: Tone | null; readonly find: string };

export type LaneGroup = {
  readonly project: string;
  readonly name: string;
  readonly runs: readonly Run[];
  /** Living agents whose run, if they have one, has no lane. */
  readonly agents: readonly AgentView[];
  /** Ended runs that are left off. */
  readonly left: number;
};

const endedMax = 6;

export function toLaneGroups(
  { runs, agents }: { readonly runs: Iterable<Run>; readonly agents: readonly AgentView[] },
  projects: readonly Project[],
  filter: LaneFilter,
): readonly LaneGroup[] {
  const wanted = [...runs].filter((run) => isWanted(run, filter));
  const byProject = Map.groupBy(wanted, (run) => run.project);
  const agentsByProject = Map.groupBy(
    agents.filter((agent) => isAgentWanted(agent, filter)),
    (agent) => agent.project,
  );
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const groups = [...new Set([...byProject.keys(), ...agentsByProject.keys()])].map((project) => {
    const own = byProject.get(project) ?? [];
    const agentsHere = agentsByProject.get(project) ?? [];
    const ended = own.filter((run) => isOver(run.state)).toSorted(byEnd);
    // Whoever asked for ended runs, or looks for one by name, sees all; else only the newest.
    const shown = filter.tone === null && filter.find === "" ? ended.slice(0, endedMax) : ended;
    const atWork = own.filter((run) => !isOver(run.state) && run.state !== "queued").toSorted(byStart);
    const queued = own.filter((run) => run.state === "queued").toSorted(byPriority);
    return {
      project,
      name: names.get(project) ?? own[0]?.projectName ?? agentsHere[0]?.projectName ?? project,
      runs: [...atWork, ...queued, ...shown],
      agents: withoutLane(agentsHere, atWork),
      left: ended.length - shown.length,
    };
  });
  return groups.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What is broken comes first, then by name, so that no row jumps. Runs change far more often than agents: these are put in order apart. */
export function inOrder(agents: Iterable<AgentView>): readonly AgentView[] {
  const rank = ({ state }: AgentView): number => (state === "error" ? 0 : 1);
  return [...agents].toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** A run and its agent share a lane. */
function withoutLane(agents: readonly AgentView[], runs: readonly Run[]): readonly AgentView[] {
  const shown = new Set(runs.map(({ id }) => id));
  return agents.filter(({ run }) => run === null || !shown.has(run));
}

/** One that is stopped is at rest: it has a lane for whoever looks for that. */
function isAgentWanted(agent: AgentView, { project, tone, find }: LaneFilter): boolean {
  if (project !== null && agent.project !== project) return false;
  if (tone !== null && agentSignals[agent.state].tone !== tone) return false;
  if (tone === null && find === "" && agent.state === "stopped") return false;
  const sought = find.trim().toLowerCase();
  if (sought === "") return true;
  return [agent.id, agent.name, agent.state].some((word) => word.toLowerCase().includes(sought));
}

/** Whether a text that someone looks for is in what identifies the run. */
export function doesMatch(run: Run, find: string): boolean {
  const sought = find.trim().toLowerCase();
  if (sought === "") return true;
  const words = [run.id, run.title, run.runner, run.state, ...run.tags, ...run.holds];
  return words.some((word) => word.toLowerCase().includes(sought));
}

function isWanted(run: Run, { project, tone, find }: LaneFilter): boolean {
  if (project !== null && run.project !== project) return false;
  if (tone !== null && signals[run.state].tone !== tone) return false;
  return doesMatch(run, find);
}

function byStart(a: Run, b: Run): number {
  return (a.startedAtMs ?? a.submittedAtMs) - (b.startedAtMs ?? b.submittedAtMs) || a.submittedAtMs - b.submittedAtMs;
}

function byPriority(a: Run, b: Run): number {
  return b.priority - a.priority || a.submittedAtMs - b.submittedAtMs;
}

function byEnd(a: Run, b: Run): number {
  return (b.endedAtMs ?? 0) - (a.endedAtMs ?? 0);
}
