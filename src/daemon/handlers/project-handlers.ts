// Projects and policies.

import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { compareText } from "../../base/canonical.ts";
import type { State } from "../../core/state.ts";
import { limits } from "../../protocol/limits.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { policyOperations } from "../../protocol/operations/policy.ts";
import type { projectOperations } from "../../protocol/operations/project.ts";
import type { Caller, Context, Handlers } from "../context.ts";
import { findProject, toPolicy, toProject } from "../views/project-view.ts";
import { lookAt } from "../look-at.ts";
import { blame, historyOf } from "./file-past.ts";
import { idOf } from "./id-of.ts";
import { knownRunner } from "./known-runner.ts";
import { droppedIn } from "./list-dropped.ts";
import { mustBePerson } from "./must-be-person.ts";
import { mustKnow } from "./must-know.ts";

export const projectHandlers: Handlers<keyof typeof projectOperations> = {
  "project.add": (context, input, caller, reply) => context.later(addProject(context, input, caller), reply),
  "project.list": (context, { at }, _caller, reply) => {
    const list = (state: State): OutputOf<"project.list"> => {
      const projects = [...state.projects.values()].filter((project) => !project.removed);
      return { projects: projects.toSorted((a, b) => compareText(a.name, b.name)).map(toProject) };
    };
    if (at === undefined) context.readAfter(lookAt(context), list, reply);
    else context.readAt(at, list, reply);
  },
  "project.get": (context, { project }, _caller, reply) => {
    const { id } = findProject(context.state, project);
    const looked = lookAt(context, id).then(() => droppedIn(context, id));
    const show = (state: State, dropped: Awaited<typeof looked>): OutputOf<"project.get"> => ({
      project: toProject(findProject(state, id)),
      ...(dropped.length === 0 ? {} : { dropped }),
    });
    context.readAfter(looked, show, reply);
  },
  "project.blame": (context, { project, path: file }, _caller, reply) =>
    context.later(blame(context, findProject(context.state, project), file), reply),
  "project.history": (context, { project, ...wanted }, _caller, reply) =>
    context.later(historyOf(context, findProject(context.state, project), wanted), reply),
  "project.change": (context, { project, ...change }, caller, reply) => {
    const { id, source } = findProject(context.state, project);
    const { egress, derived, derivedNetwork, warm, image, landingMessage, landingBranch } = change;
    if (egress !== undefined) mustBePerson(caller, "changing whom runs may reach");
    // What is derived lands without anybody's approval.
    if (derived !== undefined) mustBePerson(caller, "saying which files are derived");
    if (derivedNetwork !== undefined) mustBePerson(caller, "giving commands on candidates a network");
    if (warm !== undefined) mustBePerson(caller, "saying what one run may leave for the next");
    if (image !== undefined) mustBePerson(caller, "choosing an image");
    // It stands in the history, and says who has approved.
    if (landingMessage !== undefined) mustBePerson(caller, "saying what commits say");
    if (landingBranch !== undefined) mustBePerson(caller, "saying where results land");
    if (typeof landingBranch === "string" && source.kind === "folder")
      throw protocolError("bad-input", {
        where: "landingBranch",
        why: "the project is a folder, which has no branches",
      });
    context.submit(caller, { type: "project.change", project: id, ...change }, reply, () => ({}));
  },
  "project.remove": (context, { project }, caller, reply) => {
    const { id, root } = findProject(context.state, project);
    context.submit(caller, { type: "project.remove", project: id }, reply, () => {
      void context.parts.projects.giveBack(root).catch(context.parts.onDefect);
      return {};
    });
  },
};

export const policyHandlers: Handlers<keyof typeof policyOperations> = {
  "policy.set": (context, input, caller, reply) => {
    const { scope, rules } = input;
    mustNotOutrank(context, caller, input.name, input.priority);
    if (rules.allowedEgress !== undefined || limitsEgress(context, input.name))
      mustBePerson(caller, "a policy about the network");
    if (rules.autoApprove !== undefined || rules.approvalRequired === false || asksPeople(context, input.name))
      mustBePerson(caller, "a policy by which results land unseen");
    if (scope.node !== undefined) mustKnow("node", scope.node, context.parts.nodes);
    const project = scope.project === undefined ? {} : { project: findProject(context.state, scope.project).id };
    const runner = scope.runner === undefined ? {} : { runner: knownRunner(context, scope.runner) };
    const policy = {
      ...input,
      scope: { ...scope, ...project, ...runner },
      rules: {
        ...rules,
        ...runnersOf(context, rules, "allowedRunners"),
        ...runnersOf(context, rules, "deniedRunners"),
      },
    };
    context.submit(caller, { type: "policy.set", policy }, reply, () => ({}));
  },
  "policy.list": (context, _input, _caller, reply) =>
    context.read((state) => {
      const policies = [...state.policies.values()];
      return {
        policies: policies.toSorted((a, b) => b.priority - a.priority || compareText(a.name, b.name)).map(toPolicy),
      };
    }, reply),
  "policy.get": (context, { name }, _caller, reply) =>
    context.read((state) => {
      const policy = state.policies.get(name);
      if (policy === undefined) throw protocolError("not-found", { kind: "policy", id: name });
      return { policy: toPolicy(policy) };
    }, reply),
  "policy.remove": (context, { name }, caller, reply) => {
    mustNotOutrank(context, caller, name);
    if (limitsEgress(context, name)) mustBePerson(caller, "a policy about the network");
    if (asksPeople(context, name)) mustBePerson(caller, "a policy by which people approve");
    context.submit(caller, { type: "policy.remove", name }, reply, () => ({}));
  },
};

/** A model has policies too, and none that stands above or beside a person's. */
function mustNotOutrank(context: Context, caller: Caller, name: string, priority = -1): void {
  const known = context.state.policies.get(name)?.priority ?? -1;
  if (Math.max(known, priority) >= 0) mustBePerson(caller, "a policy of priority 0 or more (an agent's is below 0)");
}

function limitsEgress(context: Context, policy: string): boolean {
  return context.state.policies.get(policy)?.rules.allowedEgress !== undefined;
}

function asksPeople(context: Context, policy: string): boolean {
  return context.state.policies.get(policy)?.rules.approvalRequired === true;
}

/** What a project's runs may reach when nobody has said anything: enough to install packages. */
const firstEgress = { kind: "list", allow: ["developer"] } as const;

export async function addProject(
  context: Context,
  input: ParsedInputOf<"project.add">,
  caller: Caller,
): Promise<OutputOf<"project.add">> {
  if (input.egress !== undefined && input.egress.kind !== "none")
    mustBePerson(caller, "saying whom a project's runs may reach");
  const { egress = firstEgress } = input;
  const root = await findFolder(input.root);
  const name = input.name ?? nameOf(root);
  const known = [...context.state.projects.values()].find((project) => project.root === root && !project.removed);
  if (known === undefined) await context.parts.projects.take(root);
  const { foldCase, processes, landingTest, testTimeMs } = input;
  // Unless the project is ours under this folder, nobody has it when it could not be added.
  const giveBack = (): void => {
    const ours = [...context.state.projects.values()].some((project) => project.root === root && !project.removed);
    if (!ours) void context.parts.projects.giveBack(root).catch(context.parts.onDefect);
  };
  const { source, commit } = await context.parts.mainlines.adopt(root, input.branch).catch((error: unknown) => {
    giveBack();
    throw error;
  });
  const made = { name, root, foldCase, processes, source, landingTest, testTimeMs, commit, egress };
  const answer = await context.ask(caller, { type: "project.add", ...made }).catch((error: unknown) => {
    giveBack();
    throw error;
  });
  return { project: idOf(answer), name, root };
}

/** The folder by its real name, so that two ways to one folder are one project. */
async function findFolder(root: string): Promise<string> {
  try {
    const real = await realpath(root);
    if ((await stat(real)).isDirectory()) return real;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT")
      throw protocolError("not-found", { kind: "folder", id: root }, { cause });
    throw protocolError("not-a-folder", { message: `${root} cannot be opened` }, { cause });
  }
  throw protocolError("not-a-folder", { message: `${root} is not a folder` });
}

/** A name from the folder's, in the letters that a name may have. */
function nameOf(root: string): string {
  const plain = path
    .basename(root)
    .replaceAll(/[^a-zA-Z0-9._-]+/g, "-")
    .replace(/^[^a-zA-Z0-9]+/, "");
  const name = plain.slice(0, limits.nameCharsMax);
  return name === "" || /^[a-z]_[0-9a-z]+$/.test(name) ? `project-${name}`.replace(/-$/, "") : name;
}

/** The runners of a rule by their names in the log. */
function runnersOf<R extends "allowedRunners" | "deniedRunners">(
  context: Context,
  rules: ParsedInputOf<"policy.set">["rules"],
  rule: R,
): { readonly [K in R]?: string[] } {
  const named = rules[rule]?.map((runner) => knownRunner(context, runner));
  return (named === undefined ? {} : { [rule]: named }) as { readonly [K in R]?: string[] };
}
