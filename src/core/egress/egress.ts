// Whom a run may reach from inside its cage. This part knows names and ports; what a name leads to is found out, and judged
// once more, where the connection is made.

import type { Agent } from "../agent/agent-state.ts";
import { applicable, ruleFor, type PolicySubject } from "../policy/policy.ts";
import type { Run } from "../run/run-state.ts";
import { rootOf, subjectOf, type State } from "../state.ts";

/** From the least to the most. */
export const egressKinds = ["none", "list", "open"] as const;
export type EgressKind = (typeof egressKinds)[number];

/** What a project grants its runs. Addresses that are listed may be reached even if they are private. */
export type Egress = { readonly kind: EgressKind; readonly allow: readonly string[] };

/** What a run has: its own wish or its project's, and at most what policies allow. */
export type RunEgress = Egress & {
  /** The policy that allows no more. */
  readonly policy: string | null;
  /** Whether the list is an agent's own. */
  readonly isOwn?: boolean;
};

export const noEgress: Egress = { kind: "none", allow: [] };

export type Target = { readonly host: string; readonly port: number };

/** One place on an allow-list; without a port it means those of the web. */
type Place = { readonly host: string; readonly ports: readonly number[] };

const webPorts = [80, 443];

/**
 * Lists that go by a name. Those of package managers are read-only mirrors of public packages, over TLS alone. Where
 * anybody can put anything for others to see (GitHub, gists, paste bins, storage buckets) is on none of them: an agent
 * could carry out what it read.
 */
export const presets: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "developer",
    [
      "registry.npmjs.org:443",
      "registry.yarnpkg.com:443",
      "pypi.org:443",
      "files.pythonhosted.org:443",
      "index.crates.io:443",
      "static.crates.io:443",
      "proxy.golang.org:443",
      "sum.golang.org:443",
      "rubygems.org:443",
      "index.rubygems.org:443",
      "repo.maven.apache.org:443",
      "repo1.maven.org:443",
      "api.nuget.org:443",
    ],
  ],
]);

export function egressOf(state: State, run: Run): RunEgress {
  const root = rootOf(state, run);
  if (root.agent !== null) {
    // A living agent has its own, whoever works in it (AG40).
    const agent = state.agents.get(root.agent);
    return agent === undefined ? { ...noEgress, policy: null } : agentEgressOf(state, agent);
  }
  const { kind: granted, allow } = state.projects.get(root.project)?.egress ?? noEgress;
  const wanted = root.egress ?? granted;
  return boundBy(mostAllowed(state, subjectOf(root), root.settings?.policy), { kind: wanted, allow });
}

/** What an agent has, and every run in it: what its template says, and at most what policies allow (AW4). */
export function agentEgressOf(state: State, agent: Pick<Agent, "project" | "node" | "spec">): RunEgress {
  const { kind, allow } = agent.spec.egress ?? { kind: "none", allow: null };
  const listed = allow ?? state.projects.get(agent.project)?.egress.allow ?? [];
  const bound = boundBy(mostAllowed(state, agentSubject(agent), undefined), { kind, allow: listed });
  return { ...bound, isOwn: allow !== null };
}

/** What policies look at of an agent; those for a profile or a runner speak of runs alone. */
export function agentSubject({ project, node }: Pick<Agent, "project" | "node">): PolicySubject {
  return { project, node, profile: null, runner: "" };
}

type Most = { readonly kind: EgressKind; readonly policy: string };

function boundBy(most: Most | undefined, wanted: Egress): RunEgress {
  return most !== undefined && isMore(wanted.kind, most.kind)
    ? { kind: most.kind, allow: wanted.allow, policy: most.policy }
    : { ...wanted, policy: null };
}

/**
 * Whom the commands that make derived files on a run's candidate may reach: nobody, unless a person said so for the project; then
 * what is on its allow-list, also where its runs have more, and at most what policies allow the run (LD54).
 */
export function derivedEgressOf(state: State, run: Run): Egress {
  const project = state.projects.get(run.project);
  if (project?.derivedNetwork !== true || project.egress.kind === "none") return noEgress;
  const most = mostAllowed(state, subjectOf(run), run.settings?.policy);
  return most?.kind === "none" ? noEgress : { kind: "list", allow: project.egress.allow };
}

/** What policies allow a run at most; undefined where none says anything. */
export function mostAllowed(state: State, subject: PolicySubject, named: string | undefined): Most | undefined {
  const rule = ruleFor(applicable(state.policies, subject, named), "allowedEgress");
  return rule === undefined || rule.value === null ? undefined : { kind: rule.value, policy: rule.policy };
}

export function isMore(kind: EgressKind, than: EgressKind): boolean {
  return egressKinds.indexOf(kind) > egressKinds.indexOf(than);
}

/** Whether a connection to this name may be tried at all. Names are in lower case. */
export function mayTry(egress: Egress, target: Target): boolean {
  if (egress.kind !== "list") return egress.kind === "open";
  return placesOf(egress).some((place) => matches(place, target));
}

/** Listed hosts and ports, as somebody wrote them, with the ports that they mean. */
export function placesOf({ allow }: Egress): Place[] {
  return allow.flatMap((entry) => presets.get(entry) ?? [entry]).map(toPlace);
}

function matches({ host, ports }: Place, target: Target): boolean {
  if (!ports.includes(target.port)) return false;
  // A star stands for one name or several in front, and not for none: `*.example.org` is not `example.org`.
  return host.startsWith("*.") ? target.host.endsWith(host.slice(1)) : target.host === host;
}

/** `host`, `host:port`, or the same with an address; one of version 6 stands in brackets. */
function toPlace(entry: string): Place {
  const [, host = entry, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  const bare = host.startsWith("[") ? host.slice(1, -1) : host;
  return { host: bare.toLowerCase(), ports: port === undefined ? webPorts : [Number(port)] };
}
