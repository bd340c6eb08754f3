import { readTemplate } from "../../protocol/template/read-template.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Cli } from "../cli.ts";
import { completeAgents, completeServices } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, onlyProjectFlag, projectFlag, textFlag } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { askNow } from "../now.ts";
import { parseCount, parseNonEmpty, parseVariable, type Variable } from "../parse-args.ts";
import { readText } from "../read-text.ts";
import { resolveOnlyProject, resolveProject } from "../resolve-project.ts";
import { stayWithAgent } from "../stay-with-agent.ts";
import { toSafeLine } from "../text/safe-text.ts";
import {
  agentColumns,
  faceColumns,
  paintAgent,
  serviceColumns,
  toAgentFields,
  toAgentRow,
  toErrorLines,
  toFaceRow,
  toServiceRow,
} from "../view/agent-view.ts";
import { toFieldLines } from "../view/fields-view.ts";
import { warningLines } from "../view/warning-lines.ts";

const defaultFile = "signalbox.yaml";

export const agentArgument = {
  parse: parseNonEmpty,
  placeholder: "AGENT",
  brief: "Name or id of an agent.",
  proposeCompletions: completeAgents,
} as const;

export const serviceArgument = {
  parse: parseNonEmpty,
  placeholder: "SERVICE",
  brief: "Name of a service, as its template says it; or of one of its instances, such as web.2.",
  proposeCompletions: completeServices,
} as const;

export const agentAndService = { kind: "tuple", parameters: [agentArgument, serviceArgument] } as const;
const oneAgent = { kind: "tuple", parameters: [agentArgument] } as const;
const manyAgents = { kind: "array", parameter: agentArgument, minimum: 1 } as const;
const detach = flag("Does not wait until it has come to rest.");
const force = flag("Ends the run that is in it too, and leaves its processes no time to tidy up.");

const setAside = flag("Keeps what was changed of the project's files in the trash.");

type Removing = { readonly discard: boolean; readonly setAside: boolean };
type Waiting = CommonFlags & { readonly detach: boolean };

type Creating = Waiting & {
  readonly name?: string;
  readonly project?: string;
  readonly count?: number;
  readonly set: readonly Variable[];
  readonly prompt?: string;
};

export const agentCreate = defineCommand<Creating, [string?]>({
  usage: "[FILE] [--name NAME] [--count N] [--project PROJECT] [--set NAME=VALUE]… [--prompt TEXT] [-d]",
  about: `An agent is a living environment: a workspace of a project with services that run in it, in a cage and a network of
its own. It waits until everything is up, and ends with 1 when something did not come up. FILE is a template; left out, it is
${defaultFile}. The project is the one that --project names, else the template, else the one that the current folder belongs to.`,
  examples: [
    ["agent create", `From ${defaultFile}, for the project that the current folder belongs to.`],
    ["agent create stack.yaml --name blue -d", "Under a name of its own, without waiting."],
    ["agent create --count 3", "Three of them, or none where there is no room for three."],
    ["agent create --prompt 'Mend the failing test'", "With something else for its assistant to do."],
    ["agent create --set LOG_LEVEL=debug", "With another value for a variable of the template."],
  ],
  parameters: {
    flags: {
      name: textFlag("NAME", "What it is called. Left out: the template's name and a number."),
      count: {
        ...{ kind: "parsed", parse: parseCount, placeholder: "N", optional: true },
        brief: "How many of it; each has the name and a number.",
      },
      project: projectFlag,
      set: {
        kind: "parsed",
        parse: parseVariable,
        variadic: true,
        default: [],
        placeholder: "NAME=VALUE",
        brief: "Another value for a variable in env at the top of the template.",
      },
      prompt: textFlag("TEXT", "What the assistant of the template is to do, instead of what that says."),
      detach,
      json: jsonFlag,
    },
    aliases: { d: "detach" },
    positional: {
      kind: "tuple",
      parameters: [
        { parse: parseNonEmpty, placeholder: "FILE", brief: "A template; - is standard input.", optional: true },
      ],
    },
  },
  async run(cli, { name, project, count = 1, set, prompt, detach: isDetached, json }, file = defaultFile) {
    const template = await readText(cli, "The template", file);
    const values = Object.fromEntries(set.map((each) => [each.name, each.value]));
    const wish = { ...(await projectFor(cli, project, template)), template, file, values };
    const more = { ...(name === undefined ? {} : { name }), ...(prompt === undefined ? {} : { prompt }) };
    const { agent, agents, warnings } = await cli.link.call("agent.create", { ...wish, ...more, count });
    cli.out.note(...warningLines(warnings));
    return await (count === 1 ? restAgent(cli, agent, isDetached, json) : restAll(cli, agents, isDetached, json));
  },
});

/** None where the template names one: whoever makes the agent reads it. What is wrong with a template is told by them, too. */
async function projectFor(cli: Cli, given: string | undefined, template: string): Promise<{ project?: string }> {
  const read = given === undefined ? readTemplate(template, { file: defaultFile }) : null;
  if (read !== null && (!read.ok || read.spec.project !== undefined)) return {};
  return { project: await resolveProject(cli, given) };
}

/** Answers 0 when all of them are as they were wanted. */
async function restAll(cli: Cli, agents: readonly AgentView[], isDetached: boolean, json: boolean): Promise<number> {
  const now: AgentView[] = [];
  for (const agent of agents) now.push((isDetached ? agent : await stayWithAgent(cli, agent)) ?? agent);
  if (json) cli.out.json({ agents: now });
  else await showAll(cli, now);
  return now.some(({ state }) => state === "error") ? 1 : 0;
}

async function showAll(cli: Cli, agents: readonly AgentView[]): Promise<void> {
  const now = await askNow(cli);
  cli.out.table(
    agentColumns,
    agents.map((agent) => toAgentRow(cli.out, agent, now)),
  );
  cli.out.note(...toErrorLines(agents));
}

type Scaling = Waiting & Removing & { readonly project?: string };

export const agentScale = defineCommand<Scaling, [string, number]>({
  usage: "TEMPLATE N [--project PROJECT] [--set-aside|--discard] [-d]",
  about: `Sees that there are N agents of a template, by its name: makes more like the newest one, or removes those that were made
last. Nothing changes where one that would go has a run in it, or files that would be lost.`,
  examples: [["agent scale shop 5", "Five agents of the template shop, whatever there were."]],
  parameters: {
    flags: {
      project: projectFlag,
      discard: flag("Removes also those in whose workspaces project files were changed."),
      setAside,
      detach,
      json: jsonFlag,
    },
    aliases: { d: "detach" },
    positional: {
      kind: "tuple",
      parameters: [
        { parse: parseNonEmpty, placeholder: "TEMPLATE", brief: "The name of a template that there is an agent of." },
        { parse: parseCount, placeholder: "N", brief: "How many there shall be." },
      ],
    },
  },
  async run(cli, { project, discard, setAside: isAside, detach: isDetached, json }, template, count) {
    const wish = { project: await resolveProject(cli, project), template, count, discard, setAside: isAside };
    const answer = await cli.link.call("agent.scale", wish);
    return await restAll(cli, answer.agents, isDetached, json);
  },
});

export const agentList = defineCommand<CommonFlags & { readonly project?: string; readonly archived: boolean }>({
  usage: "[--project PROJECT] [--archived]",
  examples: [
    ["agent list", "All agents, how they are, and their ports."],
    ["agent list --archived", "Those that are put away."],
  ],
  parameters: {
    flags: { project: onlyProjectFlag, archived: flag("Those that are archived, and no others."), json: jsonFlag },
  },
  async run(cli, { project, archived, json }) {
    const only = await resolveOnlyProject(cli, project);
    const answer = await cli.link.call("agent.list", { ...only, archived });
    if (json) return cli.out.json(answer);
    if (answer.agents.length === 0 && archived)
      return cli.out.note("No agent is archived. Put one away with: signalbox agent archive AGENT");
    if (answer.agents.length === 0) return cli.out.note(await tellNone(cli, only));
    await showAll(cli, answer.agents);
  },
});

/** Those that are put away are easily forgotten. */
async function tellNone(cli: Cli, only: { readonly project?: string }): Promise<string> {
  const { agents } = await cli.link.call("agent.list", { ...only, archived: true });
  const make = "Make one from a template: signalbox agent create FILE";
  if (agents.length === 0) return `There is no agent. ${make}`;
  const some = agents.length === 1 ? "One is archived" : `${agents.length} are archived`;
  return `There is no agent. ${some}: signalbox agent list --archived\n${make}`;
}

export const agentShow = defineCommand<CommonFlags, [string]>({
  usage: "AGENT",
  examples: [["agent show shop-1", "Its services, their ports and how they are."]],
  parameters: { flags: { json: jsonFlag }, positional: oneAgent },
  async run(cli, { json }, ref) {
    const answer = await cli.link.call("agent.get", { agent: ref });
    if (json) return cli.out.json(answer);
    await show(cli, answer.agent);
  },
});

export async function show(cli: Cli, agent: AgentView): Promise<void> {
  const now = await askNow(cli);
  cli.out.print(...toFieldLines(cli.out, toAgentFields(agent, now)), "");
  cli.out.table(
    serviceColumns,
    agent.services.map((service) => toServiceRow(cli.out, service, now)),
  );
  if (agent.faces.length === 0) return;
  cli.out.print("");
  cli.out.table(faceColumns, agent.faces.map(toFaceRow));
}

/** Answers 0 when it is as it was wanted. */
export async function restAgent(cli: Cli, agent: AgentView, isDetached: boolean, json: boolean): Promise<number> {
  const now = isDetached ? agent : await stayWithAgent(cli, agent);
  if (json) cli.out.json({ agent: now });
  else if (now === null) cli.out.note(`${toSafeLine(agent.name)} is gone.`);
  else if (isDetached) cli.out.print(`${toSafeLine(now.name)} is ${paintAgent(cli.out, now.state)}.`);
  else await show(cli, now);
  return now?.state === "error" ? 1 : 0;
}

/** Asks for the same for each of them, and stays with all. Where one of the names is nobody's, nothing is asked for. */
async function restEach(
  cli: Cli,
  names: readonly string[],
  { detach: isDetached, json }: Waiting,
  ask: (agent: string) => Promise<{ readonly agent: AgentView }>,
): Promise<number> {
  const ids: string[] = [];
  for (const agent of new Set(names)) ids.push((await cli.link.call("agent.get", { agent })).agent.id);
  const asked: AgentView[] = [];
  for (const id of new Set(ids)) asked.push((await ask(id)).agent);
  const [first] = asked;
  if (asked.length === 1 && first !== undefined) return await restAgent(cli, first, isDetached, json);
  return await restAll(cli, asked, isDetached, json);
}

export const agentStart = defineCommand<Waiting, string[]>({
  usage: "AGENT… [-d]",
  about: "Starts agents that are stopped. One in error tries what had failed anew, from the foot of its ladder.",
  examples: [
    ["agent start shop-1", "Bring it up again."],
    ["agent start shop-1 shop-2", "Bring both up, side by side."],
  ],
  parameters: { flags: { detach, json: jsonFlag }, aliases: { d: "detach" }, positional: manyAgents },
  run: (cli, flags, ...names) => restEach(cli, names, flags, (agent) => cli.link.call("agent.start", { agent })),
});

export const agentRestart = defineCommand<Waiting & { readonly apps: boolean }, string[]>({
  usage: "AGENT… [--apps] [-d]",
  about: `Its services go down in the reverse order of their needs, and come up again in a fresh cage around the same workspace. With --apps
only its application services begin anew: what they stand on goes on.`,
  examples: [
    ["agent restart shop-1", "Begin anew with the same files."],
    ["agent restart shop-1 shop-2 --apps", "Begin the applications of two anew; their databases go on."],
  ],
  parameters: {
    flags: { apps: flag("Only application services; external ones go on."), detach, json: jsonFlag },
    aliases: { d: "detach" },
    positional: manyAgents,
  },
  run: (cli, flags, ...names) =>
    restEach(cli, names, flags, (agent) => cli.link.call("agent.restart", { agent, applications: flags.apps })),
});

export const agentStop = defineCommand<Waiting & { readonly force: boolean }, string[]>({
  usage: "AGENT… [--force] [-d]",
  about: "Its workspace and its ports stay its own: signalbox agent start brings it up again.",
  examples: [["agent stop shop-1", "Everything of it goes down, in order."]],
  parameters: { flags: { force, detach, json: jsonFlag }, aliases: { d: "detach" }, positional: manyAgents },
  run: (cli, flags, ...names) =>
    restEach(cli, names, flags, (agent) => cli.link.call("agent.stop", { agent, force: flags.force })),
});

export const agentRemove = defineCommand<CommonFlags & Removing & { readonly force: boolean }, string[]>({
  usage: "AGENT… [--set-aside|--discard] [--force]",
  about: `Takes agents away with their workspaces and ports, once nothing of them runs. One whose workspace has changes of
project files stays, unless they are to be set aside in the trash, or discarded. To keep a whole workspace: signalbox agent archive.`,
  examples: [
    ["agent remove shop-1 shop-2", "Nothing of them is left."],
    ["agent remove shop-1 --set-aside", "What was changed in it is in the trash: signalbox trash list."],
  ],
  parameters: {
    flags: { discard: flag("Loses what was changed in its workspace."), setAside, force, json: jsonFlag },
    positional: manyAgents,
  },
  run: (cli, { force: isForced, discard, setAside: isAside, json }, ...names) =>
    forEach(
      cli,
      names,
      json,
      async (ref) => {
        const { agent } = await cli.link.call("agent.get", { agent: ref });
        await cli.link.call("agent.remove", { agent: agent.id, force: isForced, discard, setAside: isAside });
        await stayWithAgent(cli, agent).catch((error: unknown) => {
          if ((error as { code?: string }).code !== "not-found") throw error;
        });
        const kept = isAside ? await countAsides(cli, agent) : 0;
        return kept === 0
          ? `${toSafeLine(agent.name)} is gone, and nothing of it is left.`
          : `${toSafeLine(agent.name)} is gone; ${kept} ${kept === 1 ? "file" : "files"} that ${kept === 1 ? "was" : "were"} changed in it: signalbox trash list`;
      },
      "agents",
    ),
});

/** Of an agent that is gone. */
async function countAsides(cli: Cli, { id }: AgentView): Promise<number> {
  return (await cli.link.call("trash.list", {})).items.filter(({ run }) => run === id).length;
}
