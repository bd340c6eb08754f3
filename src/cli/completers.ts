// Names and ids that a shell can propose, asked of the daemon.

import type { Cli } from "./cli.ts";

type Completer = (this: Cli) => Promise<readonly string[]>;

/** When the daemon cannot be asked there is nothing to propose, and no reason to say so in the middle of a line. */
function completer(names: (cli: Cli) => Promise<readonly string[]>): Completer {
  return async function complete() {
    try {
      return await names(this);
    } catch {
      return [];
    }
  };
}

export const completeProjects = completer(async ({ link }) => {
  const { projects } = await link.call("project.list", {});
  return projects.map(({ name }) => name);
});

export const completeRuns = completer(async ({ link }) => {
  const { runs } = await link.call("run.list", { limit: 100 });
  return runs.map(({ id }) => id);
});

export const completeTasks = completer(async ({ link }) => {
  const { tasks } = await link.call("task.list", { limit: 100 });
  return tasks.map(({ id }) => id);
});

export const completeClaims = completer(async ({ link }) => {
  const { leases, queue } = await link.call("locks", {});
  return [...new Set([...leases, ...queue].map(({ claim }) => claim))];
});

export const completeTrash = completer(async ({ link }) => {
  const { items } = await link.call("trash.list", {});
  return items.map(({ id }) => id);
});

export const completePolicies = completer(async ({ link }) => {
  const { policies } = await link.call("policy.list", {});
  return policies.map(({ name }) => name);
});

export const completeRunners = completer(async ({ link }) => {
  const { runners } = await link.call("runner.list", {});
  return runners.map(({ name }) => name);
});

export const completeAgents = completer(async ({ link }) => {
  const { agents } = await link.call("agent.list", {});
  return agents.map(({ name }) => name);
});

/** Whatever has a cage. */
export const completePlaces = completer(async ({ link }) => {
  const { agents } = await link.call("agent.list", {});
  const { runs } = await link.call("run.list", { limit: 100 });
  return [...agents.map(({ name }) => name), ...runs.map(({ id }) => id)];
});

export const completeTerminals = completer(async ({ link }) => {
  const { terminals } = await link.call("terminal.list", {});
  return terminals.map(({ id }) => id);
});

export const completeServices = completer(async ({ link }) => {
  const { agents } = await link.call("agent.list", {});
  return [...new Set(agents.flatMap(({ services }) => services.map(({ name }) => name)))];
});

export const completeFaces = completer(async ({ link }) => {
  const { faces } = await link.call("face.list", {});
  return [...new Set(faces.map(({ name }) => name))];
});

export const completeProfiles = completer(async ({ link }) => {
  const { profiles } = await link.call("profile.list", {});
  return profiles.map(({ name }) => name);
});
