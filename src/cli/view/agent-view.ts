// Agents for people: a table of them, and one with everything that is known.

import { lastWords } from "../../base/last-words.ts";
import type {
  AgentView,
  AssistantView,
  FaceListed,
  FaceView,
  HookView,
  JoinedView,
  ServiceView,
} from "../../protocol/wire/agent.ts";
import type { Now } from "../now.ts";
import type { Output } from "../output.ts";
import { showDuration } from "../text/duration.ts";
import { toHeldText, toLimitText } from "../text/limit-text.ts";
import { toSafeLine } from "../text/safe-text.ts";
import type { Cell, Column } from "../text/table.ts";
import type { Field } from "./fields-view.ts";
import { toEgressText, toImageText } from "./run-view.ts";

const agentColors = { running: "green", error: "red", spawning: "yellow", stopping: "yellow", stopped: "dim" } as const;
const serviceColors = {
  up: "green",
  completed: "green",
  scheduled: "green",
  failed: "red",
  delayed: "red",
  waiting: "yellow",
  starting: "yellow",
  stopping: "yellow",
  down: "dim",
} as const;

export function paintAgent(out: Output, state: AgentView["state"]): string {
  return out.colors[agentColors[state]](state);
}

export const agentColumns: readonly Column[] = [
  { title: "AGENT" },
  { title: "STATE" },
  { title: "FOR" },
  { title: "DOES" },
  { title: "PROJECT" },
  { title: "SERVICES" },
  { title: "PORTS", cut: "end" },
];

export function toAgentRow(out: Output, agent: AgentView, now: Now): Cell[] {
  const wanted = agent.services.filter(({ wanted: isWanted }) => isWanted);
  const well = wanted.filter(isWell);
  return [
    toSafeLine(agent.name),
    { text: agent.state, paint: out.colors[agentColors[agent.state]] },
    showDuration(now.since(agent.sinceMs)),
    toDoesText(agent) ?? "–",
    toSafeLine(agent.projectName),
    `${well.length}/${wanted.length} well`,
    agent.services.flatMap(({ name, ports }) => ports.map(({ address }) => `${name} ${address}`)).join(", "),
  ];
}

const errorsShown = 10;

/** Why those in error are, with what the service at fault said last; the rest is one command away. */
export function toErrorLines(agents: readonly AgentView[]): string[] {
  const failed = agents.filter(({ state }) => state === "error");
  const lines = failed.slice(0, errorsShown).map(({ name, because, services }) => {
    const atFault = services.find((service) => service.state === "failed" && because?.startsWith(`${service.name}: `));
    const said = lastWords(atFault?.end?.said ?? "");
    const why = `${because ?? "nobody knows why"}${said === "" ? "" : `: ${said}`}`;
    return toSafeLine(`${name} is in error: ${why} (signalbox agent failures ${name})`);
  });
  return failed.length > errorsShown ? [...lines, `${failed.length - errorsShown} more are in error.`] : lines;
}

export const serviceColumns: readonly Column[] = [
  { title: "SERVICE" },
  { title: "STATE" },
  { title: "FOR" },
  { title: "LIFE" },
  { title: "PORTS" },
  { title: "", cut: "end" },
];

export function toServiceRow(out: Output, service: ServiceView, now: Now): Cell[] {
  const health = service.healthy === null ? "" : service.healthy ? ", healthy" : ", not healthy";
  return [
    toSafeLine(service.name),
    {
      text: `${service.state}${service.state === "up" ? health : ""}`,
      paint: out.colors[serviceColors[service.state]],
    },
    showDuration(now.since(service.sinceMs)),
    String(service.life),
    service.ports.map(({ name, address }) => `${name} ${address}`).join(", "),
    toSafeLine(noteOf(service, now)),
  ];
}

export const faceColumns: readonly Column[] = [{ title: "FACE" }, { title: "ADDRESS" }, { title: "", cut: "end" }];

export function toFaceRow({ name, url, kind, service, title }: FaceView): Cell[] {
  const note = `${kind === "mcp" ? "MCP endpoint" : "page"} of ${service}${title === null ? "" : `: ${title}`}`;
  return [toSafeLine(name), toSafeLine(url), toSafeLine(note)];
}

export const faceListColumns: readonly Column[] = [
  { title: "AGENT" },
  { title: "FACE" },
  { title: "STATE" },
  ...faceColumns.slice(1),
];

export function toFaceListRow(out: Output, face: FaceListed): Cell[] {
  const [name = "", ...rest] = toFaceRow(face);
  return [toSafeLine(face.agent), name, { text: face.state, paint: out.colors[serviceColors[face.state]] }, ...rest];
}

function noteOf(
  { state, because, dueAtMs, wanted, needs, end, spare, outdated, nextAtMs }: ServiceView,
  now: Now,
): string {
  if (state === "waiting") return `for ${needs.map(({ service, until }) => `${service} (${until})`).join(", ")}`;
  if (state === "delayed") return `${because ?? ""}; again in ${showDuration(now.until(dueAtMs ?? 0))}`;
  if (state === "scheduled" && nextAtMs !== null)
    return `next at ${new Date(nextAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC${because === null ? "" : `; ${because}`}`;
  if (spare) return "stands by";
  if (!wanted) return "stopped by somebody";
  if (outdated) return "is to be begun anew";
  const said = state === "failed" ? lastWords(end?.said ?? "") : "";
  return said === "" ? (because ?? "") : `${because ?? ""}: ${said}`;
}

export function toAgentFields(agent: AgentView, now: Now): Field[] {
  return [
    ["agent", `${agent.name} (${agent.id})`],
    ["state", `${agent.state}${agent.because === null ? "" : `: ${agent.because}`}`],
    ["for", showDuration(now.since(agent.sinceMs))],
    ["does", toDoesText(agent)],
    ["project", agent.projectName],
    ["template", agent.template],
    ["network", agent.egress === "none" ? null : toEgressText(agent.egress, null)],
    ["system", agent.image === null ? null : toImageText(agent.image)],
    ["workspace", agent.workspace],
    ["may use", toMayUseText(agent)],
    ...imageFields(agent),
    [
      "made",
      `${showDuration(now.since(agent.madeAtMs))} ago by ${agent.by}, ${agent.life} ${agent.life === 1 ? "time" : "times"}`,
    ],
    ["failed", toFailedText(agent, now)],
    ["ladder", agent.rung === null ? null : `${agent.rung} was tried last`],
    ...agent.hooks.map(({ name, state, end }): Field => [
      name,
      state === "failed" ? `failed: ${lastLine(end)}` : state,
    ]),
    ...agent.joined.map((joined): Field => ["joined", toJoinedText(joined)]),
    ["assistant", agent.assistant === null ? null : toAssistantText(agent.assistant)],
    ["", agent.archived ? `It is archived. Bring it back with: signalbox agent restore ${agent.name}` : null],
    ["", agent.removing ? "It is being removed." : null],
  ];
}

function toMayUseText({ limits, heldBy }: AgentView): string | null {
  const [all, held] = [toLimitText(limits), toHeldText(heldBy, limits)];
  if (all === "") return null;
  return held === "" ? all : `${all} (${held})`;
}

/** The services that have an image of their own; instances of one have the same. */
function imageFields({ services }: AgentView): Field[] {
  const texts = services.flatMap(({ name, group, image }) =>
    image === null ? [] : [`${group ?? name}: ${toImageText(image)}`],
  );
  return [...new Set(texts)].map((text): Field => ["image", text]);
}

/** Nothing, where it does not run. */
function toDoesText({ run, state, activity }: AgentView): string | null {
  if (run !== null) return `${activity}: ${run} is in it`;
  return state === "running" ? activity : null;
}

function toJoinedText({ agent, by, services }: JoinedView): string {
  const where = services.map(({ host, port }) => `${host}:${port}`).join(", ");
  const how = by === "person" ? "by somebody's word" : "by their templates";
  return `${agent}, ${how}${where === "" ? "" : `: ${where}`}`;
}

function toAssistantText({ profile, start, state, run, because }: AssistantView): string {
  const starts = { once: "begins once", each: "begins each time it has come up", never: "begins when somebody asks" };
  const how = {
    waiting: starts[start],
    called: "is being begun",
    begun: run ?? "",
    failed: `failed: ${because ?? ""}`,
  };
  return `${how[state]} (profile ${profile})`;
}

/** Each service that has failed, by what it was that it failed of last. */
function toFailedText({ services }: AgentView, now: Now): string | null {
  const failed = services.flatMap(({ name, failures: [last] }) => {
    if (last === undefined) return [];
    const times = last.count === 1 ? "once" : `${last.count} times`;
    return [`${name} (${last.found}) ${times}, last ${showDuration(now.since(last.lastAtMs))} ago`];
  });
  return failed.length === 0 ? null : failed.join("; ");
}

function lastLine(end: HookView["end"]): string {
  const said = lastWords(end?.said ?? "");
  return said === "" ? `it ended with ${end?.exit ?? "nothing"}` : said;
}

export function isWell({ state, healthy }: ServiceView): boolean {
  return state === "completed" || state === "scheduled" || (state === "up" && healthy !== false);
}
