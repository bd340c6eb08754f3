// Tries a candidate with the project's own commands, in a workspace that is made for it and thrown away: derived files are
// made again, then the test looks at it all. A red test is tried once more: what is green then is marked as flaky. One that
// takes too long is not.

import { join } from "node:path";
import { lastWords } from "../../base/last-words.ts";
import { type Project, testTimeMsDefault } from "../../core/project/project.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import type { Ways } from "../egress/egress-ways.ts";
import { keepOutput } from "../tool-host/keep-output.ts";
import type { OwnDependencies } from "../workspace/own-dependencies.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { PlaceLimits, Workspaces } from "../workspace/workspaces.ts";
import type { TestOutcome } from "./lander.ts";
import { type Failed, rebuildDerived, type RunCommand } from "./rebuild-derived.ts";

const prefix = "landing-";

/** When they are over: of the daemon, which leaves everything to the next one, and of whoever wanted to know. */
export type TrySignals = { readonly closing: AbortSignal; readonly unwanted: AbortSignal };

/** Whose candidate it is, and the folder of what that run leaves to read. */
export type TriedFor = {
  readonly run: string;
  readonly folder: string;
  /** What its commands may use. */
  readonly limits: PlaceLimits;
  /** Whose dependencies its test may stand on, where the run may lend any (LD45). */
  readonly own: Omit<OwnDependencies, "lacks"> | undefined;
  /** Opens the way out that commands for derived files have, by this name, where they have one (LD54); and shuts it. */
  readonly open: (name: string) => Promise<Ways>;
  readonly shut: (name: string) => Promise<void>;
};

/** The project knows its own command; only so much of it is needed to tell which. */
const commandCharsMax = 60;

/** What the run's record has of a command that failed on its candidate. */
const outputName = "landing-test.txt";

export async function tryCandidate(
  workspaces: Workspaces,
  { project, commit }: { readonly project: Project; readonly commit: string },
  of: TriedFor,
  { closing, unwanted }: TrySignals,
): Promise<TestOutcome> {
  if (project.landingTest === null && project.derived.length === 0) return { tested: "untested" };
  const agent = `${prefix}${project.id}-${commit.slice(0, 16)}`;
  const lacking: string[] = [];
  const lacks = (lock: string, folder: string): void => void lacking.push(`${folder} for ${lock}`);
  // What commands for derived files make lands unseen: they execute nothing that only this run has left.
  const own = of.own === undefined || project.derived.length > 0 ? undefined : { ...of.own, lacks };
  try {
    const ways = await of.open(agent);
    // Only the commands that may use the way are told of it.
    const workspace = await workspaces.of(agent, project, {
      ...{ commit, limits: of.limits, warm: true, own },
      ways: () => Promise.resolve({ bridges: ways.bridges, env: {} }),
    });
    const derive = { env: ways.env, shut: () => of.shut(agent) };
    const outcome = await tryIn(workspace, project, derive, AbortSignal.any([closing, unwanted]));
    if (!("failed" in outcome)) return outcome;
    const kept = join(of.folder, "artifacts", outputName);
    const { leftOut, none } = await keepOutput(workspace.keeper, outcome.failed.call, kept);
    return { red: toRed(outcome.failed, of.run, { lacking, leftOut: none === true ? null : leftOut }) };
  } catch (error) {
    if (unwanted.aborted && !closing.aborted) return "unwanted";
    throw error;
  } finally {
    await of.shut(agent);
    // Whoever tries again makes another candidate, in another place. What a daemon leaves is for the next one.
    if (!closing.aborted) await workspaces.remove(agent, project);
  }
}

type Tried = Extract<TestOutcome, { tested: unknown }> | { readonly failed: Failed };

type Derive = { readonly env: Ways["env"]; readonly shut: () => Promise<void> };

async function tryIn(workspace: Workspace, project: Project, derive: Derive, signal: AbortSignal): Promise<Tried> {
  const { keeper } = workspace;
  const { testTimeMs: timeoutMs = testTimeMsDefault } = project;
  const runWith =
    (env: Ways["env"]): RunCommand =>
    async (call, argv) => {
      await keeper.request({ op: "start", call, argv, cwd: null, env, timeoutMs }, signal);
      return (await keeper.request({ op: "wait", call }, signal)) as CommandEnd;
    };
  const rebuilt = await rebuildDerived(workspace, project.derived, runWith(derive.env));
  await derive.shut();
  if (!rebuilt.ok) return rebuilt;
  const tested = await runTest(project.landingTest, runWith({}));
  return "tested" in tested ? { ...tested, derived: rebuilt.entries } : tested;
}

async function runTest(argv: readonly string[] | null, run: RunCommand): Promise<Tried> {
  if (argv === null) return { tested: "untested" };
  const first = await run("test", argv);
  if (first.exit === 0) return { tested: "passed" };
  if (first.why === "timed-out") return { failed: { call: "test", argv, end: first } };
  const second = await run("again", argv);
  return second.exit === 0 ? { tested: "flaky" } : { failed: { call: "again", argv, end: second } };
}

/** How a command failed, in one line: with what it said last, and where the rest of it is. */
export function toRed(
  { argv, end: { exit, tail, why } }: Omit<Failed, "call">,
  run: string,
  { lacking = [], leftOut = 0 }: { readonly lacking?: readonly string[]; readonly leftOut?: number | null } = {},
): string {
  const how = why === "timed-out" ? "was not done in the time that it has" : `ended with ${exit}`;
  const said = lastWords(tail);
  const much = leftOut === 0 ? "all that" : `all but ${leftOut} bytes of what`;
  const all = said === "" || leftOut === null ? "" : ` (${much} it said: signalbox artifacts ${run} ${outputName})`;
  const command = argv.join(" ").replaceAll(/\s+/g, " ");
  const shown = command.length > commandCharsMax ? `${command.slice(0, commandCharsMax - 1)}…` : command;
  return `${shown} ${how}${said === "" ? "" : `: ${said}`}${all}${toLack(lacking)}`;
}

/** What the test may have wanted, and how it gets that. */
function toLack(lacking: readonly string[]): string {
  if (lacking.length === 0) return "";
  return `; it had no ${lacking.join(", nor ")}: the run has to install by this very lock file before it finishes, or the test by itself`;
}

/** The project of a candidate whose workspace was left behind. */
export function candidateProject(agent: string): string | undefined {
  return agent.startsWith(prefix) ? agent.slice(prefix.length, agent.lastIndexOf("-")) : undefined;
}
