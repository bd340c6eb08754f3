// Takes a run in: reads its script, keeps the bytes, and only then asks the engine.

import { readScript } from "../../adapters/runner/script-reader.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { isMore, type EgressKind } from "../../core/egress/egress.ts";
import { mayUse, type ProfileSettings } from "../../core/profile/profile.ts";
import type { RunImage } from "../../core/project/image.ts";
import type { Project } from "../../core/project/project.ts";
import { runByKey } from "../../core/run/run-repeat.ts";
import { rootOf } from "../../core/state.ts";
import { assert } from "../../base/assert.ts";
import { ok } from "../../base/result.ts";
import { type ProtocolError, protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { Script } from "../../protocol/script.ts";
import type { Caller, Context } from "../context.ts";
import { findAgent } from "../views/agent-view.ts";
import { findProject } from "../views/project-view.ts";
import { findTask } from "../views/task-view.ts";
import { openDoor } from "./door-handlers.ts";
import { idOf } from "./id-of.ts";
import { knownRunner } from "./known-runner.ts";
import { mustBePerson } from "./must-be-person.ts";
import { mustKnow } from "./must-know.ts";
import { warningsOf } from "./run-warnings.ts";
import { whyNot } from "./must-be-able.ts";

export async function submitRun(
  context: Context,
  input: ParsedInputOf<"run.submit">,
  caller: Caller,
): Promise<OutputOf<"run.submit">> {
  const found = findProject(context.state, input.project);
  const { id: project, egress: granted } = found;
  const { nodes, blobs } = context.parts;
  if (input.profile !== null) mustKnow("profile", input.profile, [...context.state.profiles.keys()]);
  const known = runByKey(context.state, project, input.key);
  const isRepeated = known !== undefined && known.profile === input.profile;
  // Whoever asks again, with the same key, is understood as they were then, whatever the profile says by now.
  const profiled = isRepeated ? known.settings : context.state.profiles.get(input.profile ?? "")?.settings;
  const settings: ProfileSettings = profiled ?? {};
  mustKnow("node", input.node, nodes);
  const asked = input.runner ?? (isRepeated ? known.runner : undefined);
  const isKnown = isRepeated && asked === known.runner;
  const { runner, passed } = isKnown ? { runner: asked, passed: [] } : await chooseRunner(context, asked, settings);
  checkCommand(input, runner);
  checkSub(context, input, runner);
  const script = await parseOwnScript(input, runner);
  if (script !== undefined && !isRepeated) checkProcesses(script, found);
  const task = input.task === undefined ? undefined : findTask(context.state, input.task);
  checkWords(input);
  const title = task?.title ?? input.title ?? script?.task;
  if (title === undefined)
    throw protocolError("bad-input", { where: "title", why: "a run without a script needs a title" });
  const bytes = input.script === undefined ? null : await blobs.put(new TextEncoder().encode(input.script));
  const { description, scope, profile, node, priority, tags, dependsOn, parent, sub, key, noCage } = input;
  // Lifting the cage is for people.
  if (noCage) mustBePerson(caller, "a run without a cage");
  checkCage(input);
  const agent = input.agent === undefined ? undefined : findAgent(context.state, input.agent);
  if (agent !== undefined) checkAgent(input, agent, project);
  if (input.egress !== undefined && isMore(input.egress, granted.kind))
    mustBePerson(caller, "a run with more of the network");
  if (input.image !== undefined) mustBePerson(caller, "choosing an image");
  const image = input.image ?? imageFor(input, settings);
  // Building happens outside of every cage: what of, and that it happens, is for people to say.
  if (image !== undefined && image !== "none" && "dockerfile" in image) mustBePerson(caller, "building an image");
  const egress =
    input.egress ?? (agent === undefined ? undefined : "none") ?? egressOf(input, settings, granted.kind, caller);
  const answer = await context.ask(caller, {
    type: "run.submit",
    project,
    title,
    description,
    acceptance: input.acceptance,
    task: task?.id,
    scope,
    runner,
    profile,
    node,
    priority,
    tags,
    plan: input.plan ?? script?.plan ?? [],
    dependsOn,
    script: bytes,
    command: input.command,
    parent,
    sub,
    key,
    noCage: noCage ? true : undefined,
    egress,
    image,
    agent: agent?.id,
  });
  const run = idOf(answer);
  // Whoever asks again, with the same key, gets in as well.
  const door = runner === context.parts.doors.name ? await openDoor(context, run, "one-more") : null;
  const taken = context.state.runs.get(run);
  const plan = taken?.plan ?? [];
  const acceptance = task === undefined ? input.acceptance : task.acceptance;
  const warnings = await warningsOf(context, {
    input: { sub, acceptance },
    plan,
    project: found,
    runner,
    passed,
  });
  return { run, task: taken?.task ?? "", door, warnings };
}

/** A task that is there says what is wanted; who wants something else makes another one. */
function checkWords({ task, title, description, acceptance, scope }: ParsedInputOf<"run.submit">): void {
  if (task === undefined) return;
  const said = { title: title !== undefined, description: description !== "", acceptance: acceptance !== null };
  const where = Object.entries({ ...said, scope: scope.length > 0 }).find(([, isSaid]) => isSaid)?.[0];
  if (where !== undefined)
    throw protocolError("bad-input", { where, why: `the task ${task} says that; change it there` });
}

/** What a run has of the network, and its image, are matters of its cage, and sub-runs share that of their root. */
function checkCage({ egress, image, noCage, sub }: ParsedInputOf<"run.submit">): void {
  if (!noCage && !sub) return;
  if (egress !== undefined) {
    const why = sub ? "a sub-run has the network of its root" : "without a cage a run has all of the network";
    throw protocolError("bad-input", { where: "egress", why });
  }
  if (image === undefined) return;
  const why = sub ? "a sub-run has the image of its root" : "without a cage a run has the machine's own system";
  throw protocolError("bad-input", { where: "image", why });
}

/** What an agent has is there already, and the same for every run in it. */
function checkAgent({ egress, image, noCage, sub }: ParsedInputOf<"run.submit">, agent: Agent, project: string): void {
  const bad = (where: string, why: string): ProtocolError => protocolError("bad-input", { where, why });
  if (agent.project !== project) throw bad("agent", `${agent.name} is an agent of another project`);
  if (sub) throw bad("agent", "a sub-run works in the agent of its root");
  if (noCage) throw bad("noCage", "a run in an agent has the cage of the agent");
  if (egress !== undefined && egress !== (agent.spec.egress?.kind ?? "none"))
    throw bad("egress", "a run in an agent has the network of the agent");
  if (image !== undefined) throw bad("image", "a run in an agent has the system of the agent");
}

/** An assistant needs a cage that leads to models, and a sub-run has the cage of its root (RN19). */
function checkSub({ state, parts }: Context, { sub, parent }: ParsedInputOf<"run.submit">, runner: string): void {
  const found = state.runs.get(parent ?? "");
  if (!sub || found === undefined || !parts.inventory.isAssistant(runner)) return;
  const root = rootOf(state, found);
  if (parts.inventory.isAssistant(root.runner) || root.agent !== null) return;
  if (root.caged && mayUse(root.settings, "start_subrun")) return;
  const lack = root.caged ? "a profile that lets it start none" : "no cage, and so no way to models";
  const why = `a sub-run works in the place of its root, and ${root.id} has ${lack}; start a separate run`;
  throw protocolError("bad-input", { where: "runner", why });
}

/** What its profile grants it of the network; more than the project does only where a person submits. */
function egressOf(
  { noCage, sub }: ParsedInputOf<"run.submit">,
  { egress }: ProfileSettings,
  granted: EgressKind,
  caller: Caller,
): EgressKind | undefined {
  if (egress === undefined || noCage || sub) return undefined;
  return isMore(egress, granted) && caller.face !== "person" ? undefined : egress;
}

/** The image that its profile names: that of a cage which is made for it. */
function imageFor(
  { noCage, sub, agent }: ParsedInputOf<"run.submit">,
  { image }: ProfileSettings,
): RunImage | undefined {
  return noCage || sub || agent !== undefined ? undefined : image;
}

/** Who does it: the one that is named, or the first of its profile that is on this machine and that somebody pays for. */
async function chooseRunner(
  context: Context,
  named: string | undefined,
  { runner = "script", fallbacks = [] }: ProfileSettings,
): Promise<{ readonly runner: string; readonly passed: readonly ProtocolError[] }> {
  const candidates = named === undefined ? [runner, ...fallbacks] : [named];
  const passed: ProtocolError[] = [];
  for (const candidate of candidates.map((each) => knownRunner(context, each))) {
    const why = await whyNot(context, candidate);
    if (why === null) return { runner: candidate, passed };
    passed.push(why);
  }
  assert(passed[0] !== undefined, "somebody was asked");
  throw passed[0];
}

function checkCommand({ command }: ParsedInputOf<"run.submit">, runner: string): void {
  const isWanted = runner === "command";
  if ((command !== undefined) === isWanted) return;
  const why = isWanted ? "the runner command needs one" : `only the runner command takes one, and this is ${runner}`;
  throw protocolError("bad-input", { where: "command", why });
}

async function parseOwnScript(input: ParsedInputOf<"run.submit">, runner: string): Promise<Script | undefined> {
  if (input.script === undefined) {
    if (runner !== "script") return undefined;
    throw protocolError("bad-input", { where: "script", why: "the script runner needs a script" });
  }
  const script = runner === "script" ? await readScript(input.script) : ok(undefined);
  if (script.ok) return script.value;
  const { where, why } = script.refusal;
  throw protocolError("bad-script", { where, why });
}

/** A process that the project does not have would be missed only when the run comes to it (RN45). */
function checkProcesses({ steps, onMessage }: Script, { name: project, processes }: Project): void {
  const named = [...steps, ...onMessage].flatMap((step) => (step.do === "process" ? [step.name] : []));
  const unknown = named.find((name) => !Object.hasOwn(processes, name));
  if (unknown === undefined) return;
  const known = Object.keys(processes).toSorted().join(", ");
  const why = `${project} has no process ${unknown}; it has: ${known === "" ? "none" : known}. Name one with: signalbox project change ${project} --process ${unknown}=COMMAND`;
  throw protocolError("bad-script", { where: `process: ${unknown}`, why });
}
